// The entries of the package: how many names they have, and which of them runs without Node.
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

/** The names that a file exports by lists, types included; what else it exports fails. */
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

test("the README tells what each entry is for", () => {
  const readme = readFileSync(join(folder, "../README.md"), "utf8");
  for (const [name] of entries) {
    expect(readme).toContain(name === "." ? "`@robots-stream/fetch`" : `\`@robots-stream/fetch${name.slice(1)}\``);
  }
});

/** What a file imports when it runs, and what those files import. */
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

  test("the same question finds what the main entry needs", () => {
    expect([...importsOf(join(folder, "index.ts"))]).toContain("node:net");
  });
});
