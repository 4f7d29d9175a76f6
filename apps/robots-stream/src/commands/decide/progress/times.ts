// Durations in milliseconds in; the shortest, the median, the 95th percentile and the longest out.
import type { RecordableHistogram } from "node:perf_hooks";

/**
 * A summary of the durations of exchanges, in milliseconds. The values are exact to the millisecond below two seconds, and within 0.1 %
 * above.
 */
export interface Times {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Node's histogram, which takes bounded memory. */
export type TimesHistogram = RecordableHistogram;

/** Added to each duration in milliseconds, because Node's histograms do not accept 0. */
const offset = 1;
const largest = 2 ** 31;

export function createTimesHistogram(): TimesHistogram {
  return process.getBuiltinModule("node:perf_hooks").createHistogram({ lowest: 1, highest: largest, figures: 3 });
}

/** Counts a duration, rounded to whole milliseconds. A negative duration, which occurs after the clock was set back, is counted as 0. */
export function addTime(histogram: TimesHistogram, ms: number): void {
  histogram.record(Math.min(largest, Math.round(Math.max(0, ms)) + offset));
}

/** A new histogram with the durations of both histograms. */
export function mergeTimes(one: TimesHistogram, other: TimesHistogram): TimesHistogram {
  const merged = createTimesHistogram();
  merged.add(one);
  merged.add(other);
  return merged;
}

/** The summary of a histogram; null for an empty one. */
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
