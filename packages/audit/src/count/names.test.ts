// Tests the numbering of names, the directories, parameters and examples of targets, texts of unknown agents, and the check of limits.
import fc from "fast-check";
import { createHistory } from "@robots-stream/fetch/history";
import { bytesOf } from "../hash.ts";
import { type CountLimits, limitsFor } from "./counter-input.ts";
import { AuditCounter } from "./counter.ts";
import { Directories, coarserDirectoryOf } from "./directories.ts";
import { exampleTextOf } from "./examples.ts";
import { Names, escapedTextOf, shownAgentOf } from "./names.ts";
import { Parameters } from "./parameters.ts";
import { describe, expect, test } from "vitest";

test("equal names have the same number, and a number gives its name back", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 100 }), (list) => {
      const names = new Names();
      const numbers = list.map((bytes) => names.numberOf(bytes, 0, bytes.length));
      const texts = list.map((bytes) => escapedTextOf(bytes, 0, bytes.length));
      expect(numbers.map((number) => names.textOf(number))).toEqual(texts);
      expect(names.count).toBe(new Set(texts).size);
      expect(texts.map((text) => names.numberOfText(text))).toEqual(numbers);
    }),
  );
});

describe("the directory of a target", () => {
  test.each<[target: string, directory: string, first: string]>([
    ["/", "/", "/"],
    ["/x", "/", "/"],
    ["/a/b", "/a/", "/a/"],
    ["/a/b/c", "/a/b/", "/a/"],
    ["/a/b/c/d/e", "/a/b/", "/a/"],
    ["/a?x=/b/c/", "/", "/"],
    ["/a/?x", "/a/", "/a/"],
    ["//a/b", "//a/", "//"],
    ["/caf\u00e9/x", "/caf%C3%A9/", "/caf%C3%A9/"],
    ["/a b/x", "/a%20b/", "/a%20b/"],
    [`/a/${"y".repeat(300)}/x`, "/a/", "/a/"],
    [`/${"y".repeat(300)}/x`, "…", "…"],
  ])("%s", (target, directory, first) => {
    const directories = new Directories(limitsFor(1), false);
    const bytes = bytesOf(target);
    expect(directories.names.textOf(directories.directoryOf(bytes, 0, bytes.length))).toBe(directory);
    expect(coarserDirectoryOf(directory, 1)).toBe(first);
    directories.foldTo(1);
    expect(directories.names.textOf(directories.directoryOf(bytes, 0, bytes.length))).toBe(first);
    directories.foldTo(2);
    expect(directories.names.textOf(directories.directoryOf(bytes, 0, bytes.length))).toBe("…");
  });
});

describe("parameters", () => {
  test.each<[query: string, counts: Readonly<Record<string, number>>]>([
    ["a=1&b=2", { a: 1, b: 1 }],
    ["a=1&a=2", { a: 1 }],
    ["secret", { "…": 1 }],
    ["=x&y&z", { "…": 1 }],
    ["a==b&&c=", { a: 1, c: 1 }],
    [`${"n".repeat(65)}=1`, { "…": 1 }],
    ["", {}],
    [
      Array.from({ length: 40 }, (_, at) => `p${at}=1`).join("&"),
      Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`p${at}`, 1])),
    ],
  ])("%s", (query, counts) => {
    const parameters = new Parameters(100);
    const bytes = bytesOf(query);
    parameters.addQuery(bytes, 0, bytes.length, 0, 0);
    const { names, tables } = parameters;
    const { cells } = tables.requests;
    const found = Array.from({ length: cells.count }, (_, cell) => [
      names.textOf(cells.keyOf(cell) / 128),
      cells.valueOf(cell, 0),
    ]);
    expect(Object.fromEntries(found)).toEqual(counts);
  });
});

test.each<[what: string, limits: Partial<CountLimits>]>([
  ["a limit of 0", { directories: 0 }],
  ["more directories than keys have room for", { directories: 65_537 }],
  ["a limit that is not an integer", { timeCells: 0.5 }],
])("limits are checked: %s", (_what, limits) => {
  expect(() => new AuditCounter({ history: createHistory([]), crawlers: [], limits })).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
  );
});

test.each<[target: string, text: string]>([
  ["/a?user=bob&token=x", "/a?user=…&token=…"],
  ["/a?secret", "/a?…"],
  ["/a", "/a"],
  [`/${"y".repeat(300)}`, `/${"y".repeat(199)}…`],
])("the example %s", (target, text) => {
  const bytes = bytesOf(target);
  expect(exampleTextOf(bytes, 0, bytes.length, false)).toBe(text);
});

test.each([
  ["spaces stay", "A B  C ", "A B  C "],
  ["a literal %20 is not a space", "A%20B C", "A%20B C"],
  ["other bytes are escaped", "a\tb é", "a%09b %C3%A9"],
  ["nothing", "", ""],
  ["200 bytes are kept", `${"x".repeat(199)} y`, `${"x".repeat(199)} `],
])("the text that is kept of an unknown agent: %s", (_what, header, shown) => {
  expect(shownAgentOf(new TextEncoder().encode(header))).toBe(shown);
});
