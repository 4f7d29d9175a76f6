// Tests that tables which share memory do not change one another, while they grow, are cleared, and grow again.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Blocks, mostBlockWords, startOf } from "./blocks.ts";
import { CellTable } from "./cell-table.ts";

test("blocks do not overlap, and a block that was given back has zeros when it is taken again", () => {
  const sizes = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: mostBlockWords }));
  fc.assert(
    fc.property(fc.array(fc.tuple(sizes, fc.boolean()), { maxLength: 60 }), (steps) => {
      const blocks = new Blocks();
      const taken: { readonly address: number; readonly words: number; readonly mark: number }[] = [];
      const of = (address: number, words: number): Uint32Array =>
        blocks.wordsAt(address).subarray(startOf(address), startOf(address) + words);
      for (const [mark, [words, givesBack]] of steps.entries()) {
        const address = blocks.take(words);
        expect(of(address, words).length).toBe(words);
        expect(of(address, words).every((word) => word === 0)).toBe(true);
        of(address, words).fill(mark + 1);
        taken.push({ address, words, mark });
        const first = givesBack ? taken.shift() : undefined;
        if (first !== undefined) blocks.giveBack(first.address, first.words);
        for (const each of taken) {
          expect(of(each.address, each.words).every((word) => word === each.mark + 1)).toBe(true);
        }
      }
    }),
  );
});

test("tables that share memory behave like maps", () => {
  const steps = fc.array(
    fc.record({
      table: fc.nat({ max: 4 }),
      first: fc.oneof(fc.nat({ max: 2_000 }), fc.maxSafeNat()),
      count: fc.integer({ min: 1, max: 600 }),
      value: fc.constantFrom(1, 7, 2 ** 31, 2 ** 33),
      clears: fc.nat({ max: 5 }).map((number) => number === 0),
    }),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const memory = new Blocks();
      const tables = Array.from({ length: 5 }, () => new CellTable(["sum", "min", "max"], memory));
      const expected = tables.map(() => new Map<number, number[]>());
      for (const { table: at, first, count, value, clears } of all) {
        const [table, map] = [tables[at]!, expected[at]!];
        if (clears) {
          table.clear();
          map.clear();
        }
        for (let key = first; key < first + count && key <= Number.MAX_SAFE_INTEGER; key++) {
          const cell = table.cellOf(key);
          table.add(cell, 0, value);
          table.lower(cell, 1, value + count);
          table.raise(cell, 2, value - count);
          const [sum = 0, least = Infinity, most = -Infinity] = map.get(key) ?? [];
          map.set(key, [sum + value, Math.min(least, value + count), Math.max(most, value - count)]);
        }
      }
      for (const [at, table] of tables.entries()) {
        const found = Array.from({ length: table.count }, (_, cell) => [
          table.keyOf(cell),
          [table.valueOf(cell, 0), table.valueOf(cell, 1), table.valueOf(cell, 2)],
        ]);
        expect(found).toEqual([...expected[at]!]);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);
