// Measures the cost of a file in milliseconds: the time of parsing, of building a matcher, and of the slowest decision on the given paths.
import { type RobotsTxt, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import type { NamedPath } from "./data/hostile-paths.ts";

/** The cost of one file, in milliseconds. */
export interface Cost {
  readonly parseMs: number;
  readonly buildMs: number;
  /** Time of the slowest decision of a new matcher; `when` gives the decision's number and the name of its path. */
  readonly decideMs: number;
  readonly when: string;
  /** Time of the slowest decision of a matcher that has already made many decisions. */
  readonly hotMs: number;
  readonly rules: number;
}

const token = "bingbot";
// A path is no longer measured once its decisions have taken `enoughMs`; the file, once one decision has taken `enoughForAllMs`.
const enoughMs = 120;
const enoughForAllMs = 100;

/** How thoroughly a file is measured. */
export interface Effort {
  /** Number of tries; the time of the fastest try is reported. */
  readonly tries: number;
  /** Decisions per matcher. */
  readonly decisions: number;
  /** Number of paths tried, in the given order. */
  readonly paths: number;
}

/** Measures one file. */
export function costOf(bytes: Uint8Array, paths: readonly NamedPath[], effort: Effort): Cost {
  const parseMs = best(effort.tries + 2, () => void parseRobotsTxt(bytes));
  const robots = parseRobotsTxt(bytes);
  const buildMs = best(effort.tries, () => void createMatcher(robots, token));
  const tried = paths.slice(0, effort.paths);
  return {
    parseMs,
    buildMs,
    rules: patternsOf(bytes).length,
    ...slowestOfNew(robots, tried, effort),
    hotMs: slowestOfHot(robots, tried, effort),
  };
}

/** The slowest decision of new matchers, each of which decides one path repeatedly. */
function slowestOfNew(
  robots: RobotsTxt,
  paths: readonly NamedPath[],
  effort: Effort,
): { readonly decideMs: number; readonly when: string } {
  let worst = { decideMs: 0, when: "" };
  for (const { name, path } of paths) {
    const times = timesOn(path, robots, effort);
    const decideMs = Math.max(...times);
    if (decideMs > worst.decideMs) worst = { decideMs, when: `no. ${times.indexOf(decideMs) + 1}, ${name}` };
    // This decision is slow enough: the other paths would add time but no information.
    if (decideMs > enoughForAllMs) break;
  }
  return worst;
}

/** Time of the slowest decision of a matcher that has already made many decisions. */
function slowestOfHot(robots: RobotsTxt, paths: readonly NamedPath[], { tries, decisions }: Effort): number {
  if (paths.length === 0) return 0;
  const matcher = createMatcher(robots, token);
  for (let asked = 0; asked < decisions; asked++) matcher.decide("/a");
  let worstMs = 0;
  for (const { path } of paths) {
    worstMs = Math.max(
      worstMs,
      best(tries, () => void matcher.decide(path)),
    );
    if (worstMs > enoughForAllMs) break;
  }
  return worstMs;
}

export function slowestDecisionMs({ decideMs, hotMs }: Cost): number {
  return Math.max(decideMs, hotMs);
}

/** The raw patterns of a file's rules, found by a fast, approximate scan. */
export function patternsOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes)
    .toString("latin1")
    .split(/[\r\n]/u)
    .filter((line) => /^(?:dis)?allow:/iu.test(line))
    .map((line) => line.slice(line.indexOf(":") + 1).trim());
}

/**
 * Milliseconds of the first, second … decision of a new matcher on one path. Each time is the least over `tries` matchers. A matcher stops
 * after `enoughMs`.
 */
function timesOn(path: string, robots: RobotsTxt, { tries, decisions }: Effort): readonly number[] {
  const times: number[] = [];
  for (let attempt = 0; attempt < tries; attempt++) {
    const matcher = createMatcher(robots, token);
    let spent = 0;
    for (let asked = 0; asked < decisions && spent < enoughMs; asked++) {
      const ms = timed(() => void matcher.decide(path));
      times[asked] = Math.min(times[asked] ?? Number.POSITIVE_INFINITY, ms);
      spent += ms;
    }
  }
  return times;
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function best(times: number, run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) least = Math.min(least, timed(run));
  return least;
}
