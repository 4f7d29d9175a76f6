// Encodes the user-agent lines that chose the rules of a crawler as a few numbers, which a matcher keeps (RFC 9309 §2.2.1).
//
// A run of a hundred user-agent lines takes little more memory than one line. A binding has entries only for the first and
// the last user-agent line of the run, the lines that name the crawler, the user-agent lines next to an interruption of the
// run, and the other records that interrupt the run. An entry is
//   mark and length of the value · line number · more numbers, depending on the mark
import { copyOf, grownTo, textOf } from "../read/bytes.ts";
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from "../read/keys.ts";
import { knownRecords } from "../read/known-records.ts";
import { endColumn, kindOfRow, lineColumn, rowSize, startColumn } from "../read/rows.ts";
import { EVERYBODY } from "../read/token.ts";
import type { BindingGroup, BindingUserAgent, Join } from "../read/types.ts";

const headSize = 2;
/** The position of the line number in a head. */
const lineAtHead = 1;
/** Marks of an entry, one bit each. This one: the line is the first user-agent line of a run. */
const FIRST = 1;
/** The line names the crawler: the index of the product token and the value follow, one number per byte. */
const NAMES = 2;
/** Other lines, which do not end the run, are between the previous user-agent line and this one. */
const JOINED = 4;
/** The line is an other record between two user-agent lines: the index of its name in `knownRecords` follows. */
const RECORD = 8;
/** The length of the value is in the bits above the marks. */
const lengthShift = 4;

/** The entries of a binding, one after another. */
export type Binding = Int32Array | readonly number[];

/** The result of the last call of `nameRows`: one number for each row of the file. */
export const names: number[] = [];

const initialLength = 256;
const longestKept = 16 * 1024;
const longestPlain = 32;

/** Writes entries into one growing buffer. All calls share it, since writing is synchronous and `take` copies the result. */
class BindingWriter {
  #out = new Int32Array(initialLength);
  #size = 0;

  /** A copy of the entries written since the last call. */
  take(): Binding {
    const binding = copyOf(this.#out, this.#size, longestPlain);
    if (this.#out.length > longestKept) this.#out = new Int32Array(initialLength);
    this.#size = 0;
    return binding;
  }

  /** Writes the entries of the run of user-agent lines that contains the line of `row`. That line names the crawler or is for `*`. */
  writeRun(rows: Int32Array, bytes: Uint8Array, row: number): void {
    // An element of `names` plus `added` is the index of the product token, or negative for a line that does not name the crawler.
    // For `*` the index is 0.
    const added = names[row / rowSize] === EVERYBODY ? -EVERYBODY : 0;
    let at = firstOfRun(rows, row);
    let mark = FIRST;
    // The last user-agent line that was read, and whether it has an entry.
    let last = at;
    let isWritten = true;
    // Records after the last user-agent line are not between two user-agent lines: their entries are removed at the end.
    let sizeAfterLast = this.#size;
    for (; at < rows.length && !isRule(rows[at]!); at += rowSize) {
      const line = rows[at + lineColumn]!;
      const kind = kindOfRow(rows[at]!);
      if (mark !== FIRST && kind === USER_AGENT && line > rows[last + lineColumn]! + 1) mark = JOINED;
      if ((kind !== USER_AGENT || mark === JOINED) && !isWritten && this.#size === sizeAfterLast) {
        this.#writeHead(0, 0, rows[last + lineColumn]!);
      }
      if (kind !== USER_AGENT) {
        this.#writeHead(RECORD, 0, line);
        this.#out[this.#size++] = kind - OTHER;
        continue;
      }
      const productToken = names[at / rowSize]! + added;
      if (productToken >= 0) {
        this.#writeNaming(mark, line, productToken, bytes, rows[at + startColumn]!, rows[at + endColumn]!);
      } else if (mark !== 0) this.#writeHead(mark, 0, line);
      isWritten = productToken >= 0 || mark !== 0;
      last = at;
      mark = 0;
      sizeAfterLast = this.#size;
    }
    this.#size = sizeAfterLast;
    if (!isWritten) this.#writeHead(0, 0, rows[last + lineColumn]!);
  }

  /** Writes a line that names the crawler, with its value. */
  #writeNaming(mark: number, line: number, productToken: number, bytes: Uint8Array, start: number, end: number): void {
    this.#writeHead(mark | NAMES, end - start, line);
    const out = this.#out;
    out[this.#size++] = productToken;
    for (let from = start; from < end; from++) out[this.#size++] = bytes[from]!;
  }

  /** Writes the head of an entry and makes room for the rest of the entry. */
  #writeHead(mark: number, length: number, line: number): void {
    const most = this.#size + headSize + 1 + length;
    if (most > this.#out.length) this.#out = grownTo(this.#out, most);
    this.#out[this.#size] = mark + (length << lengthShift);
    this.#out[this.#size + lineAtHead] = line;
    this.#size += headSize;
  }
}

const writer = new BindingWriter();

/**
 * Returns the binding for several runs of user-agent lines. `chosen` has one row of each run, ascending. Either all these rows name a
 * product token, or all name `*`. The caller has filled {@link names} for the file. Linear in the rows of these runs and in the values that
 * name the crawler.
 */
export function bindingOf(rows: Int32Array, bytes: Uint8Array, chosen: readonly number[]): Binding {
  for (let run = 0; run < chosen.length; run++) writer.writeRun(rows, bytes, chosen[run]!);
  return writer.take();
}

/** The row of the first user-agent line in the run that contains `row`. */
function firstOfRun(rows: Int32Array, row: number): number {
  let first = row;
  for (let before = row - rowSize; before >= 0 && !isRule(rows[before]!); before -= rowSize) {
    if (kindOfRow(rows[before]!) === USER_AGENT) first = before;
  }
  return first;
}

function isRule(column: number): boolean {
  const kind = kindOfRow(column);
  return kind === ALLOW || kind === DISALLOW;
}

/** The position of the next entry after the entry at `at`. */
function nextOf(binding: Binding, at: number): number {
  const head = binding[at]!;
  if ((head & (NAMES | RECORD)) === 0) return at + headSize;
  return at + headSize + 1 + (head >> lengthShift);
}

/** The user-agent value of the entry at `at`. */
function valueAt(binding: Binding, at: number): string {
  const value = Uint8Array.from(binding.slice(at + headSize + 1, nextOf(binding, at)));
  return textOf(value, 0, value.length);
}

/**
 * The index of the product token that chose the group of the rule on line number `line`: the first product token that the run of
 * user-agent lines above this line names. For a line above all runs, the result is the first product token of the first run.
 */
export function tokenOfLine(binding: Binding, line: number): number {
  let token = -1;
  let isOpen = false;
  for (let at = 0; at < binding.length && (token < 0 || binding[at + lineAtHead]! <= line); at = nextOf(binding, at)) {
    const mark = binding[at]!;
    if ((mark & FIRST) !== 0) isOpen = true;
    if (isOpen && (mark & NAMES) !== 0) {
      token = binding[at + headSize]!;
      isOpen = false;
    }
  }
  return token;
}

/** The runs of user-agent lines as frozen objects; `nameOf` returns the product token for an index. */
export function bindingGroupsOf(binding: Binding, nameOf: (token: number) => string): readonly BindingGroup[] {
  const groups: { fromLine: number; toLine: number; userAgents: BindingUserAgent[]; joins: Join[] }[] = [];
  let records: { name: string; line: number }[] = [];
  for (let at = 0; at < binding.length; at = nextOf(binding, at)) {
    const mark = binding[at]!;
    const line = binding[at + lineAtHead]!;
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
