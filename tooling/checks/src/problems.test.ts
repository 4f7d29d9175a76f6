// Tests which problems the checks of pages, sources and the lockfile find in an invented checkout. `npm run check` checks this checkout.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fateOf, findCommandProblems } from "./documented-commands.ts";
import { findFlagsTableProblems, replaceTable, writeFlagsTable } from "./flags-table.ts";
import { findLinkProblems } from "./links.ts";
import { addressProblems, missingPlatforms } from "./lockfile.ts";
import { readPage } from "./markdown.ts";
import { findSourceProblems } from "./sources.ts";

function checkoutOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "problems-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const repository = "https://github.com/robots-stream/robots-stream/blob/main";

test("links: each broken link by its line, and the pages that the index does not name", () => {
  const links: readonly (readonly [link: string, problem?: string])[] = [
    ["[a](GUIDE.md) [a](../packages/core) [a](GUIDE.md#--page-what-pages-say) [a](#documents) [a](GUIDE.md#twice-1)"],
    ["`[a](NONE.md)` [a](https://example.com/a_(b)#c) [a](mailto:a@example.com)"],
    [`[a](${repository}/docs/GUIDE.md#twice) [a](https://www.npmjs.com/package/@robots-stream/core)`],
    ["[a](GUIDES.md)", "leads to no file"],
    ["![a (b)](picture.webp)", "leads to no file"],
    ["[`--output table`](NONE.md)", "leads to no file"],
    ["[a](../../x.md)", "leads to no file"],
    [`[a](${repository}/docs/X.md)`, "leads to no file"],
    ["[a](GUIDE.md#page)", "leads to no heading"],
    ["[a](GUIDE.md#twice-2)", "leads to no heading"],
    ["[a](#nothing)", "leads to no heading"],
    ["see http://example.com/a.", "is not https"],
    ["[a](https://localhost/)", "has no public host"],
    ["[a](https://:0)", "is not a URL"],
    ["[a](https://www.npmjs.com/package/@robots-stream/cores)", "is not a package of this project"],
  ];
  const root = checkoutOf({
    "docs/README.md": `# Documents\n${links.map(([link]) => `${link}\n`).join("")}\n\`\`\`md\n[a](NONE.md)\n\`\`\`\n`,
    "docs/GUIDE.md": "# Guide\n\n## `--page`: what pages say\n\n## Twice\n\n## Twice\n",
    "docs/decisions/0001-x.md": "# x\n",
    ".changeset/a.md": "a\n",
    "packages/core/package.json": '{ "name": "@robots-stream/core" }',
    "packages/core/README.md": "# core\n",
  });
  expect(findLinkProblems(root)).toEqual([
    ...links.flatMap(([, problem], at) =>
      problem === undefined ? [] : [expect.stringMatching(`^docs/README\\.md:${at + 2}: .* ${problem}$`) as string],
    ),
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

test("commands: blocks that no test runs, without a reason", () => {
  const block = (language: string, body: string): string => `\`\`\`${language}\n${body}\n\`\`\`\n\n`;
  const page = [
    ["compared", block("console", "$ robots-stream")],
    [undefined, `    core   url\n\n${block("text", "2")}`],
    [undefined, `<!-- run by a.test.ts -->\n\n${block("sh", "a")}<!-- not run: needs Redis -->\n${block("sql", "a")}`],
    [undefined, block("sh", "# not run: needs Redis\na")],
    ["has no comment", block("sh", "npm test")],
    ["has no comment", block("sql", "SELECT 1")],
    ["indented block", "    npm test\n\n"],
    ["indented block", block("", "$ robots-stream")],
    ["does not say why", `<!-- not run: -->\n${block("sh", "a")}`],
    ["b.test.ts does not exist", `<!-- run by b.test.ts -->\n${block("sh", "a")}`],
    ["c.test.ts does not read a.md", `<!-- run by c.test.ts -->\n${block("sh", "a")}`],
  ] as const;
  const texts = page.map(([, text]) => text);
  const root = checkoutOf({ "a.md": texts.join("- a\n\n"), "a.test.ts": "a.md", "c.test.ts": "" });
  const problems = page.flatMap(([problem]) => (problem === undefined || problem === "compared" ? [] : [problem]));
  expect(findCommandProblems(root)).toEqual(problems.map((each) => expect.stringContaining(each) as string));
  expect(fateOf(readPage(texts[0]!).blocks[0]!)).toBe("compared");
});

test("flags: an outdated table is a problem until it is written anew", async () => {
  const root = checkoutOf({
    "apps/robots-stream/dist/commands/flags-page.js": 'exports.renderFlagsPage = async () => "| --new |";\n',
    "docs/FLAGS.md": "a\n<!-- flags:begin -->\n| --old |\n<!-- flags:end -->\nb",
  });
  expect(await findFlagsTableProblems(root)).toEqual([expect.stringContaining('"npm run format" updates it')]);
  await writeFlagsTable(root);
  expect(await findFlagsTableProblems(root)).toEqual([]);
  const written = replaceTable("a\n<!-- flags:begin --><!-- flags:end -->\nb", "| --new |");
  expect(written).toBe("a\n<!-- flags:begin -->\n\n| --new |\n\n<!-- flags:end -->\nb");
  for (const page of ["a\n", "<!-- flags:begin -->\n"]) expect(replaceTable(page, "| --new |")).toBeUndefined();
});

test("sources: paths of one machine, registries, missing comments, and flags of the command in packages", () => {
  const registry = ["registry", "example", "org"].join(".");
  const home = ["/home", "me", ".npm/_npx"].join("/");
  const root = checkoutOf({
    "docs/FLAGS.md": "`--url-field`",
    "a.md": `one\nhttps://${registry}/x\nat ${home}\ndisallow: /home/ and /Users/x\nhttps://example.com/home/me/\n../shared/x\n`,
    "b.ts": 'import "./b.ts";\n// late',
    "c.ts": '#!/usr/bin/env node\nimport "./b.ts";\n',
    "d.ts": "#!/usr/bin/env node\n// Text in, text out.\n",
    "fixtures/a.ts": "export {};",
    "packages/a/src/b.ts":
      '// One.\nthrow new Error("--url-field NAME");\nreturn `--${name}`;\n// ls --all\nif (--this.left > 0)',
    "packages/a/src/b.test.ts": "// --url-field",
    "apps/a/src/b.ts": "// --url-field",
  });
  writeFileSync(join(root, "e.json"), `{ "at": "${root}/src" }`);
  expect(findSourceProblems(root)).toEqual([
    `a.md:2: holds "${registry}"`,
    `a.md:3: holds "${home.slice(0, 11)}"`,
    "b.ts:1: does not open with a comment sentence",
    "c.ts:1: does not open with a comment sentence",
    `e.json:1: holds "${root}"`,
    "packages/a/src/b.ts:2: names the command's flag --url-field",
    "packages/a/src/b.ts:3: names the command's flag --${",
  ]);
});

const lockfile = `packages:

  '@tool/linux-x64@1.0.0':
    resolution: {integrity: sha512-AAAA==}

  fsevents@2.3.3:
    resolution: {integrity: sha512-BBBB==}
    deprecated: see https://example.com

  tool@1.0.0:
    resolution: {integrity: sha512-CCCC==}

snapshots:

  '@tool/win32-x64@1.0.0':
    optional: true
`;

test("lockfile: download addresses, and binaries for a platform that are not in it", () => {
  const lines = ["  a: {tarball: x}", "  b: file:../a", "  c: https://example.com/a.tgz", "  get-caller-file: 2.0.5"];
  const problems = addressProblems(`${lockfile}${lines.join("\n")}`);
  expect(problems.map((each) => each.replace(/.*\((.*)\)/u, "$1"))).toEqual(["tarball:", "file:", "https://"]);
  const there = { "@tool/linux-x64": "1.0.0", fsevents: "~2.3.2" };
  const missing = { "@tool/darwin-arm64": "1.0.0", "@tool/win32-x64": "1.0.0", "linux-x64": "1.0.0", other: "^1.0.0" };
  const found = (optionalDependencies: Record<string, string>, version = "1.0.0"): readonly string[] =>
    missingPlatforms(lockfile, [{ name: "tool", version, optionalDependencies }]);
  expect(found({ ...there, ...missing })).toHaveLength(4);
  expect(found({ "@tool/linux-x64": "1.0.1" })).toHaveLength(1);
  // What an earlier lockfile installed.
  expect(found(missing, "0.9.0")).toEqual([]);
});
