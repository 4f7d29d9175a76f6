// Reads the sources of every package and finds each import that violates the layers or closes a cycle (docs/ARCHITECTURE.md, "Packages").
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { Visitor, parseSync } from "vite";
import type { Package } from "./workspace.ts";
import { findCircles } from "./circles.ts";
import { filesUnder, packagesOf, shown } from "./workspace.ts";

interface Layer {
  /** Names of the packages that this package may import at run time. */
  readonly packages: readonly string[];
  /** Whether this package may use Node's own modules at run time. */
  readonly node: boolean;
  /** Dependencies that this package does not import itself: packages in its bundle import them (scripts/dev/bundle.mjs). */
  readonly bundled?: readonly string[];
  /** Packages that only the tests of this package may import, besides `testPackages`. */
  readonly tests?: readonly string[];
}

/** The packages from the bottom layer to the top. A package may import only packages above it in this table. */
const layers: Readonly<Record<string, Layer>> = {
  "packages/core": { packages: [], node: false },
  "packages/url": { packages: ["tr46"], node: false },
  "packages/logs": { packages: [], node: false },
  "packages/agents": { packages: [], node: false, tests: ["crawler-user-agents"] },
  "packages/diff": { packages: ["@robots-stream/core"], node: false },
  "packages/page": { packages: ["parse5"], node: false },
  "packages/verify": { packages: [], node: false },
  "packages/preferences": { packages: ["@robots-stream/core"], node: false },
  "packages/fetch": {
    packages: ["@robots-stream/core", "@robots-stream/url", "@redis/client", "basic-ftp", "undici"],
    node: true,
  },
  "packages/engine": {
    packages: [
      "@robots-stream/core",
      "@robots-stream/url",
      "@robots-stream/logs",
      "@robots-stream/agents",
      "@robots-stream/fetch",
      "hyparquet",
    ],
    node: true,
    tests: ["csv-parse", "hyparquet-writer"],
  },
  "packages/audit": { packages: [], node: false, tests: ["@robots-stream/core", "@robots-stream/fetch", "ajv"] },
  "packages/robots-parser": { packages: ["@robots-stream/core"], node: false, tests: ["robots-parser"] },
  "apps/robots-stream": {
    packages: [
      "@robots-stream/core",
      "@robots-stream/url",
      "@robots-stream/logs",
      "@robots-stream/agents",
      "@robots-stream/verify",
      "@robots-stream/preferences",
      "@robots-stream/fetch",
      "@robots-stream/engine",
      "@robots-stream/page",
      "@robots-stream/audit",
      "@robots-stream/diff",
      "@redis/client",
      "get-east-asian-width",
      "log-update",
    ],
    bundled: ["basic-ftp", "hyparquet", "parse5", "tr46", "undici"],
    tests: ["yaml"],
    node: true,
  },
  "apps/robots-stream-kafka": {
    packages: ["@robots-stream/engine", "@robots-stream/fetch", "@platformatic/kafka", "@redis/client"],
    node: true,
  },
  "apps/playground": {
    packages: [
      "@robots-stream/core",
      "@robots-stream/agents",
      "@robots-stream/page",
      "@robots-stream/preferences",
      "@robots-stream/diff",
      "@codemirror/commands",
      "@codemirror/lint",
      "@codemirror/state",
      "@codemirror/view",
    ],
    node: false,
    tests: ["vite"],
  },
};

/** Packages that tests may also import. */
const testPackages = [
  "@robots-stream/raw-servers",
  "vitest",
  "fast-check",
  "ajv-draft-04",
  "ajv-formats",
  "@xterm/headless",
];

/** An import of a file, of values or of types. */
interface Import {
  /** Undefined for `import(expression)`, whose module is known only at run time. */
  readonly specifier: string | undefined;
  readonly line: number;
}

/** A package's source file and its imports. */
interface SourceFile {
  /** The absolute path. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Whether the file is a test, an example or a build configuration; such files may import more. */
  readonly isTest: boolean;
}

/**
 * One sentence for each import, dependency or package that violates the layers, and for each import cycle within a package;
 * empty without problems.
 */
export function findLayerProblems(root: string): readonly string[] {
  const packages = packagesOf(root);
  const published = packages.filter(({ folder }) => !folder.startsWith("tooling/"));
  return published.flatMap((each) => {
    const layer = Object.hasOwn(layers, each.folder) ? layers[each.folder] : undefined;
    if (layer === undefined) return [`${each.folder}: has no layer; give it one in tooling/checks/src/layers.ts`];
    const files = sourceFilesOf(join(root, each.folder));
    return [
      ...manifestProblems(each, layer),
      ...sourceProblems(root, each, layer, packages, files),
      ...circleProblems(root, files),
    ];
  });
}

