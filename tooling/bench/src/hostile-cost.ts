// A file and paths to ask about → the milliseconds that parsing it, building a matcher and the slowest decision take.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
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

/** Decisions a matcher is asked for: among them is the one that pays for an index, wherever that comes. */
export const countedDecisions = 120;

const token = "bingbot";
// A path is done when its decisions have taken this long together, a file when one decision has.
const enoughMs = 400;
const enoughForAllMs = 100;

/** Measures one file, each time as the best of some tries. */
export function costOf(bytes: Uint8Array, repeats: number, paths: readonly NamedPath[]): Cost {
  const parseMs = best(repeats + 2, () => void parseRobotsTxt(bytes));
  const robots = parseRobotsTxt(bytes);
  const buildMs = best(repeats, () => void createMatcher(robots, token));
  let cost: Cost = { parseMs, buildMs, decideMs: 0, when: "", hotMs: 0, rules: patternsOf(bytes).length };
  for (const { name, path } of paths) {
    const { times, hotMs } = timesOn(path, robots, repeats);
    const decideMs = Math.max(...times);
    if (decideMs > cost.decideMs) cost = { ...cost, decideMs, when: `no. ${times.indexOf(decideMs) + 1}, ${name}` };
    if (hotMs > cost.hotMs) cost = { ...cost, hotMs };
    // Bad enough: the other paths would only take long to say the same.
    if (cost.decideMs > enoughForAllMs) break;
  }
  return cost;
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
function timesOn(
  path: string,
  robots: ReturnType<typeof parseRobotsTxt>,
  repeats: number,
): { readonly times: readonly number[]; readonly hotMs: number } {
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const matcher = createMatcher(robots, token);
    let spent = 0;
    for (let asked = 0; asked < countedDecisions && spent < enoughMs; asked++) {
      const ms = timed(() => void matcher.decide(path));
      times[asked] = Math.min(times[asked] ?? Number.POSITIVE_INFINITY, ms);
      spent += ms;
    }
  }
  return { times, hotMs: Math.min(...times.slice(-3)) };
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
