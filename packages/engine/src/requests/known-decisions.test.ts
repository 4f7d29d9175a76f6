// Tests that a decision is computed once for each pair of rules and target, and that any number of such pairs can be decided.
import { expect, test } from "vitest";
import { KnownDecisions } from "./known-decisions.ts";

test("a decision is computed once, and belongs to its rules and its target", () => {
  const known = new KnownDecisions<string>();
  const [one, other] = [{}, {}];
  let computed = 0;
  const of = (rules: object, name: string, target: string): string => {
    const bytes = Buffer.from(`x${target}x`);
    return known.of(rules, bytes, 1, bytes.length - 1, () => `${name} ${target} ${++computed}`);
  };
  expect([of(one, "one", "/a"), of(other, "other", "/a"), of(one, "one", "/a"), of(one, "one", "/ab")]).toEqual([
    "one /a 1",
    "other /a 2",
    "one /a 1",
    "one /ab 3",
  ]);
  const long = `/${"a".repeat(600)}`;
  expect([of(one, "one", long), of(one, "one", long)]).toEqual([`one ${long} 4`, `one ${long} 5`]);
});

test("decisions are correct even if there are more targets and rules than the cache holds", () => {
  const known = new KnownDecisions<number>();
  const rules = Array.from({ length: 100 }, () => ({}));
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 25_000; number++) {
      const bytes = Buffer.from(String(number));
      expect(known.of(rules[number % 100]!, bytes, 0, bytes.length, () => number)).toBe(number);
    }
  }
});

test("the cache makes room for rules that come later", () => {
  const known = new KnownDecisions<number>();
  const target = Buffer.from("/a");
  const of = (rules: object, number: number): number => known.of(rules, target, 0, target.length, () => number);
  for (let number = 0; number < 100; number++) of({}, number);
  const later = {};
  // The cache has no room for the later rules at first.
  expect([of(later, 1), of(later, 2)]).toEqual([1, 2]);
  for (let number = 0; number < 20_000; number++) of(later, number);
  expect(of(later, -1)).toBe(of(later, -2));
});
