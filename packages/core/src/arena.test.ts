// Runs of all sizes: touching them changes nothing, wherever in a page they stand.
import { expect, test } from "vitest";
import { Arena, pageShift, placeMask } from "./arena.ts";

test("touching runs, the last one of a page and one of a page of its own among them", () => {
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
