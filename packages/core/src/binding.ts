// The user-agent lines that chose the rules of a crawler, as one short run of numbers a matcher can keep (RFC 9309 §2.2.1).
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

// One growing buffer for all calls: writing is synchronous and what it yields is copied out.
let out: Uint8Array = new Uint8Array(1024);
let size = 0;
const keptSize = 64 * 1024;

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
  size = 0;
  for (let run = 0; run < chosen.length; run++) writeRun(rows, bytes, chosen[run]!, tokenOf);
  const binding = out.slice(0, size);
  if (out.length > keptSize) out = new Uint8Array(1024);
  return binding;
}

function writeRun(rows: ParsedFile["rows"], bytes: Uint8Array, row: number, tokenOf: NamedTokenOf): void {
  let at = row;
  for (let before = row - rowSize; before >= 0 && !isRule(rows[before]!); before -= rowSize) {
    if (kindOfRow(rows[before]!) === USER_AGENT) at = before;
  }
  let mark = FIRST;
  // The last user-agent line that was met, and whether it has an entry.
  let last = at;
  let isWritten = true;
  // What comes behind the last user-agent line stands between no two of them, and is cut off at the end.
  let sizeAfterLast = size;
  for (; at < rows.length && !isRule(rows[at]!); at += rowSize) {
    const line = rows[at + 1]!;
    const kind = kindOfRow(rows[at]!);
    if (mark !== FIRST && kind === USER_AGENT && line > rows[last + 1]! + 1) mark = JOINED;
    if ((kind !== USER_AGENT || mark === JOINED) && !isWritten && size === sizeAfterLast) {
      writeHead(0, 0, rows[last + 1]!);
    }
    if (kind !== USER_AGENT) {
      writeHead(RECORD, 1, line);
      out[size++] = kind - OTHER;
      continue;
    }
    const token = tokenOf(at);
    if (token >= 0) {
      const start = rows[at + 2]!;
      const end = rows[at + 3]!;
      writeHead(mark | NAMES, 3 + end - start, line);
      out[size++] = token >> 16;
      out[size++] = token >> 8;
      out[size++] = token;
      for (let from = start; from < end; from++) out[size++] = bytes[from]!;
    } else if (mark !== 0) writeHead(mark, 0, line);
    isWritten = token >= 0 || mark !== 0;
    last = at;
    mark = 0;
    sizeAfterLast = size;
  }
  size = sizeAfterLast;
  if (!isWritten) writeHead(0, 0, rows[last + 1]!);
}

function isRule(column: number): boolean {
  const kind = kindOfRow(column);
  return kind === ALLOW || kind === DISALLOW;
}

/** Writes the head of an entry and makes room for what follows it. */
function writeHead(mark: number, length: number, line: number): void {
  if (size + headSize + length > out.length) {
    const larger = new Uint8Array((size + headSize + length) * 2);
    larger.set(out);
    out = larger;
  }
  out[size] = mark;
  out[size + 1] = length >> 16;
  out[size + 2] = length >> 8;
  out[size + 3] = length;
  out[size + 4] = line >> 24;
  out[size + 5] = line >> 16;
  out[size + 6] = line >> 8;
  out[size + 7] = line;
  size += headSize;
}

function lengthAt(binding: readonly number[], at: number): number {
  return (binding[at + 1]! << 16) | (binding[at + 2]! << 8) | binding[at + 3]!;
}

function lineAt(binding: readonly number[], at: number): number {
  return (binding[at + 4]! << 24) | (binding[at + 5]! << 16) | (binding[at + 6]! << 8) | binding[at + 7]!;
}

function tokenAt(binding: readonly number[], at: number): number {
  const start = at + headSize;
  return (binding[start]! << 16) | (binding[start + 1]! << 8) | binding[start + 2]!;
}

/** Index of the product token that chose the run of user-agent lines a rule's line follows: the first one it names. */
export function tokenOfLine(binding: readonly number[], line: number): number {
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
export function firstTokenOf(binding: readonly number[]): number {
  let at = 0;
  while (at < binding.length && (binding[at]! & NAMES) === 0) at += headSize + lengthAt(binding, at);
  return at < binding.length ? tokenAt(binding, at) : 0;
}

/** The runs of user-agent lines as frozen objects; `nameOf` gives the name of a token's index. */
export function bindingGroupsOf(
  binding: readonly number[],
  nameOf: (token: number) => string,
): readonly BindingGroup[] {
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
      const value = textOf(Uint8Array.from(binding), at + headSize + 3, at + headSize + lengthAt(binding, at));
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
