// Tests the problems of invented changesets.
import { describe, expect, test } from "vitest";
import { changesetProblems, findChangesetProblems } from "./changesets.ts";
import { checkout } from "./workspace.ts";

describe("changesetProblems", () => {
  test.each([
    ["good", '---\n"@robots-stream/core": minor\n---\n\nReads more.\n', undefined],
    ["several packages", '---\n"@robots-stream/core": minor\n"robots-stream": patch\n---\n\nReads more.\n', undefined],
    ["no package, on purpose", "---\n---\n\nOnly tools.\n", undefined],
    ["no front matter", "Reads more.\n", "no front matter"],
    ["no sentence", '---\n"robots-stream": patch\n---\n\n', "says nothing"],
    ["unknown package", '---\n"robots-streams": patch\n---\n\nReads more.\n', "not a published package"],
    ["unknown bump", '---\n"robots-stream": tiny\n---\n\nReads more.\n', "cannot read"],
  ])("%s", (_what, text, problem) => {
    const problems = changesetProblems("a.md", text, new Set(["robots-stream", "@robots-stream/core"]));
    expect(problems).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  });
});

test("this checkout's changesets", () => {
  expect(findChangesetProblems(checkout)).toEqual([]);
});
