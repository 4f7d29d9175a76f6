// Tests the published vectors: each case in the files of `vectors` has the usage that it expects.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseRobotsTxt } from "@robots-stream/core";
import { type Category, type SignalName, type Usage, createPreferences, pageValuesOf } from "../src/index.ts";

type Values = Readonly<Record<Category, string>>;

interface StatementVector {
  readonly what: string;
  readonly statement: string;
  readonly expected: Values;
}

interface RobotsVector {
  readonly what: string;
  readonly robots: string;
  readonly crawler: string;
  readonly target: string;
  readonly signals?: readonly SignalName[];
  readonly use?: string;
  readonly expected: Values;
  readonly lines: Partial<Record<Category, readonly number[]>>;
  readonly licences: readonly string[];
}

interface PageVector {
  readonly what: string;
  readonly crawler: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly directives?: readonly string[];
  readonly expected: Values;
  readonly licences: readonly string[];
}

function vectorsOf<Vector extends { readonly what: string }>(name: string): readonly (readonly [string, Vector])[] {
  const text = readFileSync(new URL(`../vectors/${name}.ndjson`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Vector)
    .map((vector) => [vector.what, vector] as const);
}

const valuesOf = (usage: Usage): Values => ({
  "train-ai": usage["train-ai"].value,
  search: usage.search.value,
  "ai-input": usage["ai-input"].value,
});

const empty = parseRobotsTxt("");

describe("content-usage.ndjson", () => {
  test.each(vectorsOf<StatementVector>("content-usage"))("%s", (_, { statement, expected }) => {
    const page = pageValuesOf([["Content-Usage", statement]]);
    expect(valuesOf(createPreferences(empty, "a").usageAt("/", page))).toEqual(expected);
    // The same bytes as a statement in a line of robots.txt.
    const bytes = Uint8Array.from(Buffer.from(`User-agent: *\nContent-Usage: ${statement}\n`, "latin1"));
    expect(valuesOf(createPreferences(parseRobotsTxt(bytes), "a").usageAt("/"))).toEqual(expected);
  });
});

describe("robots.ndjson", () => {
  test.each(vectorsOf<RobotsVector>("robots"))("%s", (_, vector) => {
    const { robots, crawler, target, signals, use, expected, lines, licences } = vector;
    for (const input of [robots, new TextEncoder().encode(robots)]) {
      const usage = createPreferences(parseRobotsTxt(input), crawler, { signals }).usageAt(target);
      expect(valuesOf(usage)).toEqual(expected);
      expect(usage.use?.value).toBe(use);
      expect(usage.licences).toEqual(licences);
      const found = (["train-ai", "search", "ai-input"] as const).map((category) => [
        category,
        usage[category].by.map(({ line }) => line),
      ]);
      expect(Object.fromEntries(found.filter(([, each]) => each!.length > 0))).toEqual(lines);
    }
  });
});

describe("page-values.ndjson", () => {
  test.each(vectorsOf<PageVector>("page-values"))("%s", (_, { crawler, fields, directives, expected, licences }) => {
    const usage = createPreferences(empty, crawler).usageAt("/", { ...pageValuesOf(fields), directives });
    expect(valuesOf(usage)).toEqual(expected);
    expect(usage.licences).toEqual(licences);
  });
});
