// Tests the update of the flags table in invented pages with invented apps.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findFlagsTableProblems, replaceTable, writeFlagsTable } from "./flags-table.ts";
import { checkout } from "./workspace.ts";

test.each([
  [
    "empty",
    "a\n<!-- flags:begin -->\n<!-- flags:end -->\nb",
    "a\n<!-- flags:begin -->\n\n| x |\n\n<!-- flags:end -->\nb",
  ],
  ["filled", "<!-- flags:begin -->\nold\n<!-- flags:end -->", "<!-- flags:begin -->\n\n| x |\n\n<!-- flags:end -->"],
  ["no marks", "a\n", undefined],
  ["no end", "<!-- flags:begin -->\n", undefined],
])("%s", (_what, readme, wanted) => {
  expect(replaceTable(readme, "| x |\n")).toBe(wanted);
});

test("an outdated table is a problem until it is updated", async () => {
  const root = mkdtempSync(join(tmpdir(), "flags-table-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const flags = "apps/robots-stream/dist/commands/flags-page.js";
  mkdirSync(dirname(join(root, flags)), { recursive: true });
  writeFileSync(join(root, flags), 'exports.renderFlagsPage = async () => "| --new |";\n');
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "docs/FLAGS.md"), "<!-- flags:begin -->\n| --old |\n<!-- flags:end -->\n");
  expect(await findFlagsTableProblems(root)).toEqual([expect.stringContaining('"npm run format" updates it')]);
  await writeFlagsTable(root);
  expect(await findFlagsTableProblems(root)).toEqual([]);
  expect(readFileSync(join(root, "docs/FLAGS.md"), "utf8")).toBe(
    "<!-- flags:begin -->\n\n| --new |\n\n<!-- flags:end -->\n",
  );
});

test("docs/FLAGS.md has the app's flags", async () => {
  // `npm test` builds the app before tests run.
  expect(await findFlagsTableProblems(checkout)).toEqual([]);
});
