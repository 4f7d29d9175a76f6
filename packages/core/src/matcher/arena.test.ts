// Tests that the memory of freed runs is freed.
import { expect, test } from "vitest";
import { Arena, pageShift, placeMask } from "./arena.ts";

test("memory of empty pages is freed, except for a few, and allocated again when needed", () => {
  const arena = new Arena();
  const size = (placeMask + 1) / 2;
  const withMemory = (): number => arena.words.filter(({ length }) => length > 0).length;
  const runs = Array.from({ length: 60 }, () => arena.allocate(size));
  expect(withMemory()).toBe(30);
  for (const run of runs) arena.free(run, size);
  expect(withMemory()).toBe(9);
  const again = Array.from({ length: 60 }, () => arena.allocate(size));
  expect(new Set(again).size).toBe(60);
  expect([withMemory(), arena.words.length]).toEqual([30, 31]);
  for (const run of again) {
    arena.words[run >>> pageShift]!.fill(run, run & placeMask, (run & placeMask) + size);
  }
  expect(again.every((run) => arena.words[run >>> pageShift]![(run & placeMask) + size - 1] === (run | 0))).toBe(true);
});
