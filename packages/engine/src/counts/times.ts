// How long things took in, in milliseconds; the shortest, the median, the 95th percentile and the longest out.
import type { RecordableHistogram } from "node:perf_hooks";
import { nodePerfHooks } from "../node-parts.ts";

/** How long exchanges took, in milliseconds: exact below two seconds, within 0.1 % above. */
export interface Times {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Node's histogram: bounded memory, and `postMessage` gives it to other threads. */
export type TimesHistogram = RecordableHistogram;

/** Its values begin at 1, so it holds milliseconds plus one. */
const offset = 1;
const largest = 2 ** 31;

/** A histogram of nothing. */
export function createTimesHistogram(): TimesHistogram {
  return nodePerfHooks().createHistogram({ lowest: 1, highest: largest, figures: 3 });
}

/** Counts a time in whole milliseconds; a negative one, as clocks that are set give them, as 0. */
export function addTime(histogram: TimesHistogram, ms: number): void {
  histogram.record(Math.min(largest, Math.round(Math.max(0, ms)) + offset));
}

/** A new histogram of all times of both. */
export function mergeTimes(one: TimesHistogram, other: TimesHistogram): TimesHistogram {
  const merged = createTimesHistogram();
  merged.add(one);
  merged.add(other);
  return merged;
}

/** What a histogram tells; null of nothing. */
export function timesOf(histogram: TimesHistogram): Times | null {
  if (histogram.count === 0) return null;
  const { min, max } = histogram;
  return {
    min: min - offset,
    median: histogram.percentile(50) - offset,
    p95: histogram.percentile(95) - offset,
    max: max - offset,
  };
}
