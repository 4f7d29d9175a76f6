// A history that is known at the start, and the hosts that a log names, in; a history that includes the answers of their servers out.
import type { AuditHistory, OriginHistory } from "@robots-stream/audit";
import type { RobotsSource, SeenRobots, VersionRules } from "@robots-stream/engine/internal";

/** The most hosts that are requested: a log contains the hosts that its clients sent, which may be any number. */
const mostHosts = 10_000;
/** Hosts asked at once. */
const atOnce = 32;

/** What asking needs. */
interface Asking {
  readonly source: RobotsSource;
  readonly rules: VersionRules;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** The history of an audit with `--fetch`. */
export class GrowingHistory implements AuditHistory {
  readonly #seen: SeenRobots;
  readonly #asking: Asking;
  #timeline: AuditHistory;
  readonly #answered = new Map<string, OriginHistory | undefined>();
  #isFull = false;

  constructor(seen: SeenRobots, asking: Asking) {
    this.#seen = seen;
    this.#asking = asking;
    this.#timeline = seen.timeline();
  }

  get digest(): string {
    return this.#whole().digest;
  }

  get origins(): readonly string[] {
    return this.#whole().origins;
  }

  of(origin: string): OriginHistory | undefined {
    return this.#answered.get(origin) ?? this.#timeline.of(origin);
  }

  /** Requests the robots.txt of each origin of which nothing is known, once. Rejects when the source does, or with the signal's reason. */
  async ask(origins: Iterable<string>): Promise<void> {
    const { say } = this.#asking;
    const unknown: string[] = [];
    for (const origin of origins) {
      if (origin === "" || this.#answered.has(origin) || this.#timeline.of(origin) !== undefined) continue;
      if (this.#answered.size === mostHosts) {
        if (!this.#isFull) say(`--fetch: ${mostHosts} hosts of the log were asked; further ones are not`);
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
    const { source, rules, signal } = this.#asking;
    const seen = this.#seen;
    const loaded = await source.load(origin, signal ?? new AbortController().signal);
    const before = seen.observations.length;
    seen.addLoaded(origin, loaded);
    const [added] = seen.observations.slice(before);
    if (added?.sha256 !== undefined) rules.add(added.sha256, seen.rulesOf(added.sha256));
    this.#answered.set(origin, seen.timelineFrom(before).of(origin));
  }

  #whole(): AuditHistory {
    return (this.#timeline = this.#seen.timeline());
  }
}
