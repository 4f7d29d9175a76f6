// The user-agent lines that chose the rules of a crawler, as one short run of bytes a matcher can keep (RFC 9309 §2.2.1).
//
// A list of a hundred crawlers above a rule costs a matcher no more than one name: kept are the first and the last line
// of a run of user-agent lines, those that name the crawler, and those on both sides of lines that stand in between
// without separating. All others of the run follow from these. An entry is laid out like an entry of the rules:
//   mark · length of what follows the head (3 bytes) · line number (4 bytes) · what follows
import { textOf } from "./bytes.ts";
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from "./keys.ts";
import { recordTypes } from "./records.ts";
import { type ParsedFile, kindOfRow, rowSize } from "./rows.ts";
import type { BindingGroup, BindingUserAgent, Join } from "./types.ts";

const headSize = 8;
/** Marks of an entry. The first user-agent line of a run. */
const FIRST = 1;
/** The line names the crawler: what follows is the index of the product token (3 bytes) and the value. */
const NAMES = 2;
/** Lines that do not separate stand between the user-agent line before and this one. */
const JOINED = 4;
/** An other record between two user-agent lines: what follows is its row in the table of records. */
const RECORD = 8;

/** Index of the product token that the user-agent line of a row names, or -1. */
export type NamedTokenOf = (row: number) => number;

/**
 * Writes down the runs of user-agent lines that hold the given rows, ascending, one row a run. Linear in the rows of
 * these runs; never longer than the file.
 */
export function bindingOf(
  { rows }: Pick<ParsedFile, "rows">,
  bytes: Uint8Array,
  chosen: readonly number[],
  tokenOf: NamedTokenOf,
): Uint8Array {
  const out: number[] = [];
  for (const row of chosen) writeRun(rows, bytes, row, tokenOf, out);
  return new Uint8Array(out);
}

function writeRun(
  rows: ParsedFile["rows"],
  bytes: Uint8Array,
  row: number,
  tokenOf: NamedTokenOf,
  out: number[],
): void {
  let at = row;
  for (let before = row - rowSize; before >= 0 && !isRule(rows[before]!); before -= rowSize) {
    if (kindOfRow(rows[before]!) === USER_AGENT) at = before;
  }
  let mark = FIRST;
  // The last user-agent line that was met, and whether it has an entry.
  let last = at;
  let isWritten = true;
  // What comes behind the last user-agent line stands between no two of them, and is cut off at the end.
  let size = out.length;
  for (; at < rows.length && !isRule(rows[at]!); at += rowSize) {
    const line = rows[at + 1]!;
    const kind = kindOfRow(rows[at]!);
    if (mark !== FIRST && kind === USER_AGENT && line > rows[last + 1]! + 1) mark = JOINED;
    if ((kind !== USER_AGENT || mark === JOINED) && !isWritten && out.length === size) {
      writeHead(out, 0, 0, rows[last + 1]!);
    }
    if (kind !== USER_AGENT) {
      writeHead(out, RECORD, 1, line);
      out.push(kind - OTHER);
      continue;
    }
    const token = tokenOf(at);
    if (token >= 0) {
      const start = rows[at + 2]!;
      const end = rows[at + 3]!;
      writeHead(out, mark | NAMES, 3 + end - start, line);
      out.push((token >> 16) & 0xff, (token >> 8) & 0xff, token & 0xff);
      for (let from = start; from < end; from++) out.push(bytes[from]!);
    } else if (mark !== 0) writeHead(out, mark, 0, line);
    isWritten = token >= 0 || mark !== 0;
    last = at;
    mark = 0;
    size = out.length;
  }
  out.length = size;
  if (!isWritten) writeHead(out, 0, 0, rows[last + 1]!);
}

function isRule(column: number): boolean {
  const kind = kindOfRow(column);
  return kind === ALLOW || kind === DISALLOW;
}

function writeHead(out: number[], mark: number, length: number, line: number): void {
  out.push(mark, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff);
  out.push((line >> 24) & 0xff, (line >> 16) & 0xff, (line >> 8) & 0xff, line & 0xff);
}

function lengthAt(binding: Uint8Array, at: number): number {
  return (binding[at + 1]! << 16) | (binding[at + 2]! << 8) | binding[at + 3]!;
}

function lineAt(binding: Uint8Array, at: number): number {
  return (binding[at + 4]! << 24) | (binding[at + 5]! << 16) | (binding[at + 6]! << 8) | binding[at + 7]!;
}

function tokenAt(binding: Uint8Array, at: number): number {
  const start = at + headSize;
  return (binding[start]! << 16) | (binding[start + 1]! << 8) | binding[start + 2]!;
}

/** Index of the product token that chose the run of user-agent lines a rule's line follows: the first one it names. */
export function tokenOfLine(binding: Uint8Array, line: number): number {
  let token = 0;
  let isOpen = false;
  for (let at = 0; at < binding.length && lineAt(binding, at) <= line; at += headSize + lengthAt(binding, at)) {
    const mark = binding[at]!;
    if ((mark & FIRST) !== 0) isOpen = true;
    if (isOpen && (mark & NAMES) !== 0) {
      token = tokenAt(binding, at);
      isOpen = false;
    }
  }
  return token;
}

/** Index of the product token that the first line of a binding to name one names. */
export function firstTokenOf(binding: Uint8Array): number {
  let at = 0;
  while (at < binding.length && (binding[at]! & NAMES) === 0) at += headSize + lengthAt(binding, at);
  return at < binding.length ? tokenAt(binding, at) : 0;
}

/** The runs of user-agent lines as frozen objects; `nameOf` gives the name of a token's index. */
export function bindingGroupsOf(binding: Uint8Array, nameOf: (token: number) => string): readonly BindingGroup[] {
  const groups: { fromLine: number; toLine: number; userAgents: BindingUserAgent[]; joins: Join[] }[] = [];
  let records: { name: string; line: number }[] = [];
  for (let at = 0; at < binding.length; at += headSize + lengthAt(binding, at)) {
    const mark = binding[at]!;
    const line = lineAt(binding, at);
    if ((mark & FIRST) !== 0) groups.push({ fromLine: line, toLine: line, userAgents: [], joins: [] });
    const group = groups.at(-1)!;
    if ((mark & RECORD) !== 0) {
      records.push(Object.freeze({ name: recordTypes[binding[at + headSize]!]!.name, line }));
      continue;
    }
    if ((mark & JOINED) !== 0) {
      group.joins.push(Object.freeze({ afterLine: group.toLine, beforeLine: line, records: Object.freeze(records) }));
      records = [];
    }
    group.toLine = line;
    if ((mark & NAMES) !== 0) {
      const value = textOf(binding, at + headSize + 3, at + headSize + lengthAt(binding, at));
      group.userAgents.push(Object.freeze({ line, value, productToken: nameOf(tokenAt(binding, at)) }));
    }
  }
  for (const group of groups) {
    Object.freeze(group.userAgents);
    Object.freeze(group.joins);
    Object.freeze(group);
  }
  return Object.freeze(groups);
}
