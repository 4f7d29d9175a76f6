// Tests which days the plots show, against a second computation that goes through the days one by one.
import fc from "fast-check";
import type { DocumentOrigin } from "../document/types.ts";
import { createZoneClock } from "./days.ts";
import { plotNoteOf, plotPeriodOf } from "./plot-period.ts";
import { expect, test } from "vitest";

const day = 86_400;
const utc = createZoneClock("UTC");

/** An origin with requests at times, as rows of the table `times`. */
const originOf = (requests: readonly (readonly [time: number, count: number])[]): DocumentOrigin =>
  ({
    origin: "https://shop.example",
    times: requests.map(([time, count]) => [time, "bingbot", "none", "allowed", 0, count]),
  }) as unknown as DocumentOrigin;

const periodOf = (times: readonly number[]): { first: number; last: number } => ({
  first: Math.min(...times),
  last: Math.max(...times),
});

test("three requests a year later are outside, and the sentence says so", () => {
  const month = Array.from({ length: 28 }, (_, at) => [20_759 * day + at * day + 900, 7] as const);
  const stray = [20_759 * day + 365 * day, 3] as const;
  const requests = [...month, stray];
  const period = periodOf(requests.map(([time]) => time));
  const shown = plotPeriodOf([originOf(requests)], period, utc);
  expect(shown).toEqual({ period: { first: period.first, last: 20_787 * day - 1 }, outside: 3 });
  expect(plotNoteOf(shown, utc, { window: "--from chooses" })).toBe(
    "Shown is 2 to 29 November 2026; 3 requests of crawlers lie outside, and --from chooses.",
  );
  // In another zone, the days begin and end there.
  const tokyo = createZoneClock("Asia/Tokyo");
  const there = plotPeriodOf([originOf(requests)], period, tokyo).period!;
  expect([tokyo.dayOf(there.last), tokyo.dayOf(there.last + 1)]).toEqual([20_786, 20_787]);
});

test("all days are shown if no part is dense, and without a period", () => {
  const even = Array.from({ length: 12 }, (_, at) => [20_000 * day + at * 40 * day, 5] as const);
  const period = periodOf(even.map(([time]) => time));
  expect(plotPeriodOf([originOf(even)], period, utc)).toEqual({ period, outside: 0 });
  expect(plotPeriodOf([], null, utc)).toEqual({ period: null, outside: 0 });
  expect(plotNoteOf({ period, outside: 0 }, utc)).toBe("");
});

/** The second computation: the number of requests outside, and the days shown. */
function slowly(
  requests: readonly (readonly [number, number])[],
): readonly [first: number, last: number, outside: number] {
  const counts = new Map<number, number>();
  for (const [time, count] of requests)
    counts.set(Math.floor(time / day), (counts.get(Math.floor(time / day)) ?? 0) + count);
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  const parts: number[][] = [[]];
  let empty = 0;
  for (let at = first; at <= last; at++) {
    if (!counts.has(at)) {
      empty++;
      continue;
    }
    if (empty >= 30) parts.push([]);
    empty = 0;
    parts.at(-1)!.push(at);
  }
  const sumOf = (days: readonly number[]): number => days.reduce((sum, at) => sum + counts.get(at)!, 0);
  const all = sumOf(parts.flat());
  const dense = parts.find((days) => sumOf(days) / all >= 0.95);
  if (dense === undefined || parts.length === 1) return [first, last, 0];
  if ((dense.at(-1)! - dense[0]! + 1) / (last - first + 1) > 0.5) return [first, last, 0];
  return [dense[0]!, dense.at(-1)!, all - sumOf(dense)];
}

test("random days", () => {
  const request = fc.tuple(fc.integer({ min: 0, max: 400 * day }), fc.constantFrom(1, 1, 2, 60, 200));
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 12 }), (requests) => {
      const { period, outside } = plotPeriodOf([originOf(requests)], periodOf(requests.map(([time]) => time)), utc);
      const [first, last, left] = slowly(requests);
      expect(outside).toBe(left);
      // The shown days contain the dense ones, and no others with a request.
      expect(utc.dayOf(period!.first)).toBeLessThanOrEqual(first);
      expect(utc.dayOf(period!.last)).toBeGreaterThanOrEqual(last);
      const inside = requests.filter(([time]) => time >= period!.first && time <= period!.last);
      const sum = (all: typeof requests): number => all.reduce((total, [, count]) => total + count, 0);
      expect(sum(requests) - sum(inside)).toBe(outside);
    }),
  );
});
