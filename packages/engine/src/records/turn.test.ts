// Checks when the time of a turn of the event loop is used up.
import { expect, test } from "vitest";
import { Turn } from "./turn.ts";

test.each([
  ["slow decisions: the clock is read after each", true, 10, 5],
  ["one decision that takes the whole time", true, 1_000, 1],
  ["quick decisions: the clock is read after some of them", false, 10, 5 * 64],
])("%s", (_what, isSlow, lookMs, expected) => {
  let now = 0;
  const turn = new Turn(() => now);
  for (let round = 0; round < 3; round++) {
    turn.begin();
    let decisions = 0;
    while (!turn.isOver) {
      now += isSlow ? lookMs : lookMs / 64;
      turn.count(isSlow);
      decisions++;
    }
    expect(decisions).toBe(expected);
  }
});
