// Tests that the check of layers finds violations in invented workspaces.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findLayerProblems } from "./layers.ts";
import { checkout } from "./workspace.ts";

const workspaces: string[] = [];

afterEach(() => {
  for (const workspace of workspaces.splice(0)) rmSync(workspace, { recursive: true });
});

const manifests = {
  "packages/core/package.json": {
    name: "@robots-stream/core",
    exports: { ".": "./dist/index.js", "./lint": "./dist/lint.js" },
  },
  "packages/url/package.json": { name: "@robots-stream/url", exports: { ".": "./dist/index.js" } },
  "packages/fetch/package.json": {
    name: "@robots-stream/fetch",
    exports: { ".": "./dist/index.js", "./json": "./dist/testing.js" },
  },
  "packages/engine/package.json": { name: "@robots-stream/engine", exports: { "./internal": "./dist/internal.js" } },
  "apps/robots-stream/package.json": { name: "robots-stream" },
};

/** Creates a workspace with some of the project's packages, plus these files. */
function createWorkspace(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "layers-"));
  workspaces.push(root);
  const all = {
    ...Object.fromEntries(Object.entries(manifests).map(([path, manifest]) => [path, JSON.stringify(manifest)])),
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

describe("findLayerProblems", () => {
  test.each([
    [
      "core: Node module",
      "packages/core/src/a.ts",
      'import { readFileSync } from "node:fs";',
      "may not import node:fs",
    ],
    ["core: Node module, bare", "packages/core/src/a.ts", 'import fs from "fs";', "may not import fs"],
    ["core: type only", "packages/core/src/a.ts", 'import type { Stats } from "node:fs";', "may not import node:fs"],
    ["core: type expression", "packages/core/src/a.ts", 'type A = import("node:fs").Stats;', "may not import node:fs"],
    ["core: dynamic import", "packages/core/src/a.ts", 'await import("node:fs");', "may not import node:fs"],
    ["core: computed", "packages/core/src/a.ts", "await import(name);", "known only at run time"],
    [
      "core: upwards",
      "packages/core/src/a.ts",
      'import "@robots-stream/fetch";',
      "may not import @robots-stream/fetch",
    ],
    [
      "core: re-export",
      "packages/core/src/a.ts",
      'export * from "@robots-stream/url";',
      "may not import @robots-stream/url",
    ],
    ["core: any dependency", "packages/core/src/a.ts", 'export { a } from "tr46";', "may not import tr46"],
    ["core: test upwards", "packages/core/src/a.test.ts", 'import "@robots-stream/fetch";', "may not import"],
    ["url: sideways", "packages/url/src/a.ts", 'import "@robots-stream/core";', "may not import @robots-stream/core"],
    ["fetch: the app", "packages/fetch/src/a.ts", 'import "robots-stream";', "may not import robots-stream"],
    ["fetch: hyparquet", "packages/fetch/src/a.ts", 'import "hyparquet";', "may not import hyparquet"],
    ["fetch: test package", "packages/fetch/src/a.ts", 'import "vitest";', "may not import vitest"],
    ["engine: the app", "packages/engine/src/a.ts", 'import "robots-stream";', "may not import robots-stream"],
    ["fetch: the engine", "packages/fetch/src/a.ts", 'import "@robots-stream/engine";', "may not import"],
    ["app: undici", "apps/robots-stream/src/a.ts", 'import "undici";', "may not import undici"],
    ["app: deep", "apps/robots-stream/src/a.ts", 'import "@robots-stream/core/src/match.ts";', "does not export"],
    [
      "app: deep, built",
      "apps/robots-stream/src/a.ts",
      'import "@robots-stream/core/dist/match.js";',
      "does not export",
    ],
    ["app: relative", "apps/robots-stream/src/a.ts", 'import "../../../packages/core/src/a.ts";', "reaches out of"],
    ["app: no such file", "apps/robots-stream/src/a.ts", 'import "./b.js";', "which is not a file"],
    ["app: Node, bare", "apps/robots-stream/src/a.ts", 'import "fs";', 'without "node:"'],
  ])("%s", (_what, path, source, problem) => {
    const problems = findLayerProblems(createWorkspace({ [path]: `// A line before.\n${source}\n` }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${path}:2: `);
    expect(problems[0]).toContain(problem);
  });

  test("a dependency of the manifest", () => {
    const manifest = JSON.stringify({ name: "@robots-stream/core", dependencies: { tr46: "^6.0.0" } });
    const problems = findLayerProblems(createWorkspace({ "packages/core/package.json": manifest }));
    expect(problems).toEqual(["packages/core/package.json: may not depend on tr46"]);
  });

  test("a package without a layer", () => {
    const root = createWorkspace({ "packages/more/package.json": JSON.stringify({ name: "@robots-stream/more" }) });
    expect(findLayerProblems(root)).toEqual([expect.stringContaining("packages/more: has no layer")]);
  });

  const [a, b, c] = ["a", "b", "c"].map((name) => `packages/core/src/${name}.ts`) as [string, string, string];

  test.each([
    ["of two files", { [a]: 'import "./b.ts";', [b]: 'import "./a.ts";' }, [a, b]],
    ["of types alone", { [a]: 'import type { B } from "./b.ts";', [b]: 'export type B = import("./a.ts").A;' }, [a, b]],
    ["of re-exports", { [a]: 'export * from "./b.ts";', [b]: 'export { a } from "./a.ts";' }, [a, b]],
    [
      "through an import() and a test",
      { [a]: 'import("./a.test.ts");', [`${a.slice(0, -3)}.test.ts`]: 'import "./a.ts";' },
      [`${a.slice(0, -3)}.test.ts`, a],
    ],
    ["of a file with itself", { [a]: 'import type { A } from "./a.ts";' }, [a]],
    [
      "of three, the shortest way",
      { [a]: 'import "./b.ts";\nimport "./c.ts";', [b]: 'import "./c.ts";', [c]: 'import "./a.ts";' },
      [a, c],
    ],
    [
      "that another file leads into",
      { [a]: 'import "./b.ts";', [b]: 'import "./c.ts";', [c]: 'import "./b.ts";' },
      [b, c],
    ],
  ] as const)("a circle %s", (_what, files, circle) => {
    expect(findLayerProblems(createWorkspace(files))).toEqual([
      `${circle[0]}: is in an import cycle: ${[...circle, circle[0]].join(" → ")}`,
    ]);
  });

  test("two import paths to one file are not a cycle", () => {
    const files = { [a]: 'import "./b.ts";\nimport "./c.ts";', [b]: 'import "./c.ts";', [c]: "export {};" };
    expect(findLayerProblems(createWorkspace(files))).toEqual([]);
  });

  test.each([
    ["core: its own file", "packages/core/src/b.ts", 'import "./a.ts";'],
    [
      "core: words in comments and strings",
      "packages/core/src/b.ts",
      '// import "node:fs"\nconst a = \'import "fs"\';',
    ],
    ["core: Node in a test", "packages/core/src/b.test.ts", 'import "node:fs";\nimport "vitest";'],
    ["url: tr46", "packages/url/src/b.ts", 'import "tr46";'],
    ["fetch: downwards, Node, import()", "packages/fetch/src/b.ts", 'import "node:fs";\nimport("undici");'],
    ["fetch: contract suites", "packages/fetch/test/b.ts", 'import "vitest";'],
    ["engine: downwards", "packages/engine/src/b.ts", 'import "@robots-stream/fetch";\nimport "hyparquet";'],
    ["app: downwards", "apps/robots-stream/src/b.ts", 'import "@robots-stream/engine/internal";'],
    ["app: a subpath that is exported", "apps/robots-stream/src/b.ts", 'import "@robots-stream/fetch/json";'],
    ["app: another subpath", "apps/robots-stream/src/b.ts", 'import { lint } from "@robots-stream/core/lint";'],
  ])("%s is allowed", (_what, path, source) => {
    const root = createWorkspace({ "packages/core/src/a.ts": "export {};", [path]: source });
    expect(findLayerProblems(root)).toEqual([]);
  });

  test("this checkout keeps its layers", () => {
    expect(findLayerProblems(checkout)).toEqual([]);
  });
});

test("the check itself fails when a layer is violated", () => {
  const root = createWorkspace({ "packages/core/src/a.ts": 'import "node:fs";' });
  const check = join(import.meta.dirname, "check.ts");
  const { status, stdout } = spawnSync(process.execPath, [check, "--only", "layers", "--root", root], {
    encoding: "utf8",
  });
  expect(stdout).toContain("packages/core/src/a.ts:1: may not import node:fs");
  expect(status).toBe(1);
});
