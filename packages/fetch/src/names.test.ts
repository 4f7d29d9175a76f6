// The entries of the package: the number of their names, and which entries run without Node.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const folder = import.meta.dirname;
const manifest = JSON.parse(readFileSync(join(folder, "../package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly "@robots-stream/source": string }>>;
};
const entries = Object.entries(manifest.exports).flatMap(([name, at]) =>
  typeof at === "string" ? [] : [[name, join(folder, "..", at["@robots-stream/source"])] as const],
);

/** The names in a file's export lists, types included. Fails for any other kind of export. */
function namesOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = ""]) => list);
  expect(text.match(/^export /gm)?.length).toBe(lists.length);
  return lists.flatMap((list) =>
    list
      .split(",")
      .map((name) => name.replace("type ", "").trim())
      .filter((name) => name !== ""),
  );
}

test("the main entry has at most 35 names, types included", () => {
  const names = namesOf(join(folder, "index.ts"));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeLessThanOrEqual(35);
});

test("the README describes each entry", () => {
  const readme = readFileSync(join(folder, "../README.md"), "utf8");
  for (const [name] of entries) {
    expect(readme).toContain(name === "." ? "`@robots-stream/fetch`" : `\`@robots-stream/fetch${name.slice(1)}\``);
  }
});

/** The modules that a file imports at run time, directly or through other files. */
function importsOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(file, "utf8");
  for (const [, specifier = ""] of text.matchAll(/^(?:import|export)(?! type)[^;]*?from "([^"]+)";$/gm)) {
    const target = specifier.startsWith(".") ? resolve(dirname(file), specifier) : specifier;
    if (seen.has(target)) continue;
    seen.add(target);
    if (specifier.startsWith(".")) importsOf(target, seen);
  }
  return seen;
}

describe("without Node, and without libraries that need it", () => {
  test.each(["./platform", "./policy"])("%s", (name) => {
    const file = entries.find(([entry]) => entry === name)?.[1] ?? "";
    const packages = [...importsOf(file)].filter((target) => !target.startsWith("/"));
    expect(packages.filter((target) => !/^@robots-stream\/(?:core|url)(?:\/[a-z]+)?$/.test(target))).toEqual([]);
  });

  test("the same search finds the libraries of the main entry", () => {
    expect([...importsOf(join(folder, "index.ts"))]).toContain("node:net");
  });
});
