// Numbers in: quantiles near the exact ones, in a bounded number of buckets, also after a merge.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Histogram, addToHistogram, createHistogram, mergeHistograms, quantileOf } from "./histogram.ts";

function histogramOf(values: readonly number[]): Histogram {
  const histogram = createHistogram();
  for (const value of values) addToHistogram(histogram, value);
  return histogram;
}

test("quantiles are within 5 % of the exact ones, and a merge is the histogram of all numbers", () => {
  const numbers = fc.array(fc.oneof(fc.nat({ max: 50 }), fc.double({ min: 1, max: 1e9, noNaN: true })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(numbers, numbers, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, share) => {
      const all = [...one, ...other];
      const histogram = mergeHistograms(histogramOf(one), histogramOf(other));
      expect({ ...histogram, sum: 0 }).toEqual({ ...histogramOf(all), sum: 0 });
      const exact = all.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(all.length * share) - 1)]!;
      const found = quantileOf(histogram, share);
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(Math.max(0.5, exact * 0.05));
    }),
  );
});

test("least and most are exact, and any number has a bucket", () => {
  const histogram = histogramOf([3, 70.5, -1, 2 ** 60, 0.2]);
  expect(histogram).toMatchObject({ count: 5, min: 0, max: 2 ** 60 });
  expect(histogram.buckets.length).toBeLessThanOrEqual(322);
  expect(quantileOf(histogram, 1)).toBeGreaterThan(1e12);
  expect(quantileOf(createHistogram(), 0.5)).toBe(0);
});
