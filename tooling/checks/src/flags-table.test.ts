// Invented READMEs in, the same with another table out.
import { expect, test } from "vitest";
import { replaceTable } from "./flags-table.ts";

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
