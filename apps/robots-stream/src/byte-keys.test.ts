// Keys of all lengths: each has its own number, and its bytes come back.
import { expect, test } from "vitest";
import { ByteKeys } from "./byte-keys.ts";

test("each key keeps its owner's number", () => {
  const keys = new ByteKeys();
  const texts = Array.from({ length: 3_000 }, (_, number) => Buffer.from(`https://${number}.example`));
  for (const [number, bytes] of texts.entries()) keys.add(bytes, 0, bytes.length, number * 3);
  for (const [number, bytes] of texts.entries()) {
    expect(keys.find(bytes, 0, bytes.length)).toBe(number);
    expect(keys.valueOf(number)).toBe(number * 3);
  }
});

test("100,000 keys", () => {
  const keys = new ByteKeys();
  const textOf = (number: number): string => `https://${"x".repeat(number % 300)}${number}.example`;
  for (let number = 0; number < 100_000; number++) {
    const bytes = Buffer.from(` ${textOf(number)} `);
    expect(keys.find(bytes, 1, bytes.length - 1)).toBe(-1);
    expect(keys.add(bytes, 1, bytes.length - 1)).toBe(number);
  }
  for (let number = 0; number < 100_000; number += 7) {
    const bytes = Buffer.from(textOf(number));
    expect(keys.find(bytes, 0, bytes.length)).toBe(number);
    expect(keys.find(bytes, 0, bytes.length - 1)).toBe(-1);
    expect(keys.textOf(number)).toBe(textOf(number));
  }
});
