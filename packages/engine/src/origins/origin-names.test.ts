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

test("the first origin is a long one", () => {
  const names = new OriginNames();
  expect(names.numberOf(`https://${"a.".repeat(400)}example`)).toBe(-1);
});
