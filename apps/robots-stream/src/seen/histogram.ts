// Numbers in, how they are spread out: count, sum, least, most and quantiles, from a bounded number of buckets.

/** Eight buckets for each doubling: a quantile is off by at most 5 %. */
const bucketsPerDoubling = 8;
/** What is larger counts as this in the buckets. */
const largest = 2 ** 40;

/** Numbers from 0 on, counted in buckets. Plain data. */
export interface Histogram {
  count: number;
  sum: number;
  min: number;
  max: number;
  /** By number of bucket; sparse at most 321 of them. */
  readonly buckets: number[];
}

/** A histogram of nothing. */
export function createHistogram(): Histogram {
  return { count: 0, sum: 0, min: Infinity, max: 0, buckets: [] };
}

/** Counts a number; a negative one, as clocks that are set give them, as 0. */
export function addToHistogram(histogram: Histogram, value: number): void {
  const counted = Math.max(0, value);
  const bucket = bucketOf(counted);
  while (histogram.buckets.length <= bucket) histogram.buckets.push(0);
  histogram.buckets[bucket]!++;
  histogram.count++;
  histogram.sum += counted;
  histogram.min = Math.min(histogram.min, counted);
  histogram.max = Math.max(histogram.max, counted);
}

/** The histogram of all numbers of both. */
export function mergeHistograms(one: Histogram, other: Histogram): Histogram {
  const length = Math.max(one.buckets.length, other.buckets.length);
  return {
    count: one.count + other.count,
    sum: one.sum + other.sum,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
    buckets: Array.from({ length }, (_, index) => (one.buckets[index] ?? 0) + (other.buckets[index] ?? 0)),
  };
}

/** The number that a share of all numbers does not exceed (0.5: the median), within 5 %; 0 of nothing. */
export function quantileOf({ count, min, max, buckets }: Histogram, share: number): number {
  if (count === 0) return 0;
  let left = Math.max(1, Math.ceil(count * share));
  for (const [bucket, inIt] of buckets.entries()) {
    left -= inIt;
    if (left <= 0) return Math.min(max, Math.max(min, middleOf(bucket)));
  }
  return max;
}

/** Below 1 there is one bucket. */
function bucketOf(value: number): number {
  return value < 1 ? 0 : 1 + Math.floor(Math.log2(Math.min(value, largest)) * bucketsPerDoubling);
}

function middleOf(bucket: number): number {
  return bucket === 0 ? 0.5 : 2 ** ((bucket - 0.5) / bucketsPerDoubling);
}
