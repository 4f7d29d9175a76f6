// Tests that an argument of a wrong type throws at once, with a code.
import { expect, test } from "vitest";
import { mergeDocuments, printCsv, printHtml, printText, reportOf } from "./index.ts";

test.each<readonly [name: string, called: (...given: never[]) => unknown, given: readonly unknown[]]>([
  ["mergeDocuments", mergeDocuments, [undefined]],
  ["mergeDocuments", mergeDocuments, [[undefined]]],
  ["mergeDocuments", mergeDocuments, [{ origins: [] }]],
  ["reportOf", reportOf, ["{}"]],
  ["printText", printText, [{}]],
  ["printCsv", printCsv, [undefined, "crawlers"]],
  ["printHtml", printHtml, [null]],
])("%s of a wrong argument", (_name, called, given) => {
  expect(() => (called as (...each: readonly unknown[]) => unknown)(...given)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_DOCUMENT" }),
  );
});
