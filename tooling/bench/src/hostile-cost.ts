// A file and paths to ask about → the milliseconds that parsing it, building a matcher and the slowest decision take.
import { type RobotsTxt, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import type { NamedPath } from "./data/hostile-paths.ts";

/** What one file cost, in milliseconds. */
export interface Cost {
  readonly parseMs: number;
  readonly buildMs: number;
  /** The slowest decision of a new matcher, and which decision that was, on which path. */
  readonly decideMs: number;
  readonly when: string;
  /** The slowest decision of a matcher that has been asked often. */
  readonly hotMs: number;
  readonly rules: number;
}

const token = "bingbot";
// A path is done when its decisions have taken this long together, a file when one decision has.
const enoughMs = 120;
const enoughForAllMs = 100;

/** How thoroughly a file is measured. */
export interface Effort {
  /** Tries, of which the best counts. */
  readonly tries: number;
  /** Decisions asked of each matcher. */
  readonly decisions: number;
  /** Paths tried, the first ones given. */
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

/** The slowest decision of new matchers, each asked about one path over and over. */
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
    // Bad enough: the other paths would only take long to say the same.
    if (decideMs > enoughForAllMs) break;
  }
  return worst;
}

/** The slowest decision of a matcher that has been asked often. */
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

/** The patterns of a file's rules as they stand there, by a look that is quick rather than exact. */
export function patternsOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes)
    .toString("latin1")
    .split(/[\r\n]/u)
    .filter((line) => /^(?:dis)?allow:/iu.test(line))
    .map((line) => line.slice(line.indexOf(":") + 1).trim());
}

/** The times of a new matcher's decisions on a path, one by one, each the best over some matchers; fewer when they are slow. */
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
