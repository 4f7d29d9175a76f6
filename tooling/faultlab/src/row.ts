// The types of the lab: a row of the fault matrix, its cases, the scene of a case, the expected outcome.
import type { Decision } from "@robots-stream/core";
import type { LoadedRobots, RobotsClientOptions } from "@robots-stream/fetch";

/** The expected decision on the probe (`/private`, as `labbot`) once the origin is loaded. */
export interface Expectation {
  readonly decision: "allow" | "disallow";
  readonly because: Decision["because"];
  /** The stored code, or one of these. */
  readonly code: string | readonly string[];
  /** The line of the rule that decides. */
  readonly line?: number;
}

/** The expected outcome of an origin: one, or any of several. */
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
  /** Loaded concurrently by one client. */
  readonly origins: readonly string[];
  /** A label per origin, if they differ. */
  readonly labels?: readonly string[];
  /** The client's options; limits given here override the lab's. */
  readonly client?: RobotsClientOptions;
  /** Further checks after the loads, while the servers still run: one sentence per violation. */
  check?(outcomes: readonly Outcome[]): readonly string[] | Promise<readonly string[]>;
  /** Notes for use by hand: other addresses, what to try. */
  readonly notes?: readonly string[];
  close(): Promise<unknown>;
}

/** One variant of a row's fault. */
export interface FaultCase {
  readonly what: string;
  /** One expectation for every origin of the scene, or one per index in its list. */
  readonly expected: Expected | ((index: number) => Expected);
  readonly open: () => Promise<Scene>;
}

/** One row of docs/FAULTS.md. */
export interface FaultRow {
  readonly id: number;
  readonly title: string;
  /** What robots-stream does about it. */
  readonly does: string;
  readonly cases: readonly FaultCase[];
  /** Why the fault cannot be made on this machine; undefined if it can. */
  readonly missing?: () => string | undefined;
}

/** A file was read, and this line decides. */
export function ruled(line: number, decision: "allow" | "disallow" = "disallow"): Expectation {
  return { decision, because: "rule", code: "ok", line };
}

/** A file was read, and the group for `*` has no rule for the probe, or there is no group. */
export const noRule: Expectation = { decision: "allow", because: "no-rule", code: "ok" };
export const noGroup: Expectation = { decision: "allow", because: "no-group", code: "ok" };

/** There is no file: everything may be fetched. */
export function unavailable(...codes: readonly string[]): Expectation {
  return { decision: "allow", because: "unavailable", code: codes };
}

/** The file's content is unknown: nothing may be fetched. */
export function unreachable(...codes: readonly string[]): Expectation {
  return { decision: "disallow", because: "unreachable", code: codes };
}
