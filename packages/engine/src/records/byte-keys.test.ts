// Keys of all lengths: each has its own number, and its bytes come back.
import { expect, test } from "vitest";
import { ByteKeys } from "./byte-keys.ts";

test("guesses are the callers' numbers of keys, and find works as before", () => {
  const keys = new ByteKeys();
  const texts = Array.from({ length: 3_000 }, (_, number) => Buffer.from(`https://${number}.example`));
  const hashes = Int32Array.from(texts, (bytes) => keys.hashOf(bytes, 0, bytes.length));
  const guesses = new Int32Array(texts.length);
  keys.guess(hashes, texts.length, guesses);
  expect(guesses.every((guess) => guess === -1)).toBe(true);
  for (const [number, bytes] of texts.entries()) keys.add(bytes, 0, bytes.length, number * 3);
  keys.guess(hashes, texts.length, guesses);
  // When two keys have the same preferred slot, the guess for one of them is wrong.
  expect(guesses.filter((guess, number) => guess === number * 3).length).toBeGreaterThan(1_500);
  for (const [number, bytes] of texts.entries()) {
    expect(keys.find(bytes, 0, bytes.length, hashes[number])).toBe(number);
    expect(keys.valueOf(number)).toBe(number * 3);
  }
});

test("100,000 keys", () => {
  const keys = new ByteKeys();
  const textOf = (number: number): string => `https://${"x".repeat(number % 300)}${number}.example`;
  // Collected, as an assertion for each key would take longer than the keys.
  const wrong: number[] = [];
  for (let number = 0; number < 100_000; number++) {
    const bytes = Buffer.from(` ${textOf(number)} `);
    if (keys.find(bytes, 1, bytes.length - 1) !== -1) wrong.push(number);
    if (keys.add(bytes, 1, bytes.length - 1) !== number) wrong.push(number);
  }
  for (let number = 0; number < 100_000; number += 7) {
    const bytes = Buffer.from(textOf(number));
    const found = [keys.find(bytes, 0, bytes.length), keys.find(bytes, 0, bytes.length - 1), keys.textOf(number)];
    if (found[0] !== number || found[1] !== -1 || found[2] !== textOf(number)) wrong.push(number);
    // The second time it is found by some of its bytes.
    const frequent = [1, 2].map(() => keys.findFrequent(bytes, 0, bytes.length));
    if (frequent.some((key) => key !== number)) wrong.push(number);
  }
  expect(wrong).toEqual([]);
});

test("keys that differ in one byte are different keys", () => {
  for (let length = 1; length <= 40; length++) {
    const keys = new ByteKeys();
    const bytes = Buffer.from(`<${"k".repeat(length)}>`);
    keys.add(bytes, 1, 1 + length);
    for (let at = 1; at <= length; at++) {
      const other = Buffer.from(bytes);
      other[at] = 0x6a;
      // With the hash of the key itself, the bytes alone tell them apart.
      expect(keys.find(other, 1, 1 + length, keys.hashOf(bytes, 1, 1 + length))).toBe(-1);
      expect(keys.find(other, 1, 1 + length)).toBe(-1);
      expect(keys.findFrequent(bytes, 1, 1 + length)).toBe(0);
      expect(keys.findFrequent(other, 1, 1 + length)).toBe(-1);
    }
    expect(keys.find(Buffer.concat([Buffer.from("??"), bytes]), 3, 3 + length)).toBe(0);
  }
});
