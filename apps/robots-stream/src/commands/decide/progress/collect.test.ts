// Counts of decisions, collected at once and in parts; the most frequent keys; the times of exchanges.
import { createMatcher, type Decision, parseRobotsTxt } from "@robots-stream/core";
import type { SourcedRobots } from "@robots-stream/engine/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addTime,
  type Collected,
  Collector,
  createTimesHistogram,
  type DecidedByParts,
  HeavyHitters,
  mergeTimes,
  ruleOfKey,
  type TimesHistogram,
  timesOf,
} from "./collect.ts";

const long = "x".repeat(1_000);
const matcher = createMatcher(parseRobotsTxt(`User-agent: *\nDisallow: /a\nAllow: /${long}\n`), "any");

/** The origin and the decisions about its targets for two questions, as arguments of `takeDecided`. */
function decidedOf(origin: string, ...targets: string[]): [origin: string, decided: DecidedByParts] {
  const decisions = new Map<Decision, number>();
  for (const target of targets) {
    const decision = matcher.decideTarget(target);
    decisions.set(decision, (decisions.get(decision) ?? 0) + 1);
  }
  const decided = [0, 1].flatMap((index) => [...decisions].map(([decision, hits]) => ({ index, decision, hits })));
  return [origin, [{ first: 0, decided }]];
}

const answered = (fetched: boolean, code: string, ms?: number): SourcedRobots =>
  ({ fetched, code, exchange: { status: 200, ms, endedAt: 0, bytes: 10, urls: [] } }) as unknown as SourcedRobots;

function shown({ because, origins, rules, fetched, unfetched }: Collected): unknown {
  return {
    because,
    origins: origins.top(10),
    rules: rules.top(10),
    fetched: new Map([...fetched].map(([code, outcome]) => [code, { ...outcome, ms: timesOf(outcome.ms) }])),
    unfetched,
  };
}

test("records, grounds, rules and outcomes are counted; an origin may be counted in parts", () => {
  const whole = new Collector();
  whole.takeDecided(...decidedOf("https://one.example", "/a", "/a/b", "/c", `/${long}`), true);
  whole.takeDecided(...decidedOf("https://two.example", "/a"), true);
  for (const [fetched, code, ms] of [
    [true, "ok", 3],
    [true, "ok", 5],
    [false, "http-404", undefined],
    [true, "timeout", undefined],
  ] as const) {
    whole.takeOrigin(answered(fetched, code, ms));
  }
  const grounds = new Map([
    ["rule", 4],
    ["no-rule", 1],
  ]);
  expect(shown(whole)).toEqual({
    because: [grounds, grounds],
    origins: [
      { key: "https://one.example", count: 4, atMost: 4 },
      { key: "https://two.example", count: 1, atMost: 1 },
    ],
    rules: [
      { key: "https://one.example 2 disallow: /a", count: 4, atMost: 4 },
      { key: `https://one.example 3 allow: /${"x".repeat(199)}…`, count: 2, atMost: 2 },
      { key: "https://two.example 2 disallow: /a", count: 2, atMost: 2 },
    ],
    fetched: new Map([
      ["ok", { count: 2, bytes: 20, ms: { min: 3, median: 3, p95: 5, max: 5 } }],
      ["timeout", { count: 1, bytes: 10, ms: null }],
    ]),
    unfetched: new Map([["http-404", 1]]),
  });
  expect(ruleOfKey("https://one.example 2 disallow: /a b")).toEqual({
    origin: "https://one.example",
    line: 2,
    rule: "disallow: /a b",
  });

  // An origin is counted in two parts, as after an eviction.
  const parts = new Collector();
  parts.takeDecided(...decidedOf("https://one.example", "/a", "/c"), false);
  parts.takeDecided(...decidedOf("https://two.example", "/a"), true);
  parts.takeDecided(...decidedOf("https://one.example", "/a/b", `/${long}`), false);
  const { because, origins, rules, formatsInstead } = whole;
  const none = new Map<string, never>();
  expect(shown(parts)).toEqual(shown({ because, origins, rules, formatsInstead, fetched: none, unfetched: none }));
});

test("when every key comes once, the largest counts among 10,000 keys are exact", () => {
  const hitters = new HeavyHitters(10);
  let made = 0;
  for (let index = 0; index < 10_000; index++) {
    const count = (index * 7_919) % 10_007;
    hitters.add(() => (made++, `key ${count}`), count, true);
  }
  const counts = Array.from({ length: 10_000 }, (_, index) => (index * 7_919) % 10_007);
  const largest = counts.toSorted((a, b) => b - a).slice(0, 10);
  expect(hitters.top(10)).toEqual(largest.map((count) => ({ key: `key ${count}`, count, atMost: count })));
  // For most keys, `keyOf` was not even called.
  expect(made).toBeLessThan(1_000);
});

test("when keys repeat, counts are given as bounds, and no frequent key is missing", () => {
  const adds = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 50 })), { maxLength: 400 });
  fc.assert(
    fc.property(adds, (list) => {
      const capacity = 8;
      const hitters = new HeavyHitters(capacity);
      const real = new Map<string, number>();
      for (const [key, count] of list) {
        hitters.add(() => String(key), count, false);
        real.set(String(key), (real.get(String(key)) ?? 0) + count);
      }
      const top = hitters.top(Infinity);
      expect(top.length).toBeLessThan(capacity * 2);
      for (const { key, count, atMost } of top) {
        expect(count).toBeLessThanOrEqual(real.get(key)!);
        expect(atMost).toBeGreaterThanOrEqual(real.get(key)!);
      }
      const known = new Set(top.map(({ key }) => key));
      const least = Math.min(...top.map(({ atMost }) => atMost));
      for (const [key, count] of real) if (!known.has(key)) expect(count).toBeLessThanOrEqual(least);
    }),
  );
});

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
