// The nouns of the lab: a row of the fault matrix, its cases, the scene a case sets, what the client is to make of it.
import type { Decision } from "@robots-stream/core";
import type { LoadedRobots, RobotsClientOptions } from "@robots-stream/fetch";

/** What holds for the probe (`/private`, asked as `labbot`) of an origin once it is loaded. */
export interface Expectation {
  readonly decision: "allow" | "disallow";
  readonly because: Decision["because"];
  /** The stored code, or any of these. */
  readonly code: string | readonly string[];
  /** The line of the rule that decides. */
  readonly line?: number;
}

/** What an origin may come to: one thing, or any of several. */
export type Expected = Expectation | readonly Expectation[];

/** What became of one origin. */
export interface Outcome {
  readonly origin: string;
  readonly decision: "allow" | "disallow";
  readonly because: Decision["because"];
  readonly code: string;
  readonly line: number | undefined;
  readonly loaded: LoadedRobots;
}

/** A fault made real: servers that run, origins to ask. */
export interface Scene {
  /** All of them are loaded at once, by one client. */
  readonly origins: readonly string[];
  /** What each of them is, where they differ. */
  readonly labels?: readonly string[];
  /** The client's options; limits given here go over the lab's. */
  readonly client?: RobotsClientOptions;
  /** What else must hold, after the loads and before the servers end: a sentence for each thing that does not. */
  check?(outcomes: readonly Outcome[]): readonly string[] | Promise<readonly string[]>;
  /** What a person at a terminal should know: other addresses, what to try. */
  readonly notes?: readonly string[];
  close(): Promise<unknown>;
}

/** One way in which a row happens. */
export interface FaultCase {
  readonly what: string;
  /** One expectation for every origin of the scene, or one for each place in its list. */
  readonly expected: Expected | ((index: number) => Expected);
  readonly open: () => Promise<Scene>;
}

/** One row of docs/FAULTS.md. */
export interface FaultRow {
  readonly id: number;
  readonly title: string;
  /** What we do about it. */
  readonly does: string;
  readonly cases: readonly FaultCase[];
  /** Why the row cannot be made on this machine; undefined where it can. */
  readonly missing?: () => string | undefined;
}

/** A file was read, and this line of it decides. */
export function ruled(line: number, decision: "allow" | "disallow" = "disallow"): Expectation {
  return { decision, because: "rule", code: "ok", line };
}

/** A file was read, and the group for everybody has no rule for the probe; or there is no group at all. */
export const noRule: Expectation = { decision: "allow", because: "no-rule", code: "ok" };
export const noGroup: Expectation = { decision: "allow", because: "no-group", code: "ok" };

/** There is no file: everything may be fetched. */
export function unavailable(...codes: readonly string[]): Expectation {
  return { decision: "allow", because: "unavailable", code: codes };
}

/** Nobody knows: nothing may be fetched. */
export function unreachable(...codes: readonly string[]): Expectation {
  return { decision: "disallow", because: "unreachable", code: codes };
}
