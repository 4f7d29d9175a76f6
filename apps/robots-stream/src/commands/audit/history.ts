// The robots.txt files by which an audit judges requests: observations from histories, folders, a file or the network, and what the linter
// says about them.
import {
  type AuditHistory,
  type LintRow,
  lintSeverities,
  type OriginHistory,
  type RobotsTarget,
} from "@robots-stream/audit";
import { lint, sentenceOf } from "@robots-stream/core/lint";
import { readHistory, type RobotsSource, SeenRobots, type UsedFiles } from "@robots-stream/engine/internal";
import { createNetworkSource } from "../../cli/network/network.ts";
import type { ClientSurroundings } from "../../cli/network/client.ts";
import { originOfBase } from "../../cli/input-settings.ts";
import type { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";
import type { AuditSettings } from "./flags.ts";

/**
 * Reads the histories or the saved files that the settings name. If they name none, loads the robots.txt of `--base` from the network. The
 * caller must close the result. Rejects with a `UsageError` for a source that cannot be used.
 */
export async function observe(
  settings: AuditSettings,
  used: UsedFiles,
  surroundings: ClientSurroundings & { readonly damaged: DamagedOrigins },
): Promise<SeenRobots> {
  const { robotsPath, historyPaths, base, maxBytes, fetchesHosts } = settings;
  const { say, signal = new AbortController().signal, damaged } = surroundings;
  const origin = base === undefined ? undefined : originOfBase(base);
  const reading = { maxBytes, origin, used, say, damaged, signal };
  if (historyPaths.length > 0) return readHistory(historyPaths, { from: "robotsHistory", ...reading });
  // As when rows are decided, an archive has the files of many origins. One file without a date is that of `origin`, or of every origin.
  if (robotsPath !== undefined) {
    return readHistory([robotsPath], { from: "robots", isDated: false, isShared: !fetchesHosts, ...reading });
  }
  const seen = new SeenRobots(maxBytes);
  // With `--fetch` and without an origin, the robots.txt files are loaded later: the hosts are known only from the log.
  if (origin === undefined) return seen;
  const source = createNetworkSource(settings, surroundings);
  try {
    await source.check?.();
    const loaded = await source.load(origin, signal);
    seen.addLoaded(origin, loaded);
    if (loaded.access === "unreachable") say(`${origin}: its robots.txt is unreachable (${loaded.code})`);
    return seen;
  } catch (error) {
    seen.close();
    throw error;
  } finally {
    await source.close();
  }
}

/**
 * Maximum number of hosts whose robots.txt is requested. Without this limit, clients that send made-up Host headers could cause any number
 * of requests.
 */
const mostHosts = 10_000;
/** Maximum number of simultaneous requests for robots.txt. */
const atOnce = 32;

/** Arguments for requesting robots.txt files. */
interface Asking {
  readonly source: RobotsSource;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** The history of an audit with `--fetch`: the observations in `seen`, and the observations that `ask` adds. */
export class GrowingHistory implements AuditHistory {
  readonly #seen: SeenRobots;
  readonly #asking: Asking;
  #timeline: AuditHistory;
  readonly #answered = new Map<string, OriginHistory | undefined>();
  readonly #targets = new Map<string, readonly RobotsTarget[]>();
  #isFull = false;

  constructor(seen: SeenRobots, asking: Asking) {
    this.#seen = seen;
    this.#asking = asking;
    this.#timeline = seen.timeline();
  }

  get digest(): string {
    return this.#whole().digest;
  }

  get origins(): AuditHistory["origins"] {
    return this.#whole().origins;
  }

  of(origin: string): OriginHistory | undefined {
    return this.#answered.get(origin) ?? this.#timeline.of(origin);
  }

  robotsTargetsOf(origin: string): readonly RobotsTarget[] {
    return [...(this.#timeline.robotsTargetsOf?.(origin) ?? []), ...(this.#targets.get(origin) ?? [])];
  }

  /**
   * Requests the robots.txt of each origin that the history does not contain. Requests an origin only once per audit, and at most
   * `mostHosts` origins. Rejects when the source rejects, or with the signal's reason.
   */
  async ask(origins: Iterable<string>): Promise<void> {
    const { say } = this.#asking;
    const unknown: string[] = [];
    for (const origin of origins) {
      if (origin === "" || this.#answered.has(origin) || this.#timeline.of(origin) !== undefined) continue;
      if (this.#answered.size === mostHosts) {
        if (!this.#isFull) say(`--fetch: ${mostHosts} hosts in the log were requested; further hosts are not`);
        this.#isFull = true;
        break;
      }
      this.#answered.set(origin, undefined);
      unknown.push(origin);
    }
    for (let at = 0; at < unknown.length; at += atOnce) {
      await Promise.all(unknown.slice(at, at + atOnce).map((origin) => this.#load(origin)));
    }
  }

  async #load(origin: string): Promise<void> {
    const { source, signal } = this.#asking;
    const seen = this.#seen;
    const loaded = await source.load(origin, signal ?? new AbortController().signal);
    const before = seen.observations.length;
    seen.addLoaded(origin, loaded);
    const timeline = seen.timelineFrom(before);
    this.#answered.set(origin, timeline.of(origin));
    this.#targets.set(origin, timeline.robotsTargetsOf(origin));
  }

  #whole(): AuditHistory {
    return (this.#timeline = this.#seen.timeline());
  }
}

const mostLintRows = 100;

/** Returns the `mostLintRows` most severe findings in a robots.txt, sorted by line; undefined without a file. */
export function lintRowsOf(body: Uint8Array | undefined): readonly LintRow[] | undefined {
  if (body === undefined) return undefined;
  return lint(body)
    .toSorted((one, other) => lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity))
    .slice(0, mostLintRows)
    .toSorted((one, other) => one.line - other.line)
    .map((finding) => [finding.line, finding.severity, finding.code, sentenceOf(finding)]);
}
