// Tests the prefix table against a slow linear search.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Prefix, PrefixTable } from "./prefix-table.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

const bitsOf = ({ family, words }: Pick<Prefix, "family" | "words">): string =>
  (family === 4 ? words.slice(3) : words).map((word) => word.toString(2).padStart(32, "0")).join("");

/** The index of the longest prefix that contains an address; of equal prefixes, the first. */
function slowly(prefixes: readonly Prefix[], address: Pick<Prefix, "family" | "words">): number {
  let best = -1;
  for (const [index, prefix] of prefixes.entries()) {
    if (prefix.family !== address.family) continue;
    if (bitsOf(prefix).slice(0, prefix.length) !== bitsOf(address).slice(0, prefix.length)) continue;
    if (best < 0 || prefix.length > prefixes[best]!.length) best = index;
  }
  return best;
}

/** Words that are often equal, so that prefixes overlap. */
const word = fc.oneof(
  fc.constantFrom(0, 1, 0xffffffff, 0x80000000, 0x42f94000, 0x42f94020, 0x20014860),
  fc.nat(0xffffffff),
);
const address = fc.oneof(
  word.map((four): Pick<Prefix, "family" | "words"> => ({ family: 4, words: [0, 0, 0, four] })),
  fc.tuple(word, word, word, word).map((words): Pick<Prefix, "family" | "words"> => ({ family: 6, words })),
);
/** Addresses whose first 48 bits are common, as in most lists. */
const near = fc.tuple(fc.nat(0xffff), word, word).map(([two, three, four]): Pick<Prefix, "family" | "words"> => ({
  family: 6,
  words: [0x20014860, 0x48010000 + two, three, four],
}));
const prefix = fc
  .tuple(address, fc.nat(128))
  .map(([given, length]): Prefix => ({ ...given, length: given.family === 4 ? length % 33 : length }));

/** The words with one bit changed. */
function flipped(family: 4 | 6, words: Prefix["words"], bit: number): Prefix["words"] {
  const at = family === 4 ? 3 : bit >>> 5;
  return words.with(at, (words[at]! ^ (1 << (31 - (bit & 31)))) >>> 0) as unknown as Prefix["words"];
}

test("property: the most specific prefix wins, as in the slow search", () => {
  fc.assert(
    fc.property(fc.array(prefix, { maxLength: 80 }), fc.array(address, { maxLength: 20 }), (prefixes, others) => {
      const table = new PrefixTable(prefixes);
      const ends = prefixes.flatMap(({ family, words }) => [
        { family, words },
        { family, words: words.with(3, (words[3] - 1) >>> 0) as unknown as Prefix["words"] },
        { family, words: words.with(3, (words[3] + 1) >>> 0) as unknown as Prefix["words"] },
      ]);
      for (const each of [...others, ...ends]) {
        const found = table.find(each.family, each.words);
        expect(found).toBe(slowly(prefixes, each));
      }
    }),
    { numRuns: isThorough ? 5_000 : 150 },
  );
});

test("property: the same for nested prefixes around one address", () => {
  const lengths = fc.uniqueArray(fc.nat(128), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(address, lengths, fc.nat(3), ({ family, words }, given, spread) => {
      const bits = family === 4 ? 32 : 128;
      const others = given.map((bit) => flipped(family, words, bit % bits));
      const prefixes = others.map((each, at): Prefix => ({
        family,
        words: each,
        length: Math.min(bits, (given[at]! % bits) + spread),
      }));
      const table = new PrefixTable(prefixes);
      const asked = [{ family, words }, ...others.map((each) => ({ family, words: each }))];
      expect(asked.map((each) => table.find(family, each.words))).toEqual(asked.map((each) => slowly(prefixes, each)));
    }),
    { numRuns: isThorough ? 2_000 : 100 },
  );
});

test("property: the same for prefixes of one network", () => {
  const prefixes = fc.array(
    fc.tuple(near, fc.integer({ min: 49, max: 128 })).map(([given, length]): Prefix => ({ ...given, length })),
    { minLength: 30, maxLength: 120 },
  );
  fc.assert(
    fc.property(prefixes, fc.array(fc.oneof(near, address), { maxLength: 20 }), (given, others) => {
      const table = new PrefixTable(given);
      const asked = [...others, ...given].filter(({ family }) => family === 6);
      const found = asked.map(({ words }) => table.find(6, words));
      expect(found).toEqual(asked.map((each) => slowly(given, each)));
    }),
    { numRuns: isThorough ? 400 : 40 },
  );
});

test("an empty table has no prefix", () => {
  const table = new PrefixTable([]);
  expect(table.find(4, [0, 0, 0, 0xffffffff])).toBe(-1);
  expect(table.find(6, [0, 0, 0, 0])).toBe(-1);
});
