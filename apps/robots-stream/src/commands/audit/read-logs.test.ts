// Tests the progress line and the counts of an audit.
import type { AuditDocument } from "@robots-stream/audit";
import { expect, test } from "vitest";
import { auditLineOf, countsOf } from "./read-logs.ts";

const view = {
  records: 1_234_567,
  recordsPerSecond: 812_345,
  readBytes: 430_000_000,
  totalBytes: 1_000_000_000,
  file: 12,
  files: 365,
  elapsedMs: 9_050,
};

test("the line shows as many parts as fit the width", () => {
  const all = "1,234,567 lines, 812,345/s, file 12 of 365, 410 MiB of 954 MiB, 43 %, 12.0 s left";
  expect(auditLineOf(view, 100)).toBe(all);
  expect(auditLineOf(view, 80)).toBe("1,234,567 lines, 812,345/s, file 12 of 365, 43 %, 12.0 s left");
  expect(auditLineOf(view, 50)).toBe("1,234,567 lines, 812,345/s, 43 %, 12.0 s left");
  expect(auditLineOf({ ...view, files: 1, totalBytes: undefined }, 100)).toBe("1,234,567 lines, 812,345/s, 410 MiB");
  for (let columns = 1; columns < 100; columns++) {
    expect(auditLineOf(view, columns).length).toBeLessThanOrEqual(Math.max(1, columns - 1));
  }
});

test("the counts at the end", () => {
  const input = { lines: 206, rejects: { "not-http": 1, "invalid-url": 2 }, outside: 7 };
  const document = {
    inputs: [input, { ...input, outside: 0, rejects: {} }],
    totals: { requests: 300, notACrawler: 124 },
    crawlers: [{}, {}],
  } as unknown as AuditDocument;
  expect(countsOf(document)).toEqual([
    "412 lines, 176 requests by 2 crawlers",
    "3 rejects",
    "7 lines outside the time",
    "2 files",
  ]);
});
