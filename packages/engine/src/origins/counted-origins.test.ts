// Adds names to a set: each added name is found again, and no other name is. Beyond the limit, the set forgets the earlier names.
import { expect, test } from "vitest";
import { CountedOrigins } from "./counted-origins.ts";

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
