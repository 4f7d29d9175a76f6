// Extends a history with the robots.txt files of the hosts in a log. The files are requested while the log is read.
import type { AuditHistory, OriginHistory, RobotsTarget } from "@robots-stream/audit";
import type { RobotsSource, SeenRobots } from "@robots-stream/engine/internal";

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
