// Tests that a key of any length has a number of its own, and that the table returns its bytes.
import { expect, test } from "vitest";
import { ByteKeys, ByteMemo } from "./byte-keys.ts";
import { PackedRecords } from "./packed.ts";

/** The range of each text in the concatenation of all texts. */
function rangesOf(texts: readonly string[]): { starts: Int32Array; ends: Int32Array } {
  const starts = new Int32Array(texts.length);
  const ends = new Int32Array(texts.length);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    starts[index] = end;
    ends[index] = end += text.length;
  }
  return { starts, ends };
}

test("all keys are found when more of them collide than slots are probed, before and after the table grows", () => {
  const keys = new ByteKeys();
  const texts: string[] = [];
  for (let number = 0; texts.length < 100; number++) {
    const bytes = Buffer.from(`key ${number}`);
    // The first slot is chosen by the low bits of the hash.
    if ((keys.hashOf(bytes, 0, bytes.length) & 0x3ff) === 7) texts.push(bytes.toString());
  }
  for (let number = 0; number < 2_000; number++) texts.push(`https://${number}.example`);
  const bytes = Buffer.from(texts.join(""));
  const { starts, ends } = rangesOf(texts);
  for (let count = 0; count <= texts.length; count++) {
    if (count % 300 === 0 || count === 99) {
      const expected = texts.map((_, index) => (index < count ? index : -1));
      expect(texts.map((_, index) => keys.find(bytes, starts[index]!, ends[index]!))).toEqual(expected);
    }
    if (count < texts.length) expect(keys.add(bytes, starts[count]!, ends[count]!)).toBe(count);
  }
  expect(texts.map((_, key) => keys.textOf(key))).toEqual(texts);
});

test("100,000 keys are found, with their numbers and their bytes", () => {
  const keys = new ByteKeys();
  const textOf = (number: number): string => `https://${"x".repeat(number % 300)}${number}.example`;
  // Results are collected, because one assertion per key would take longer than the look-ups.
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
      expect(keys.find(other, 1, 1 + length)).toBe(-1);
      expect(keys.find(bytes, 1, 1 + length)).toBe(0);
    }
    expect(keys.find(Buffer.concat([Buffer.from("??"), bytes]), 3, 3 + length)).toBe(0);
  }
});

test("a key that has the same first slot and differs only in the last byte is another key", () => {
  for (let length = 2; length <= 40; length++) {
    const key = Buffer.alloc(length, "k");
    const { keys, other } = tableWithCollision(key);
    keys.add(key, 0, length, 7);
    expect([keys.find(other, 0, length), keys.find(key, 0, length)]).toEqual([-1, 7]);
  }
});

/** An empty table, and a key that differs from `key` only in the last byte and has the same first slot in this table. */
function tableWithCollision(key: Buffer): { readonly keys: ByteKeys; readonly other: Buffer } {
  // The seed of the hash differs in each table; at least one table in ten has such a key.
  for (let tables = 0; tables < 1_000; tables++) {
    const keys = new ByteKeys();
    const other = Buffer.from(key);
    const hash = keys.hashOf(key, 0, key.length);
    for (let byte = 0; byte < 256; byte++) {
      other[key.length - 1] = byte;
      // The first slot is chosen by the low bits of the hash.
      const isSameSlot = ((keys.hashOf(other, 0, other.length) ^ hash) & 0x3ff) === 0;
      if (byte !== key.at(-1) && isSameSlot) return { keys, other };
    }
  }
  throw new Error("no key has the same first slot");
}

test("calls the function once for equal strings, in bytes or in a field", () => {
  const bytes = Buffer.from("onetwo");
  const packed = new PackedRecords(bytes, bytes, 1);
  packed.push(0, 0, 0, 0);
  packed.pushField("agent", 0, 3);
  const asked: string[] = [];
  const memo = new ByteMemo((text) => {
    asked.push(text);
    return `${text}!`;
  });
  for (let call = 0; call < 3; call++) {
    expect(memo.resultOfField(packed.fields.agent, bytes, 0)).toBe("one!");
    expect(memo.resultOf(bytes, 0, 3)).toBe("one!");
    expect(memo.resultOf(bytes, 3, 6)).toBe("two!");
  }
  expect(asked).toEqual(["one", "two"]);
  expect(memo.resultOfField(undefined, bytes, 0)).toBe("!");
});

test("keeps the results of at most 10,000 strings", () => {
  let calls = 0;
  const memo = new ByteMemo((text) => {
    calls++;
    return text;
  });
  const resultOf = (number: number): string => memo.resultOf(Buffer.from(`string ${number}`), 0, 12);
  for (let number = 10_000; number <= 20_000; number++) expect(resultOf(number)).toBe(`string ${number}`);
  expect([resultOf(20_000), calls]).toEqual(["string 20000", 10_001]);
  expect([resultOf(10_000), calls]).toEqual(["string 10000", 10_002]);
});
