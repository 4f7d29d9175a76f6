// Tests that the times in a summary are close to the exact values, also after two histograms were merged.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type TimesHistogram, addTime, createTimesHistogram, mergeTimes, timesOf } from "./times.ts";

function histogramOf(values: readonly number[]): TimesHistogram {
  const histogram = createTimesHistogram();
  for (const value of values) addTime(histogram, value);
  return histogram;
}

test.each([
  ["nothing", [], null],
  ["an answer at once", [0], { min: 0, median: 0, p95: 0, max: 0 }],
  ["whole milliseconds", [3, 5, 4], { min: 3, median: 4, p95: 5, max: 5 }],
  ["a clock that was set back", [-70, 2000], { min: 0, median: 0, p95: 2000, max: 2000 }],
  ["fractions of a millisecond", [1.4, 1.6], { min: 1, median: 1, p95: 2, max: 2 }],
] as const)("the summary of %s", (_what, values, times) => {
  expect(timesOf(histogramOf(values))).toEqual(times);
});

test("minimum, median and maximum are within 0.1 %, and two merged histograms equal one histogram of all times", () => {
  const numbers = fc.array(fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 2 ** 31 - 2 })), { minLength: 1 });
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const all = [...one, ...other].toSorted((a, b) => a - b);
      const times = timesOf(mergeTimes(histogramOf(one), histogramOf(other)))!;
      expect(times).toEqual(timesOf(histogramOf(all)));
      const near = (found: number, exact: number): void =>
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact < 2_000 ? 0 : exact * 0.001);
      near(times.min, all[0]!);
      near(times.median, all[Math.round(all.length * 0.5) - 1]!);
      near(times.max, all.at(-1)!);
    }),
  );
});

test("a duration beyond the limit is counted as the limit", () => {
  expect(timesOf(histogramOf([1, 2 ** 60]))!.max).toBeGreaterThan(2e9);
});
