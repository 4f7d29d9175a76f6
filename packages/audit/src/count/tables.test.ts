// Tests that tables behave like maps, that they fold to the same cells in every order of keys, and that samples keep the smallest hashes.
import fc from "fast-check";
import { hashTextOf } from "../hash.ts";
import { CellTable, FoldingTable } from "./cell-table.ts";
import { PaceMinutes, SmallestKeys } from "./smallest.ts";
import { describe, expect, test } from "vitest";

const keys = fc.oneof(
  fc.nat({ max: 50 }),
  fc.maxSafeNat(),
  fc.nat({ max: 2 ** 20 }).map((key) => key * 2 ** 32),
);

/** Any 32-bit integers, small counts, and numbers near and above the largest 32-bit number. */
const values = fc.oneof(
  fc.integer(),
  fc.nat({ max: 10 }),
  fc.constantFrom(2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 34 - 1),
);

test("a cell table behaves like a map of sums, minima and maxima", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, values), { maxLength: 300 }), (adds) => {
      const table = new CellTable(["sum", "min", "max"]);
      const expected = new Map<number, number[]>();
      for (const [key, value] of adds) {
        const cell = table.cellOf(key);
        table.add(cell, 0, value);
        table.lower(cell, 1, value);
        table.raise(cell, 2, value);
        const [sum, least, most] = expected.get(key) ?? [0, Infinity, -Infinity];
        expected.set(key, [sum! + value, Math.min(least!, value), Math.max(most!, value)]);
      }
      const found = Array.from({ length: table.count }, (_, cell) => [
        table.keyOf(cell),
        table.kinds.map((_kind, column) => table.valueOf(cell, column)),
      ]);
      expect(found).toEqual([...expected]);
    }),
  );
});

/** A table whose keys lose their last digit at level 1, and all digits at level 2. */
const foldingTable = (): FoldingTable =>
  new FoldingTable(["sum"], 6, 2, (key, level) => (level === 2 ? 0 : Math.floor(key / 10) * 10));

const shownTable = ({ level, cells }: FoldingTable): unknown => ({
  level,
  cells: Array.from({ length: cells.count }, (_, cell) => [cells.keyOf(cell), cells.valueOf(cell, 0)]).toSorted(
    ([one], [other]) => one! - other!,
  ),
});

test("a folding table ends with the same cells in every order and split", () => {
  const lists = fc.array(fc.nat({ max: 99 }), { maxLength: 40 });
  fc.assert(
    fc.property(lists, lists, lists, (...parts) => {
      const tables = [parts.flat(), parts.flat().toReversed()].map((list) => {
        const table = foldingTable();
        for (const key of list) {
          const cell = table.cellOf(key);
          table.cells.add(cell, 0, 1);
        }
        return table;
      });
      const merged = foldingTable();
      for (const part of parts.toReversed()) {
        const own = foldingTable();
        for (const key of part) {
          const cell = own.cellOf(key);
          own.cells.add(cell, 0, 1);
        }
        merged.addAll(own);
      }
      const [first, ...others] = [...tables, merged].map(shownTable);
      for (const other of others) expect(other).toEqual(first);
    }),
  );
});

describe("samples", () => {
  const texts = fc.array(fc.string({ maxLength: 3 }), { maxLength: 60 });

  test("the keys with the smallest hashes have complete counts in any order", () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const collect = (lists: readonly (readonly string[])[]): unknown => {
          const smallest = new SmallestKeys<number>(
            4,
            (key) => hashTextOf(key),
            () => {},
          );
          for (const key of lists.flat()) {
            const known = smallest.get(key, () => 0);
            if (known !== undefined) smallest.set(key, known + 1);
          }
          return smallest.entries();
        };
        const counts = new Map<string, number>();
        for (const key of [...one, ...other]) counts.set(key, (counts.get(key) ?? 0) + 1);
        const expected = [...counts]
          .toSorted(([a], [b]) => (hashTextOf(a) < hashTextOf(b) ? -1 : 1))
          .slice(0, 4)
          .toSorted(([a], [b]) => (a < b ? -1 : 1));
        expect(collect([one, other])).toEqual(expected);
        expect(collect([other.toReversed(), one])).toEqual(expected);
      }),
    );
  });

  test("`drop` is called once for each dropped value", () => {
    const dropped: string[] = [];
    const smallest = new SmallestKeys<number>(
      2,
      (key) => key,
      (key) => dropped.push(key),
    );
    for (const key of ["e", "d", "c", "b", "a"]) smallest.get(key, () => 1);
    expect(smallest.entries().map(([key]) => key)).toEqual(["a", "b"]);
    expect(dropped.toSorted()).toEqual(["c", "d", "e"]);
    expect(smallest.get("z", () => 1)).toBeUndefined();
  });

  test("kept minutes have all their requests in any order of adding", () => {
    const minutes = fc.array(fc.nat({ max: 40 }), { maxLength: 200 });
    fc.assert(
      fc.property(minutes, (list) => {
        const collect = (order: readonly number[]): unknown => {
          const pace = new PaceMinutes(5);
          for (const minute of order) pace.add(minute, 1);
          return pace.entries();
        };
        const found = collect(list) as readonly (readonly [number, number])[];
        expect(found).toHaveLength(Math.min(5, new Set(list).size));
        for (const [minute, requests] of found) expect(requests).toBe(list.filter((each) => each === minute).length);
        expect(collect(list.toReversed())).toEqual(found);
      }),
    );
  });
});