/** Cycles of imports. Type imports are included, because two files that need each other's types are read, moved and changed together. */
function circleProblems(root: string, files: readonly SourceFile[]): readonly string[] {
  const importsByFile = new Map(
    files.map(({ path, imports }) => [
      shown(root, path),
      imports.flatMap(({ specifier }) =>
        specifier?.startsWith(".") === true ? [shown(root, join(dirname(path), specifier))] : [],
      ),
    ]),
  );
  return findCircles(importsByFile).map(
    (circle) => `${circle[0]}: is in an import cycle: ${[...circle, circle[0]].join(" → ")}`,
  );
}

function sourceFilesOf(folder: string): readonly SourceFile[] {
  return filesUnder(folder)
    .filter((file) => /\.(?:ts|mts|js|mjs)$/u.test(file) && !file.includes("fixtures/"))
    .map((file) => ({
      path: join(folder, file),
      imports: importsOf(join(folder, file)),
      isTest: /\.test\.ts$|^(?:test|examples)\/|^vite\.config\.ts$/u.test(file),
    }));
}

function manifestProblems({ folder, manifest }: Package, layer: Layer): readonly string[] {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  return names
    .filter((name) => !layer.packages.includes(name) && !(layer.bundled ?? []).includes(name))
    .map((name) => `${folder}/package.json: may not depend on ${name}`);
}

function sourceProblems(
  root: string,
  own: Package,
  layer: Layer,
  packages: readonly Package[],
  files: readonly SourceFile[],
): readonly string[] {
  const folder = join(root, own.folder);
  const testLayer: Layer = {
    packages: [...layer.packages, ...testPackages, ...(layer.tests ?? []), own.manifest.name],
    node: true,
  };
  return files.flatMap(({ path, imports, isTest }) =>
    imports.flatMap(({ specifier, line }) => {
      const problem = problemOf(specifier, path, folder, isTest ? testLayer : layer, packages);
      return problem === undefined ? [] : [`${shown(root, path)}:${line}: ${problem}`];
    }),
  );
}

function problemOf(
  specifier: string | undefined,
  path: string,
  folder: string,
  layer: Layer,
  packages: readonly Package[],
): string | undefined {
  if (specifier === undefined) return layer.node ? undefined : "imports a module whose name is known only at run time";
  if (specifier.startsWith(".")) {
    const target = join(dirname(path), specifier);
    if (!`${target}/`.startsWith(`${folder}/`)) return `reaches out of its package to ${specifier}`;
    return existsSync(target) ? undefined : `imports ${specifier}, which is not a file (name it with its extension)`;
  }
  if (isBuiltin(specifier)) {
    if (!layer.node) return `may not import ${specifier}: the package must run without Node`;
    return specifier.startsWith("node:") ? undefined : `imports ${specifier} without "node:"`;
  }
  const [name, subpath] = splitSpecifier(specifier);
  if (!layer.packages.includes(name)) return `may not import ${specifier}`;
  const target = packages.find(({ manifest }) => manifest.name === name);
  if (target !== undefined && !Object.hasOwn(target.manifest.exports ?? {}, subpath)) {
    return `imports ${specifier}, which ${name} does not export`;
  }
  return undefined;
}

/** Splits a specifier into package and subpath: "@a/b/c/d" gives ["@a/b", "./c/d"], "undici" gives ["undici", "."]. */
function splitSpecifier(specifier: string): readonly [name: string, subpath: string] {
  const parts = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  return [parts.slice(0, length).join("/"), [".", ...parts.slice(length)].join("/")];
}

/** All imports of a file, including type imports and dynamic imports. */
function importsOf(path: string): readonly Import[] {
  const source = readFileSync(path, "utf8");
  const { program, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const imports: Import[] = [];
  const add = (specifier: string | undefined, offset: number): void => {
    imports.push({ specifier, line: source.slice(0, offset).split("\n").length });
  };
  new Visitor({
    ImportDeclaration: ({ source: from, start }) => add(from.value, start),
    ExportAllDeclaration: ({ source: from, start }) => add(from.value, start),
    ExportNamedDeclaration: ({ source: from, start }) => {
      if (from !== null) add(from.value, start);
    },
    ImportExpression: ({ source: from, start }) => {
      add(from.type === "Literal" && typeof from.value === "string" ? from.value : undefined, start);
    },
    TSImportType: ({ source: from, start }) => add(from.value, start),
  }).visit(program);
  return imports;
}
