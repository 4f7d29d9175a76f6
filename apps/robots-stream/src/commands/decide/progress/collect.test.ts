// Tests that counts of decisions are the same when collected at once and in parts.
import { type Decision, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { expect, test } from "vitest";
import type { SourcedRobots } from "@robots-stream/engine/internal";
import { type Collected, Collector, type DecidedByParts, ruleOfKey } from "./collect.ts";

import { timesOf } from "./times.ts";

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
  expect(shown(whole.collected)).toEqual({
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
  expect(shown(parts.collected)).toEqual(shown({ ...whole.collected, fetched: new Map(), unfetched: new Map() }));
});
