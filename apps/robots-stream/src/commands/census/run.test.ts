// Tests the progress line and the counts of a census.
import type { CensusDocument } from "@robots-stream/census";
import { expect, test } from "vitest";
import { censusLineOf, countsOf } from "./run.ts";

test("the line shows that sources are read, and then as many parts about the origins as fit the width", () => {
  const view = { records: 250_000, recordsPerSecond: 4_321, elapsedMs: 65_000, all: undefined };
  expect(censusLineOf(view, 80)).toBe("reading for 1 min 05 s");
  const counting = { ...view, all: { origins: 1_000_000, afterMs: 5_000 } };
  expect(censusLineOf(counting, 80)).toBe("250,000 of 1,000,000 origins, 4,321/s, 25 %, 3 min 00 s left");
  expect(censusLineOf(counting, 54)).toBe("250,000 of 1,000,000 origins, 25 %, 3 min 00 s left");
  expect(censusLineOf(counting, 30)).toBe("250,000 of 1,000,000 origins");
});

test("the counts at the end", () => {
  const totals = { "robots-txt": 3, "no-robots-txt": 1, "not-found": 1, unreachable: 2, unread: 0 };
  const parts = [
    { source: "1", names: ["a"], rejects: 1 },
    { source: "2", names: ["b", "c"], rejects: 0 },
  ];
  const document = { slices: [{ group: null, totals }], parts };
  expect(countsOf(document as unknown as CensusDocument)).toEqual(["7 origins", "1 reject", "3 sources"]);
  expect(countsOf({ slices: [], parts: [] } as unknown as CensusDocument)).toEqual(["0 origins", "0 sources"]);
});
