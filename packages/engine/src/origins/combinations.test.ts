// Tests that combinations of decisions are found by their offsets, counted, moved and freed with their origin, and limited in number.
import { Arena } from "@robots-stream/core/internal";
import { expect, test } from "vitest";
import { OriginState, oneRun } from "./origin-state.ts";
import { Combinations } from "./combinations.ts";

const most = 256;

/** An origin with this many blocks. Their addresses do not matter. */
function stateOf(blocks: number): OriginState {
  const state = new OriginState({ originOf: () => "https://a.example" }, 0);
  state.settle(
    Array.from({ length: blocks }, (_, number) => number + 1),
    oneRun(blocks),
  );
  return state;
}

test("an entry is found by its offsets", () => {
  const combinations = new Combinations(new Arena());
  const state = stateOf(3);
  expect(combinations.find(state, Int32Array.of(1, 2, 3), 3)).toBe(0);
  expect(combinations.add(state, Int32Array.of(1, 2, 3), 3)).toBeGreaterThan(0);
  combinations.add(state, Int32Array.of(1, 2, 4), 3);
  const entry = combinations.find(state, Int32Array.of(1, 2, 3), 3);
  expect(entry).not.toBe(0);
  expect(combinations.find(state, Int32Array.of(1, 2, 4), 3)).not.toBe(entry);
  expect(combinations.find(state, Int32Array.of(2, 1, 3), 3)).toBe(0);
  expect([0, 1, 2].map((number) => combinations.offsetIn(entry, number))).toEqual([1, 2, 3]);
  expect(combinations.entriesOf(state)).toHaveLength(2);
});

test("records are counted by entry, and each count is taken only once", () => {
  const combinations = new Combinations(new Arena());
  const state = stateOf(2);
  combinations.add(state, Int32Array.of(5, 6), 2);
  const [entry] = combinations.entriesOf(state);
  for (let record = 0; record < 3; record++) combinations.count(entry!);
  expect([combinations.takeHits(entry!), combinations.takeHits(entry!)]).toEqual([3, 0]);
});

test("a moved table has the same entries, counts and tails", () => {
  const combinations = new Combinations(new Arena());
  const state = stateOf(2);
  const all = Array.from({ length: 100 }, (_, at) => Int32Array.of(at, at * 7));
  for (const [at, offsets] of all.entries()) {
    combinations.add(state, offsets, 2);
    const entry = combinations.find(state, offsets, 2);
    combinations.setTails(entry, at + 1);
    for (let record = 0; record <= at; record++) combinations.count(entry);
  }
  const before = state.combinations;
  combinations.move(state, (tails) => tails + 1_000);
  expect(state.combinations).not.toBe(before);
  expect(combinations.entriesOf(state)).toHaveLength(all.length);
  for (const [at, offsets] of all.entries()) {
    const entry = combinations.find(state, offsets, 2);
    expect([combinations.tailsOf(entry), combinations.takeHits(entry)]).toEqual([at + 1_001, at + 1]);
  }
});

test("when a table is freed, all its words are freed and it has no entries", () => {
  const freed: number[] = [];
  const arena = new (class extends Arena {
    override allocate(count: number): number {
      freed.push(count);
      return super.allocate(count);
    }
    override free(address: number, count: number): void {
      freed.push(-count);
      super.free(address, count);
    }
  })();
  const combinations = new Combinations(arena);
  const state = stateOf(2);
  for (let at = 0; at < 10; at++) combinations.add(state, Int32Array.of(at, 1), 2);
  combinations.setTails(combinations.entriesOf(state)[0]!, 7);
  const tails: number[] = [];
  combinations.move(state, (each) => each);
  combinations.free(state, (each) => tails.push(each));
  expect(tails).toEqual([7]);
  expect(freed.reduce((sum, count) => sum + count, 0)).toBe(0);
  expect([state.combinations, combinations.entriesOf(state).length]).toEqual([0, 0]);
  expect(combinations.find(state, Int32Array.of(1, 1), 2)).toBe(0);
});

test("an origin has a limited number of entries", () => {
  const combinations = new Combinations(new Arena());
  const state = stateOf(2);
  const added = Array.from({ length: most + 10 }, (_, at) => combinations.add(state, Int32Array.of(at, 0), 2));
  expect(added.filter((bytes) => bytes > 0)).toHaveLength(most);
  expect(combinations.entriesOf(state)).toHaveLength(most);
  expect(combinations.find(state, Int32Array.of(most, 0), 2)).toBe(0);
});
