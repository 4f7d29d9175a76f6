// Tests which links of invented pages are broken, and which pages the index does not name.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findLinkProblems } from "./links.ts";
import { readPage } from "./markdown.ts";
import { checkout } from "./workspace.ts";

function treeOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "links-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const core = '{ "name": "@robots-stream/core" }';
const guide = "# Guide\n\n## `--page`: what pages say\n\n## Twice\n\n## Twice\n";

test.each([
  ["a page", "[a](GUIDE.md)", undefined],
  ["no page", "[a](GUIDES.md)", "leads to no file"],
  ["a folder", "[a](../packages/core)", undefined],
  ["a heading", "[a](GUIDE.md#--page-what-pages-say)", undefined],
  ["no heading", "[a](GUIDE.md#page)", "leads to no heading"],
  ["a heading of the same page", "[a](#documents)", undefined],
  ["no heading of the same page", "[a](#nothing)", "leads to no heading"],
  ["the second of two equal headings", "[a](GUIDE.md#twice-1)", undefined],
  ["the third of two equal headings", "[a](GUIDE.md#twice-2)", "leads to no heading"],
  ["a picture", "![a (b)](picture.webp)", "leads to no file"],
  ["code in a link", "[`--output table`](NONE.md)", "leads to no file"],
  ["a link in code", "`[a](NONE.md)`", undefined],
  ["a link in a block", "```md\n[a](NONE.md)\n```", undefined],
  ["outside the checkout", "[a](../../x.md)", "leads to no file"],
  ["https", "[a](https://example.com/a_(b)#c)", undefined],
  ["http", "[a](http://example.com/)", "is not https"],
  ["a bare URL", "see http://example.com/a.", "is not https"],
  ["no public host", "[a](https://localhost/)", "has no public host"],
  ["no URL", "[a](https://:0)", "is not a URL"],
  ["mail", "[a](mailto:a@example.com)", undefined],
  ["this repository", "[a](https://github.com/robots-stream/robots-stream/blob/main/docs/GUIDE.md#twice)", undefined],
  ["not in it", "[a](https://github.com/robots-stream/robots-stream/blob/main/docs/X.md)", "leads to no file"],
  ["a package", "[a](https://www.npmjs.com/package/@robots-stream/core)", undefined],
  ["no package", "[a](https://www.npmjs.com/package/@robots-stream/cores)", "is not a package of this project"],
])("%s", (_what, text, problem) => {
  const index = `# Documents\n\n[g](GUIDE.md)\n\n${text}\n`;
  const root = treeOf({ "docs/README.md": index, "docs/GUIDE.md": guide, "packages/core/package.json": core });
  const found = findLinkProblems(root);
  expect(found).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  if (problem !== undefined) expect(found[0]).toMatch(/^docs\/README\.md:5: /u);
});

test("a page missing from the index is a problem; decisions and changesets need not be in it", () => {
  const pages = { "docs/README.md": "# Documents\n", "docs/decisions/0001-x.md": "# x\n", ".changeset/a.md": "a\n" };
  expect(findLinkProblems(treeOf({ ...pages, "packages/core/README.md": "# core\n" }))).toEqual([
    "docs/README.md: does not name packages/core/README.md",
  ]);
});

test("a block of code has its language, its line number and the comment before it", () => {
  const page = "# A\n\n<!-- not run: b -->\n\n```sh\nc\n```\n\n    d\n\n    e\n\n- f\n\n````md\n```\n````\n";
  expect(readPage(page).blocks).toEqual([
    { language: "sh", body: "c", line: 5, comment: "not run: b" },
    { language: "", body: "d\n\ne\n", line: 9, comment: "" },
    { language: "md", body: "```", line: 15, comment: "" },
  ]);
});

test("the documents of this checkout", () => {
  expect(findLinkProblems(checkout)).toEqual([]);
});
