// Tests that each origin has one number in all its spellings, however long they are.
import { expect, test } from "vitest";
import { OriginNames } from "./origin-names.ts";

test("origins of all lengths that a URL can have", () => {
  const names = new OriginNames();
  for (let length = 1; length < 1_100; length++) {
    const origin = `https://${"x".repeat(length)}`;
    expect(names.numberOf(origin)).toBe(-1);
    const number = names.add(origin);
    const other = Buffer.from(origin.toUpperCase());
    names.addOther(other, 0, other.length, number);
    expect([names.numberOf(origin), names.find(other, 0, other.length)]).toEqual([number, number]);
    expect(names.originOf(number)).toBe(origin);
  }
});

test("a long origin is not found in an empty table", () => {
  const names = new OriginNames();
  expect(names.numberOf(`https://${"a.".repeat(400)}example`)).toBe(-1);
});

test("a decoded name stays right when other names take its place among the recent ones", () => {
  const names = new OriginNames();
  const origins = Array.from({ length: 3_000 }, (_, at) => `https://${at}.example`);
  for (const origin of origins) names.add(origin);
  for (let round = 0; round < 2; round++) {
    for (const [number, origin] of origins.entries()) {
      expect([names.originOf(number), names.originOf(number % 1_024)]).toEqual([origin, origins[number % 1_024]]);
    }
  }
});
