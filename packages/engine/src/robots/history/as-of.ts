// Finds, in a history of robots.txt files, the versions that a crawler may have used for an origin at a record's time, and the rules of
// each version.
import type { OriginHistory, PolicyName, RobotsTimeline, Window } from "@robots-stream/fetch/history";
import { constantOf, robotsOf } from "../parsed.ts";
import type { RobotsSource, SourcedRobots } from "../types.ts";
import type { SeenRobots } from "./seen-robots.ts";

/** The window of an origin of which nothing is known. */
const noFile: Window = {
  versions: [],
  interval: -1,
  proven: false,
  timeless: false,
  gap: "no-file",
  fromSeconds: -Infinity,
  toSeconds: Infinity,
};

/** Decides records by their time, see `EngineOptions.asOf`. */
export interface RecordVersions {
  /** The version that decides records of an origin at a time, in milliseconds since 1970; NaN for a record without one. */
  versionAt(origin: string, atMs: number): string;
  /** The rules of a version; read again after an eviction. */
  rulesOf(version: string): SourcedRobots;
}

/** The newest version that a crawler may have used decides a record; an origin of which nothing is known at a time has no version. */
export class RobotsAsOf implements RecordVersions {
  /** Equal for equal observations. */
  readonly digest: string;
  readonly #seen: SeenRobots;
  readonly #timeline: RobotsTimeline;
  readonly #policy: PolicyName;
  /** The last origin: neighbouring records mostly share it. */
  #origin = "";
  #history: OriginHistory | undefined;

  /** @param policy the access policy by which the results of exchanges are read */
  constructor(seen: SeenRobots, policy: PolicyName) {
    this.#seen = seen;
    this.#timeline = seen.timeline();
    this.digest = this.#timeline.digest;
    this.#policy = policy;
  }

  /** The number of origins of which something is known. */
  get origins(): number {
    return this.#timeline.origins.length;
  }

  /**
   * The versions that a crawler may have used at a time, in milliseconds since 1970; NaN for a record without one. The same object for
   * neighbouring times.
   */
  windowAt(origin: string, atMs: number): Window {
    const history = this.historyOf(origin);
    return history?.windowAt(atMs >= 0 ? Math.floor(atMs / 1_000) : undefined, this.#policy) ?? noFile;
  }

  /** What is known of an origin; undefined when nothing is. */
  historyOf(origin: string): OriginHistory | undefined {
    if (origin === this.#origin) return this.#history;
    this.#origin = origin;
    return (this.#history = this.#timeline.of(origin));
  }

  versionAt(origin: string, atMs: number): string {
    const { versions, gap } = this.windowAt(origin, atMs);
    return versions.at(-1) ?? gap ?? "no-file";
  }

  rulesOf(version: string): SourcedRobots {
    // Members of the rows replace the answer, because nothing is known.
    if (version === "no-file" || version === "outage") return constantOf("unreachable", version);
    const body = this.#seen.bodyOf(version);
    return body === undefined ? constantOf("unavailable", "http-404") : robotsOf(body);
  }

  /** The source of a run. Nothing is loaded from it, because a version decides each record. */
  get source(): RobotsSource {
    return {
      isRemote: false,
      load: () => constantOf("unreachable", "no-file"),
      close: () => this.#seen.close(),
    };
  }
}
