// Tests that rows made one by one equal the table's rows in their order, for documents that keep their tables and for larger documents.
import { expect, test } from "vitest";
import { type AuditDocument, countsTextOf, documentTextOf, mergeDocuments, printCsv } from "../src/index.ts";
import { tableRowsOf } from "../src/document/table-rows.ts";
import { compareRows, tableNames } from "../src/document/tables.ts";
import { documentFor } from "./feed.ts";
import { createWorld } from "./generator.ts";

/** The same document with plain arrays as tables. */
function copyOf(document: AuditDocument): AuditDocument {
  return JSON.parse(JSON.stringify(document)) as AuditDocument;
}

test.each([
  ["a small document", 3, { hosts: 4, crawlers: 5, lines: 500 }, 0],
  ["a large document", 5, { hosts: 60, crawlers: 30, lines: 5_000 }, 10_000],
] as const)("%s: rows, tables, text and CSV agree", (_what, seed, size, leastRows) => {
  const world = createWorld(seed, size);
  const document = documentFor(world, world.lines);
  const copy = copyOf(document);
  let rows = 0;
  for (const [at, origin] of document.origins.entries()) {
    for (const name of tableNames) {
      const table = [...tableRowsOf(origin, name)];
      expect(table).toEqual(copy.origins[at]![name]);
      expect(origin[name]).toEqual(table);
      expect(table.toSorted(compareRows)).toEqual(table);
      rows += table.length;
    }
  }
  expect(rows).toBeGreaterThan(leastRows);
  expect(documentTextOf(document)).toBe(documentTextOf(copy));
  for (const name of tableNames) expect(printCsv(document, name)).toBe(printCsv(copy, name));
  const parts = [world.lines.slice(0, 300), world.lines.slice(300)].map((lines) => documentFor(world, lines));
  expect(countsTextOf(mergeDocuments(parts))).toBe(countsTextOf(copy));
});
