// Tests which parts of invented packages' APIs count as undocumented.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entryPointsOf, readApi } from "./docs.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "docs-"));
  const files = {
    "tsconfig.json": { compilerOptions: { strict: true, noEmit: true, types: [], module: "nodenext" } },
    "packages/a/package.json": {
      name: "@x/a",
      type: "module",
      exports: {
        ".": { "@robots-stream/source": "./src/index.ts", default: "./dist/index.js" },
        "./more": { "@robots-stream/source": "./src/more.ts" },
        "./package.json": "./package.json",
      },
    },
    "packages/a/src/index.ts": `
      interface Hidden { readonly a: string }
      /** Told. */
      export function told(hidden: Hidden): string { return hidden.a }
      export const untold: number = 1;
      /** See {@link nowhere}. */
      export interface Links { readonly any: number; method(): void }
    `,
    "packages/a/src/more.ts": "/** Told, see {@link More}. */\nexport class More { readonly a: number = 1 }",
    "apps/c/package.json": { name: "c", exports: { ".": { "@robots-stream/source": "./c.ts" } } },
    "packages/b/package.json": { name: "@x/b", private: true, exports: { ".": { "@robots-stream/source": "./b.ts" } } },
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
});
afterAll(() => rmSync(root, { recursive: true }));

test("the entry points are the source files that published packages export", () => {
  expect(entryPointsOf(root, "packages")).toEqual([
    { specifier: "@x/a", file: join(root, "packages/a/src/index.ts") },
    { specifier: "@x/a/more", file: join(root, "packages/a/src/more.ts") },
  ]);
  expect(entryPointsOf(root, "apps")).toEqual([{ specifier: "c", file: join(root, "apps/c/c.ts") }]);
});

test("undocumented names, types that are not exported, and broken links are problems", async () => {
  const { project, problems } = await readApi(entryPointsOf(root, "packages"), {
    tsconfig: join(root, "tsconfig.json"),
    basePath: root,
    disableGit: true,
    sourceLinkTemplate: "{path}",
    gitRevision: "main",
    logLevel: "None",
  });
  expect(project?.children?.map(({ name }) => name)).toEqual(["@x/a", "@x/a/more"]);
  expect(problems.toSorted()).toEqual([
    expect.stringContaining("Links.method (CallSignature)"),
    expect.stringContaining("untold (Variable)"),
    expect.stringContaining('Failed to resolve link to "nowhere"'),
    expect.stringContaining("Hidden"),
  ]);
});
