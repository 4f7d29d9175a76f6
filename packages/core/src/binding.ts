// The user-agent lines that chose the rules of a crawler, as a few numbers a matcher can keep (RFC 9309 §2.2.1).
//
// A list of a hundred crawlers above a rule costs a matcher no more than one name: kept are the first and the last line
// of a run of user-agent lines, those that name the crawler, and those on both sides of lines that stand in between
// without separating. All others of the run follow from these. An entry is
//   mark and length of the value · line number · what the mark says follows
import { copyOf, grownTo, textOf } from "./bytes.ts";
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from "./keys.ts";
import { knownRecords } from "./known-records.ts";
import { kindOfRow, rowSize } from "./rows.ts";
import { EVERYBODY } from "./token.ts";
import type { BindingGroup, BindingUserAgent, Join } from "./types.ts";

const headSize = 2;
/** Marks of an entry. The first user-agent line of a run. */
const FIRST = 1;
/** The line names the crawler: the index of the product token follows, and the value, a byte a number. */
const NAMES = 2;
/** Lines that do not separate stand between the user-agent line before and this one. */
const JOINED = 4;
/** An other record between two user-agent lines: its row in the table of records follows. */
const RECORD = 8;
/** The length of the value stands above the marks. */
const lengthShift = 4;

/** Entries one after another. */
export type Binding = Int32Array | readonly number[];

/** Of each row of the file at hand whom it names, as `nameRows` of rules.ts says. */
export const names: number[] = [];

// One growing buffer for all calls: writing is synchronous and what it yields is copied out.
let out: Int32Array = new Int32Array(256);
let size = 0;
const keptSize = 16 * 1024;
const plainSize = 32;

/**
 * Writes down the runs of user-agent lines that hold the given rows, ascending, one row a run: lines that name tokens where
 * the first one does, else those that name everybody. {@link names} tells whom a line names. Linear in the
 * rows of these runs and in the values that name the crawler.
 */
export function bindingOf(rows: Int32Array, bytes: Uint8Array, chosen: readonly number[]): Binding {
  size = 0;
  for (let run = 0; run < chosen.length; run++) writeRun(rows, bytes, chosen[run]!);
  const binding = copyOf(out, size, plainSize);
  if (out.length > keptSize) out = new Int32Array(256);
  return binding;
}

function writeRun(rows: Int32Array, bytes: Uint8Array, row: number): void {
  // With this added a name is the index of a token, or below zero.
  const added = names[row / rowSize] === EVERYBODY ? -EVERYBODY : 0;
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
      writeHead(RECORD, 0, line);
      out[size++] = kind - OTHER;
      continue;
    }
    const token = names[at / rowSize]! + added;
    if (token >= 0) {
      const start = rows[at + 2]!;
      const end = rows[at + 3]!;
      writeHead(mark | NAMES, end - start, line);
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
  const most = size + headSize + 1 + length;
  if (most > out.length) out = grownTo(out, most);
  out[size] = mark + (length << lengthShift);
  out[size + 1] = line;
  size += headSize;
}

/** Position of the entry after the one at a position. */
function nextOf(binding: Binding, at: number): number {
  const head = binding[at]!;
  if ((head & (NAMES | RECORD)) === 0) return at + headSize;
  return at + headSize + 1 + (head >> lengthShift);
}

/** The value of the entry at a position. */
function valueAt(binding: Binding, at: number): string {
  const value = Uint8Array.from(binding.slice(at + headSize + 1, nextOf(binding, at)));
  return textOf(value, 0, value.length);
}

/**
 * Index of the product token that chose the run of user-agent lines a rule's line follows, or the first run when there
 * is none above the line: the first token it names.
 */
export function tokenOfLine(binding: Binding, line: number): number {
  let token = -1;
  let isOpen = false;
  for (let at = 0; at < binding.length && (token < 0 || binding[at + 1]! <= line); at = nextOf(binding, at)) {
    const mark = binding[at]!;
    if ((mark & FIRST) !== 0) isOpen = true;
    if (isOpen && (mark & NAMES) !== 0) {
      token = binding[at + headSize]!;
      isOpen = false;
    }
  }
  return token;
}

/** The runs of user-agent lines as frozen objects; `nameOf` gives the name of a token's index. */
export function bindingGroupsOf(binding: Binding, nameOf: (token: number) => string): readonly BindingGroup[] {
  const groups: { fromLine: number; toLine: number; userAgents: BindingUserAgent[]; joins: Join[] }[] = [];
  let records: { name: string; line: number }[] = [];
  for (let at = 0; at < binding.length; at = nextOf(binding, at)) {
    const mark = binding[at]!;
    const line = binding[at + 1]!;
    if ((mark & FIRST) !== 0) groups.push({ fromLine: line, toLine: line, userAgents: [], joins: [] });
    const group = groups.at(-1)!;
    if ((mark & RECORD) !== 0) {
      records.push(Object.freeze({ name: knownRecords[binding[at + headSize]!]!.name, line }));
      continue;
    }
    if ((mark & JOINED) !== 0) {
      group.joins.push(Object.freeze({ afterLine: group.toLine, beforeLine: line, records: Object.freeze(records) }));
      records = [];
    }
    group.toLine = line;
    if ((mark & NAMES) !== 0) {
      const value = valueAt(binding, at);
      group.userAgents.push(Object.freeze({ line, value, productToken: nameOf(binding[at + headSize]!) }));
    }
  }
  for (const group of groups) [group.userAgents, group.joins, group].forEach(Object.freeze);
  return Object.freeze(groups);
}
