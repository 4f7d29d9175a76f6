// Tests that combinations of decisions are found by their offsets, and limited in number.
import { expect, test } from "vitest";
import { Combinations } from "./combinations.ts";

const most = 256;

test("a combination is found by its offsets", () => {
  const combinations = new Combinations();
  const find = (...offsets: number[]) => combinations.find(Int32Array.from(offsets), 3);
  expect(find(1, 2, 3)).toBeUndefined();
  expect(combinations.add(Int32Array.of(1, 2, 3, 9), 3)).toBeGreaterThan(combinations.add(Int32Array.of(1, 2, 4), 3));
  expect(find(1, 2, 3)).toBe(combinations.all[0]);
  expect(find(1, 2, 4)).toBe(combinations.all[1]);
  expect(find(2, 1, 3)).toBeUndefined();
  expect(find(1, 2, 3)!.offsets).toEqual([1, 2, 3]);
});

test("an origin has a limited number of combinations", () => {
  const combinations = new Combinations();
  const offsets = Array.from({ length: most + 10 }, (_, at) => Int32Array.of(at, 0));
  expect(offsets.filter((each) => combinations.add(each, 2) > 0)).toHaveLength(most);
  expect(offsets.filter((each) => combinations.find(each, 2) !== undefined)).toHaveLength(most);
});
