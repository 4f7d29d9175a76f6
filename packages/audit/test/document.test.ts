// Tests that the published schema accepts documents, that damaged documents are refused, and that different documents do not merge.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { type AuditDocument, AuditError, checkDocument, documentTextOf, mergeDocuments } from "../src/index.ts";
import { documentFor, settings } from "./feed.ts";
import { createWorld } from "./generator.ts";
import { documentSchema } from "../src/document/schema.ts";

const world = createWorld(11, { hosts: 6, crawlers: 8, lines: 800 });
const input = {
  name: "a.log",
  bytes: 10,
  sha256: "aa",
  lines: 800,
  rejects: { "not-http": 2 },
  sampleRate: 1,
  outside: 0,
};
const document = documentFor(world, world.lines, {}, [input]);
const read = (): Record<string, never> => JSON.parse(documentTextOf(document)) as Record<string, never>;
const validate = new Ajv2020({ allowUnionTypes: true }).compile(documentSchema());

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof AuditError) return error.code;
    throw error;
  }
}

test("the published schema equals the schema made from the tables", () => {
  const published = new URL("../schema/audit-document.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(published, "utf8"))).toEqual(documentSchema());
});

test("the schema and the check accept a document", () => {
  expect(validate(read()), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  expect(checkDocument(read())).toEqual(document);
});

test("the text of a document is canonical", () => {
  const reversed = Object.fromEntries(Object.entries(document).toReversed()) as unknown as AuditDocument;
  expect(documentTextOf(reversed)).toBe(documentTextOf(document));
  expect(documentTextOf(checkDocument(read()))).toBe(documentTextOf(document));
});

describe("a damaged document is refused by the check", () => {
  test.each<[what: string, path: readonly (string | number)[], value: unknown]>([
    ["another schema version", ["schemaVersion"], 1],
    ["no settings", ["settings"], null],
    ["a limit that is not a number", ["settings", "limits", "directories"], "many"],
    ["a total below 0", ["totals", "requests"], -1],
    ["a total that is not an integer", ["totals", "requests"], 1.5],
    ["a period without an end", ["period"], { first: 1 }],
    ["a crawler without a token", ["crawlers", 0, "productToken"], 7],
    ["a crawler of an unknown kind", ["crawlers", 0, "kind"], "robot"],
    ["a list instead of files", ["files"], []],
    ["an unknown state", ["origins", 1, "times", 0, 3], "guilty"],
    ["a row that is too short", ["origins", 1, "times", 0], [null]],
    ["a flag that is not a boolean", ["origins", 1, "decisions", 0, 6], 1],
    [
      "an example without a valid hash",
      ["origins", 1, "crossings"],
      [["/", 0, 0, "CrawlerAa", "no-check", "violation", "none", true, false, 1, null, null, [["x", "/"]]]],
    ],
    ["rejects that are not numbers", ["inputs", 0, "rejects"], { a: "b" }],
  ])("%s; the schema refuses it, too", (_what, path, value) => {
    const damaged = read() as unknown;
    let at = damaged as Record<string | number, unknown>;
    for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
    at[path.at(-1)!] = value;
    expect(codeOf(() => checkDocument(damaged))).toBe("ERR_INVALID_DOCUMENT");
    expect(validate(damaged)).toBe(false);
  });

  test.each<[what: string, value: unknown]>([
    ["nothing", undefined],
    ["a list", []],
    ["a text", "document"],
    ["an empty object", {}],
  ])("%s", (_what, value) => {
    expect(codeOf(() => checkDocument(value))).toBe("ERR_INVALID_DOCUMENT");
  });

  test.each<[what: string, table: string, row: readonly unknown[]]>([
    ["a position outside the list of intervals", "firstFetches", [99, "CrawlerAa", "no-check", 5]],
    ["a crawler that is not listed", "pace", [60, "Nobody", "no-check", 1]],
    ["a minute without a time", "pace", [null, "CrawlerAa", "no-check", 1]],
  ])("%s", (_what, table, row) => {
    const damaged = read() as unknown as { origins: Record<string, unknown>[] };
    damaged.origins[1]![table] = [row];
    expect(codeOf(() => checkDocument(damaged))).toBe("ERR_INVALID_DOCUMENT");
  });

  test.each(["crawlers", "urls", "otherAgents", "origins", "pages"])("an entry that %s has twice", (list) => {
    const damaged = read() as unknown as Record<string, unknown[]>;
    damaged["otherAgents"] = [{ agent: "x/1", requests: 1 }];
    damaged["pages"] = [{ crawler: "CrawlerAa", pages: 1, findings: [] }];
    expect(codeOf(() => checkDocument(damaged))).toBeUndefined();
    const length = damaged[list]!.push(damaged[list]!.at(-1));
    expect(codeOf(() => checkDocument(damaged))).toBe("ERR_INVALID_DOCUMENT");
    expect(() => checkDocument(damaged)).toThrow(`${list}[${length - 1}] repeats "`);
  });

  test("a sketch with a wrong number of registers, or with a character that is not a rank", () => {
    const damaged = read() as unknown as { urls: { sketch: string }[] };
    for (const sketch of ["", "(4095)", "(4095)zz", "(4097)", "!(4095)"]) {
      damaged.urls[0]!.sketch = sketch;
      expect(
        codeOf(() => checkDocument(damaged)),
        sketch,
      ).toBe("ERR_INVALID_DOCUMENT");
    }
  });
});

describe("documents with different settings or equal inputs do not merge", () => {
  const other = documentFor(world, world.lines.slice(0, 100), {}, [{ ...input, name: "b.log", sha256: "bb" }]);

  test.each<[what: string, second: AuditDocument, code: string | undefined]>([
    ["two logs with equal settings, which merge", other, undefined],
    [
      "another registry",
      { ...other, settings: { ...other.settings, registry: "2027-01-01" } },
      "ERR_DIFFERENT_DOCUMENTS",
    ],
    ["another history", { ...other, settings: { ...other.settings, history: "00" } }, "ERR_DIFFERENT_DOCUMENTS"],
    [
      "other lists of addresses",
      { ...other, settings: { ...other.settings, ranges: "2026" } },
      "ERR_DIFFERENT_DOCUMENTS",
    ],
    ["another dialect", { ...other, settings: { ...other.settings, dialect: "google" } }, "ERR_DIFFERENT_DOCUMENTS"],
    ["another candidate", { ...other, settings: { ...other.settings, candidate: "x" } }, "ERR_DIFFERENT_DOCUMENTS"],
    [
      "another setting of queryValues",
      { ...other, settings: { ...other.settings, queryValues: true } },
      "ERR_DIFFERENT_DOCUMENTS",
    ],
    [
      "other limits",
      { ...other, settings: { ...other.settings, limits: { ...other.settings.limits, directories: 1 } } },
      "ERR_DIFFERENT_DOCUMENTS",
    ],
    ["the same input twice", { ...other, inputs: [{ ...input, name: "copy.log" }] }, "ERR_SAME_INPUT_TWICE"],
  ])("%s", (_what, second, code) => {
    expect(codeOf(() => mergeDocuments([document, second]))).toBe(code);
    expect(codeOf(() => mergeDocuments([second, document]))).toBe(code);
  });

  test("several inputs may have no records, and inputs are sorted by name", () => {
    const empty = { ...input, lines: 0, rejects: {} };
    const merged = mergeDocuments([
      { ...other, inputs: [{ ...empty, name: "z.log" }] },
      { ...document, inputs: [{ ...empty, name: "a.log" }] },
    ]);
    expect(merged.inputs.map(({ name }) => name)).toEqual(["a.log", "z.log"]);
    expect(merged.settings).toEqual({ ...document.settings, ...settings });
  });

  test("an empty list of documents", () => {
    expect(codeOf(() => mergeDocuments([]))).toBe("ERR_INVALID_DOCUMENT");
  });
});
