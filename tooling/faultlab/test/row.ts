// The types of the lab: a row of the fault matrix, its cases, a case's scene, and the expected outcome.
import type { Decision } from "@robots-stream/core";
import type { LoadedRobots, RobotsClientOptions } from "@robots-stream/fetch";

/** The expected decision about the probe (`/private`, for `labbot`) once the origin is loaded. */
export interface Expectation {
  readonly decision: "allow" | "disallow";
  readonly because: Decision["because"];
  /** The code in the stored entry, or a list of allowed codes. */
  readonly code: string | readonly string[];
  /** The line number of the deciding rule. */
  readonly line?: number;
}

/** The expected outcome of an origin: one outcome, or a list of allowed outcomes. */
export type Expected = Expectation | readonly Expectation[];

/** The actual outcome of one origin. */
export interface Outcome {
  readonly origin: string;
  readonly decision: "allow" | "disallow";
  readonly because: Decision["because"];
  readonly code: string;
  readonly line: number | undefined;
  readonly loaded: LoadedRobots;
}

/** A running fault: its servers, and the origins to load. */
export interface Scene {
  /** The origins, which one client loads concurrently. */
  readonly origins: readonly string[];
  /** A label for each origin, if the origins differ. */
  readonly labels?: readonly string[];
  /** The client's options; limits given here override the lab's limits. */
  readonly client?: RobotsClientOptions;
  /** Further checks after the loads, while the servers still run: one sentence per violation. */
  check?(outcomes: readonly Outcome[]): readonly string[] | Promise<readonly string[]>;
  close(): Promise<unknown>;
}

/** One variant of a row's fault. */
export interface FaultCase {
  readonly what: string;
  /** One expectation for all origins of the scene, or a function of an origin's index. */
  readonly expected: Expected | ((index: number) => Expected);
  readonly open: () => Promise<Scene>;
}

/** One row of docs/FAULTS.md, which says how robots-stream handles the fault. */
export interface FaultRow {
  readonly id: number;
  readonly title: string;
  readonly cases: readonly FaultCase[];
  /** Why this machine cannot produce the fault; undefined if it can. */
  readonly missing?: () => string | undefined;
}

/** A file was read, and this line decides about the probe. */
export function ruled(line: number, decision: "allow" | "disallow" = "disallow"): Expectation {
  return { decision, because: "rule", code: "ok", line };
}

/** A file was read, but no rule decides: the group for `*` has no rule for the probe, or the file has no group for `*`. */
export const noRule: Expectation = { decision: "allow", because: "no-rule", code: "ok" };
export const noGroup: Expectation = { decision: "allow", because: "no-group", code: "ok" };

/** There is no file, so everything may be fetched. */
export function unavailable(...codes: readonly string[]): Expectation {
  return { decision: "allow", because: "unavailable", code: codes };
}

/** The file's content is unknown, so nothing may be fetched. */
export function unreachable(...codes: readonly string[]): Expectation {
  return { decision: "disallow", because: "unreachable", code: codes };
}
