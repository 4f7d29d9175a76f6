// Tests the sizes of bundled modules, and the comparison with the figures of a page.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figureProblems, sizesOf } from "./sizes.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sizes-"));
  // Characters with few repetitions, which gzip compresses little.
  const letters = Array.from({ length: 4000 }, (_, at) => ((at * 2_654_435_761) >>> 8).toString(36)).join("");
  writeFileSync(
    join(folder, "long.js"),
    `export const long = ${JSON.stringify(letters)};\nexport const other = "${"x".repeat(3000)}";`,
  );
  writeFileSync(
    join(folder, "node.js"),
    'import { readFileSync } from "node:fs";\nexport const read = () => readFileSync("x");',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

test("imported code counts", async () => {
  const { minified, gzipped } = await sizesOf('export { long } from "./long.js";', folder);
  expect(minified).toBeGreaterThan(15_000);
  expect(gzipped).toBeGreaterThan(8000);
  expect(gzipped).toBeLessThan(minified);
});

test("code that is not exported does not count", async () => {
  const { minified } = await sizesOf('export { other } from "./long.js";', folder);
  expect(minified).toBeGreaterThan(3000);
  expect(minified).toBeLessThan(3200);
});

test("a package that is left out does not count", async () => {
  writeFileSync(join(folder, "beside.js"), 'import { long } from "packed/part";\nexport const twice = long + long;');
  const { minified } = await sizesOf('export * from "./beside.js";', folder, { without: ["packed"] });
  expect(minified).toBeLessThan(200);
});

test("a Node module cannot be bundled", async () => {
  await expect(sizesOf('export * from "./node.js";', folder)).rejects.toThrow("imports node:fs, which only Node has");
});

describe("the figure on a page", () => {
  test.each([
    ["right", "| `@a/b` | 11.9 KB |", []],
    ["within the tolerance", "| `@a/b` | 12.0 KB |", []],
    ["too small", "| `@a/b` | 11.2 KB |", [expect.stringContaining("states 11.2 KB for @a/b, which has 11.9 KB")]],
    ["missing", "| `@a/b/c` | 11.9 KB |", [expect.stringContaining("states no size for @a/b")]],
  ])("%s", (_what, row, problems) => {
    expect(figureProblems(`# x\n\n${row}\n`, "@a/b", 11_900)).toEqual(problems);
  });

  test.each([
    [106.0, 0],
    [101.0, 1],
  ])("a size of 106.9 KB, given as %d KB: %d problems", (told, problems) => {
    expect(figureProblems(`| \`a\` | ${told.toFixed(1)} KB |`, "a", 106_900)).toHaveLength(problems);
  });
});
