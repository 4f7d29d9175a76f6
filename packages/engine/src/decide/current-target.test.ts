// Tests that each block decides a record only once, whatever the order of the crawlers.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { expect, test, vi } from "vitest";
import { Answers } from "../origins/answers.ts";
import { AskedPlaces } from "./current-target.ts";
import { OriginState } from "../origins/origin-state.ts";
import { Turn } from "../records/rows.ts";

test("crawlers of two groups alternate: two decisions per record, and two more after the blocks changed", () => {
  const answers = new Answers();
  const { table } = answers;
  const robots = parseRobotsTxt("User-agent: a\nDisallow: /*x\n\nUser-agent: b\nAllow: /*y\n");
  const matchers = ["a", "b", "a", "b", "a", "b"].map((name) => createMatcher(robots, name));
  const pairs = matchers.map((_, index) => matchers[index % 2]!);
  const state = new OriginState({ originOf: () => "https://a.example" }, 1);
  answers.settle(state, pairs);
  const target = Buffer.from(`/${"x".repeat(5_000)}`);
  const found = vi.spyOn(table, "find");
  const places = new AskedPlaces(table);
  const allowed = (): boolean[] =>
    pairs.map((_, index) =>
      table.isAllowed(places.find(state, state.runs.blocks[state.runAt(index)]!, target, 0, target.length, new Turn())),
    );
  const expected = [false, true, false, true, false, true];
  expect([allowed(), found.mock.calls.length]).toEqual([expected, 2]);
  places.clear();
  expect([allowed(), found.mock.calls.length]).toEqual([expected, 4]);
  answers.settle(state, pairs.toReversed());
  expect([allowed(), found.mock.calls.length]).toEqual([expected.toReversed(), 6]);
});
