// Decisions are computed once for each target of some rules, and any number of targets and rules is answered.
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

test("more targets and more rules than are remembered are decided, too", () => {
  const known = new KnownDecisions<number>();
  const rules = Array.from({ length: 100 }, () => ({}));
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 25_000; number++) {
      const bytes = Buffer.from(String(number));
      expect(known.of(rules[number % 100]!, bytes, 0, bytes.length, () => number)).toBe(number);
    }
  }
});
