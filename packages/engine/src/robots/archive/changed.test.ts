// An NDJSON export that changes while it is open: the results of its origins cannot be read, a warning says so, and the changed bytes
// decide nothing.
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSavedSource } from "../saved/open.ts";
import type { SourcedRobots } from "../types.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-changed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = (origin: string, code: string): string => {
  const entry = { origin, fetchedAt: 1, freshUntil: 2, access: "unavailable", code, status: 404, hops: [] };
  return `${JSON.stringify(entry)}\n`;
};
const text = line("https://a.example", "http-404") + line("https://b.example", "http-404");

test.each<readonly [what: string, change: (path: string) => void, code: string, told: number]>([
  ["not changed", () => undefined, "http-404", 0],
  ["replaced by another file", (path) => renameSync(writeOther(path), path), "http-404", 0],
  ["appended to", (path) => appendFileSync(path, "{}\n"), "not-readable", 1],
  ["cut", (path) => writeFileSync(path, text.slice(0, 20)), "not-readable", 1],
])("an open export that is %s", async (_what, change, code, told) => {
  const path = join(folder, "export.ndjson");
  writeFileSync(path, text);
  const warnings: string[] = [];
  const source = await openSavedSource(path, { maxBytes: 100, warn: (sentence) => warnings.push(sentence) });
  change(path);
  const robots = source.load("https://b.example", new AbortController().signal) as SourcedRobots;
  expect(robots.code).toBe(code);
  expect(warnings).toHaveLength(told);
  for (const warning of warnings)
    expect(warning).toContain("export.ndjson: it was changed while it was read; https://b.example");
  await source.close();
});

function writeOther(path: string): string {
  writeFileSync(`${path}.new`, text.replaceAll("404", "410"));
  return `${path}.new`;
}
