// Tests whether invented blocks of commands count as run by a test.
import { expect, test } from "vitest";
import { fateOf, findCommandProblems } from "./documented-commands.ts";
import { readPage } from "./markdown.ts";
import { checkout } from "./workspace.ts";

test.each([
  ["output to compare", "```console\n$ robots-stream\n```", "compared"],
  ["a script", "```sh\nnpm test\n```", "unmarked"],
  ["a query", "```sql\nSELECT 1\n```", "unmarked"],
  ["an indented command", "    npm test\n", "indented"],
  ["a fence without a language", "```\n$ robots-stream\n```", "indented"],
  ["a picture", "    core   url\n", undefined],
  ["output", "```text\n2\n```", undefined],
  ["a script of a test", "<!-- run by a/b.test.ts -->\n\n```sh\na\n```", { what: "run by", value: "a/b.test.ts" }],
  ["output of a test", "<!-- run by a.test.ts -->\n```console\n$ a\n```", { what: "run by", value: "a.test.ts" }],
  ["not run", "<!-- not run: needs Redis -->\n\n```sh\na\n```", { what: "not run", value: "needs Redis" }],
  ["not run, for readers", "```sh\n# not run: needs Redis\na\n```", { what: "not run", value: "needs Redis" }],
])("%s", (_what, text, fate) => {
  const [block] = readPage(`# A\n\n${text}`).blocks;
  expect(fateOf(block!)).toEqual(fate);
});

test("the documents of this checkout", () => {
  expect(findCommandProblems(checkout)).toEqual([]);
});
