// Tests that each origin has one number in all its spellings, however long they are; that a set of names finds each added name and no other
// one, and forgets the earlier names beyond its limit.
import { expect, test } from "vitest";
import { OriginNames, CountedOrigins } from "./origin-names.ts";

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

const nameOf = (number: number): string => `https://host-${number}.example`;

test("finds every added name and no other one", () => {
  const counted = new CountedOrigins();
  const count = 200_000;
  for (let number = 0; number < count; number += 2) {
    counted.add(nameOf(number));
    counted.add(nameOf(number));
  }
  let wrong = 0;
  for (let number = 0; number < count; number++) if (counted.has(nameOf(number)) !== (number % 2 === 0)) wrong++;
  expect(wrong).toBe(0);
});

test("beyond its limit it forgets the earlier names", () => {
  const counted = new CountedOrigins(100);
  for (let number = 0; number < 150; number++) counted.add(nameOf(number));
  expect([counted.has(nameOf(99)), counted.has(nameOf(100)), counted.has(nameOf(149))]).toEqual([false, true, true]);
});
