// Tests that touching runs of any size changes nothing, wherever the runs are in a page, and that memory is freed.
import { expect, test } from "vitest";
import { Arena, pageShift, placeMask } from "./arena.ts";

test("touching runs changes no word, even in the last run of a page and in a run with its own page", () => {
  const arena = new Arena();
  const sizes = [1, 7, placeMask - 20, 13, 200_000, 3];
  const addresses = Int32Array.from([0, ...sizes.map((size) => arena.allocate(size))]);
  for (const address of addresses.subarray(1)) arena.words[address >>> pageShift]![address & placeMask] = address;
  const before = arena.words.map((words) => words.slice());
  arena.touch(addresses, addresses.length);
  expect(arena.words).toEqual(before);
  for (const address of addresses.subarray(1)) {
    expect(arena.words[address >>> pageShift]![address & placeMask]).toBe(address);
  }
});

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
