// Writes plain JSON data as its canonical text: keys are sorted, and each element of a list of lists or objects is on a line of its own.
import { rowSourceOf } from "./table-rows.ts";
import { type TableName, tableColumns } from "./tables.ts";
import type { AuditDocument } from "./types.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Values at this depth or deeper (a row of a table, or parts of it) are written as one text. */
const wholeDepth = 4;
/** The least length of each piece except the last piece. */
const pieceLength = 65_536;

/**
 * The canonical text of a document in pieces, with a line feed at its end. Equal documents have equal texts. Each row of a counted document
 * is made when it is written, so that the tables need not be in memory.
 */
export function* documentPiecesOf(document: AuditDocument): Generator<string, void, undefined> {
  let piece = "";
  for (const part of partsOf(document as unknown as Json, 0)) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}\n`;
}

/** The canonical text of a document, in one piece. */
export function documentTextOf(document: AuditDocument): string {
  return [...documentPiecesOf(document)].join("");
}

/** The canonical text of a document without its inputs. However a log is split, the merged document of its parts has the same text. */
export function countsTextOf(document: AuditDocument): string {
  return documentTextOf({ ...document, inputs: [] });
}

function* partsOf(value: Json, depth: number): Generator<string, void, undefined> {
  if (depth >= wholeDepth || value === null || typeof value !== "object" || isFlat(value)) {
    yield canonicalOf(value);
  } else if (Array.isArray(value)) {
    yield* partsOfList(value as readonly Json[], depth);
  } else {
    let before = "{";
    const object = value as Readonly<Record<string, Json>>;
    const rows = rowSourceOf(value);
    for (const key of Object.keys(object).toSorted()) {
      yield `${before}${JSON.stringify(key)}:`;
      if (rows !== undefined && Object.hasOwn(tableColumns, key)) yield* partsOfList(rows(key as TableName), depth + 1);
      else yield* partsOf(object[key]!, depth + 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  }
}

/** The parts of a list of lists or objects, which may be empty. */
function* partsOfList(list: Iterable<Json>, depth: number): Generator<string, void, undefined> {
  const isWhole = depth + 1 >= wholeDepth;
  let part = "[";
  let separator = "\n";
  for (const element of list) {
    part += separator;
    separator = ",\n";
    if (isWhole) part += canonicalOf(element);
    else {
      yield part;
      yield* partsOf(element, depth + 1);
      part = "";
    }
    if (part.length < pieceLength) continue;
    yield part;
    part = "";
  }
  yield separator === "\n" ? "[]" : `${part}\n]`;
}

/** The canonical text of plain data that is small. */
export function canonicalTextOf(value: unknown): string {
  return canonicalOf(value as Json);
}

function canonicalOf(value: Json): string {
  if (Array.isArray(value)) return listOf(value as readonly Json[]);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalOf(member)}`).join(",")}}`;
}

function listOf(list: readonly Json[]): string {
  if (isFlat(list)) return JSON.stringify(list);
  return `[\n${list.map(canonicalOf).join(",\n")}\n]`;
}

/** Whether a value is a list without lists and objects, which is written on one line. */
function isFlat(value: Json): boolean {
  return Array.isArray(value) && (value as readonly Json[]).every((each) => each === null || typeof each !== "object");
}
