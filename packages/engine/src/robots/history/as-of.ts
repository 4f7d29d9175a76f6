// Finds, in a history of robots.txt files, the versions that a crawler may have used for an origin at a record's time, and the rules of
// each version.
import type { OriginHistory, PolicyName, Window } from "@robots-stream/fetch/history";
import { constantOf, robotsOf, type RobotsSource, type SourcedRobots } from "../in-force.ts";
import { withOtherScheme } from "./timeline.ts";
import type { SeenRobots, VersionSource } from "./seen-robots.ts";
import type { SeenTimeline } from "./timeline.ts";

/** The window of an origin without observations. */
const noFile: Window = {
  versions: [],
  intervals: [],
  interval: -1,
  proven: false,
  timeless: false,
  gap: "no-file",
  fromSeconds: -Infinity,
  toSeconds: Infinity,
};

/** Finds the version of robots.txt that decides a record, by the record's time; see `EngineOptions.asOf`. */
export interface RecordVersions {
  /**
   * The version that decides records of an origin at a time, in milliseconds since 1970; `atMs` is NaN for a record without a time.
   * `agent`: the crawler that the record names; undefined if the run's crawlers are asked about every record.
   */
  versionAt(origin: string, atMs: number, agent: string | undefined): string;
  /** The rules of a version. The engine calls this again after it has evicted the rules. */
  rulesOf(version: string): SourcedRobots;
}

/**
 * Decides each record by the newest version that a crawler may have used. When no version is known for the time, `versionAt` returns the
 * reason instead: "no-file" or "outage".
 */
export class RobotsAsOf implements RecordVersions {
  /** Digest of the observations. */
  readonly digest: string;
  readonly #seen: SeenRobots;
  readonly #timeline: SeenTimeline;
  readonly #policyOf: (agent: string | undefined) => PolicyName;
  /** The origin of the previous call: neighbouring records mostly have the same origin. */
  #origin = "";
  #history: OriginHistory | undefined;

  /** @param policyOf the access policy by which the results of exchanges are read for the crawler that a record names */
  constructor(seen: SeenRobots, policyOf: (agent: string | undefined) => PolicyName) {
    this.#seen = seen;
    this.#timeline = withOtherScheme(seen.timeline());
    this.digest = this.#timeline.digest;
    this.#policyOf = policyOf;
  }

  /** The number of origins with observations. */
  get origins(): number {
    return this.#timeline.origins.length;
  }

  /**
   * The versions that a crawler may have used at a time, in milliseconds since 1970; `atMs` is NaN for a record without a time.
   * Neighbouring times get the same object.
   */
  windowAt(origin: string, atMs: number, agent: string | undefined): Window {
    const atSeconds = atMs >= 0 ? Math.floor(atMs / 1_000) : undefined;
    return this.historyOf(origin)?.windowAt(atSeconds, this.#policyOf(agent)) ?? noFile;
  }

  /** Whether a request is a fetch of a robots.txt that redirected to its target. `target`: a Latin-1 string of bytes. */
  isRobotsTarget(origin: string, atMs: number, target: string): boolean {
    const at = Math.floor(atMs / 1_000);
    return this.#timeline
      .robotsTargetsOf(origin)
      .some((each) => each.target === target && !(at < each.fromSeconds || at > each.toSeconds));
  }

  /** The history of an origin; undefined without observations. */
  historyOf(origin: string): OriginHistory | undefined {
    if (origin === this.#origin) return this.#history;
    this.#origin = origin;
    return (this.#history = this.#timeline.of(origin));
  }

  versionAt(origin: string, atMs: number, agent: string | undefined): string {
    const { versions, gap } = this.windowAt(origin, atMs, agent);
    return versions.at(-1) ?? gap ?? "no-file";
  }

  /** The rules of a version as an audit reads them, which knows how much of a long file a crawler reads. */
  judgedBy(version: string): VersionSource {
    return this.#seen.rulesOf(version);
  }

  /** The size of a version's file in bytes; 0 without a file. */
  sizeOf(version: string): number {
    return this.#seen.sizeOf(version);
  }

  rulesOf(version: string): SourcedRobots {
    // No version is known, so members of the row replace the answer from this result.
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
