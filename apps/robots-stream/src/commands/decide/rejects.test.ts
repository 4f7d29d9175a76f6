// The file of rejects, and the messages about rejects.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Reject, UsedFiles } from "@robots-stream/engine/internal";
import { createRejectsFile, createToldRejects } from "./rejects.ts";
import { makeTestFolder } from "../../../test/folder.ts";

const rejectAt = (line: number, message = "is not JSON"): Reject => ({
  source: "stdin",
  line,
  code: "not-json",
  message,
  text: "x".repeat(1_000),
});

test("a file of many rejects is complete, and batches leave no listeners behind", async () => {
  const folder = makeTestFolder();
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  const path = join(folder, "rejects.ndjson");
  const used = new UsedFiles([{ shown: `--rejects ${path}`, use: "writes", at: path }]);
  const report = createRejectsFile(path, used, () => undefined);
  for (let batch = 0; batch < 40; batch++) {
    await report.take(Array.from({ length: 100 }, (_, index) => rejectAt(batch * 100 + index + 1)));
  }
  await report.end(true);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as Reject).line)).toEqual(lines.map((_, index) => index + 1));
  expect(lines).toHaveLength(4_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test("control characters of names in a message are escaped", async () => {
  const told: string[] = [];
  const report = createToldRejects((sentence) => void told.push(sentence));
  await report.take([rejectAt(1, 'has no field "\u001b[31m\u009b\u202e"')]);
  expect(told[0]).toContain('stdin:1: has no field "\\x1b[31m\\x9b\\u202e" (1000 bytes)');
});

test.each([
  [10, 10],
  [11, 12],
])(
  "%i rejects are reported as %i sentences; beyond ten rejects, the last sentence counts the further ones",
  async (rejects, sentences) => {
    const told: string[] = [];
    const report = createToldRejects((sentence) => void told.push(sentence));
    await report.take(Array.from({ length: rejects }, (_, index) => rejectAt(index + 1)));
    await report.end(true);
    expect(told).toHaveLength(sentences);
    if (rejects === 11)
      expect(told.slice(10)).toEqual([expect.stringContaining("--rejects FILE"), "… and 1 more reject"]);
  },
);
