// Runs every row of the lab: the client's outcome of each case must be the expected one.
import { describe, expect, test } from "vitest";
import { rows } from "./rows.ts";
import { runCase } from "./run.ts";

describe.concurrent("rows", { timeout: 240_000 }, () => {
  for (const { id, title, cases, missing } of rows) {
    const reason = missing?.();
    test.skipIf(reason !== undefined)(`${id}: ${title}${reason === undefined ? "" : ` (${reason})`}`, async () => {
      const reports = await Promise.all(
        cases.map(async (each) => (await runCase(each)).problems.map((problem) => `${each.what}: ${problem}`)),
      );
      expect(reports.flat()).toEqual([]);
    });
  }
});
