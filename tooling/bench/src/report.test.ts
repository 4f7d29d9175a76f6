// Tests the verdicts of rows with a bound.
import { expect, test } from "vitest";
import { verdictAtLeast, verdictAtMost } from "./report.ts";

test.each([
  [1.59, 1.6, "ok", "BELOW"],
  [1.6, 1.6, "ok", "ok"],
  [1.61, 1.6, "ABOVE", "ok"],
  [1.61, null, "", ""],
])("%d with the bound %d", (value, wanted, atMost, atLeast) => {
  expect([verdictAtMost(value, wanted), verdictAtLeast(value, wanted)]).toEqual([atMost, atLeast]);
});
