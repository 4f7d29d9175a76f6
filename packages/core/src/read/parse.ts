// Parses the bytes of a robots.txt into the rows that matchers read (RFC 9309 §2.2).
import { encodeUtf8, grownTo, lowerKeyOf, utf8Of } from "./bytes.ts";
import { contentsOf } from "./contents.ts";
import { type Dialect, type ParseOptions, dialectIn } from "./dialect.ts";
import { DirectiveCursor } from "./directives.ts";
import { checkText, CoreError } from "./errors.ts";
import { longestRecordName, NONE, OTHER, recordRowOf, SITEMAP, sitemapRow, USER_AGENT } from "./keys.ts";
import {
  type ParsedFile,
  endColumn,
  ESCAPABLE_MARK,
  lineColumn,
  REFUSED_MARK,
  rowSize,
  startColumn,
} from "./parsed-file.ts";
import { lastLineEndOf, readOrdinaryLines } from "./ordinary.ts";
import type { Group, OtherRecord, RobotsTxt } from "./types.ts";

/** A parsed file: its bytes, and one row of four numbers for each line with a known key. */
export class ParsedRobots implements RobotsTxt, ParsedFile {
  readonly bytes: Uint8Array;
  readonly rows: Int32Array;
  readonly dialect: Dialect;
  #contents: { readonly groups: readonly Group[]; readonly records: readonly OtherRecord[] } | undefined;

  constructor(bytes: Uint8Array, rows: Int32Array, dialect: Dialect) {
    this.bytes = bytes;
    this.rows = rows;
    this.dialect = dialect;
  }

  get groups(): readonly Group[] {
    return (this.#contents ??= contentsOf(this)).groups;
  }

  get records(): readonly OtherRecord[] {
    return (this.#contents ??= contentsOf(this)).records;
  }

  toJSON(): { groups: readonly Group[]; records: readonly OtherRecord[] } {
    return { groups: this.groups, records: this.records };
  }
}

/** Throws a {@link CoreError} (`ERR_FOREIGN_ROBOTS`) unless {@link parseRobotsTxt} or {@link parseUnchanging} made the object. */
export function checkParsed(robots: RobotsTxt): asserts robots is ParsedRobots {
  if (!(robots instanceof ParsedRobots)) {
    throw new CoreError("ERR_FOREIGN_ROBOTS", "The RobotsTxt was not made by parseRobotsTxt.");
  }
}

// All calls share one growing buffer and one cursor, since parsing is synchronous and the rows are copied at the end.
const scratch: { readonly text: Uint8Array; rows: Int32Array; cursor?: DirectiveCursor } = {
  text: new Uint8Array(48 * 1024),
  rows: new Int32Array(1024 * rowSize),
};
const noBytes = new Uint8Array(0);
const scratchKeptLength = 64 * 1024 * rowSize;

/**
 * Parses a robots.txt. Any bytes and any string parse without an error; a string is read as its UTF-8 bytes. The caller may
 * change the bytes afterwards. Linear in the input. The input may have any size; a caller that wants a limit cuts the input, at
 * 512,000 bytes or more (RFC 9309 §2.5).
 * Throws a {@link CoreError} for anything but a string and bytes (`ERR_INVALID_ARGUMENT`), for an unknown dialect (`ERR_UNKNOWN_DIALECT`)
 * and an unknown option (`ERR_INVALID_OPTION`).
 */
export function parseRobotsTxt(input: string | Uint8Array, options?: ParseOptions): RobotsTxt {
  checkText(input, true);
  const dialect = dialectIn(options);
  const source = typeof input === "string" ? encoded(input) : input;
  const length = readRows(source, dialect);
  // One allocation for rows and bytes: for a small file, a buffer costs as much time as reading it.
  const rowBytes = length * Int32Array.BYTES_PER_ELEMENT;
  const buffer = new ArrayBuffer(rowBytes + source.length);
  const bytes = new Uint8Array(buffer, rowBytes);
  bytes.set(source);
  return new ParsedRobots(bytes, takenRows(new Int32Array(buffer, 0, length)), dialect);
}

/**
 * Parses a robots.txt like {@link parseRobotsTxt}, for callers that never change the bytes afterwards: keeps a reference to the bytes
 * instead of a copy. Throws as {@link parseRobotsTxt} does.
 */
export function parseUnchanging(bytes: Uint8Array, options?: ParseOptions): RobotsTxt {
  const dialect = dialectIn(options);
  return new ParsedRobots(bytes, takenRows(new Int32Array(readRows(bytes, dialect))), dialect);
}

/** The UTF-8 bytes of a string. Those of a short one are valid until the next call. */
function encoded(text: string): Uint8Array {
  return text.length * 3 > scratch.text.length
    ? utf8Of(text)
    : scratch.text.subarray(0, encodeUtf8(text, scratch.text));
}

/** Fills `rows` with the rows that {@link readRows} has read. */
function takenRows(rows: Int32Array): Int32Array {
  rows.set(scratch.rows.subarray(0, rows.length));
  if (scratch.rows.length > scratchKeptLength) scratch.rows = new Int32Array(1024 * rowSize);
  return rows;
}

/** Reads the rows of a file into the scratch buffer; returns how many numbers they are. */
function readRows(bytes: Uint8Array, dialect: Dialect): number {
  const cursor = (scratch.cursor ??= new DirectiveCursor(noBytes, 0, dialect));
  cursor.open(bytes, bytes.length, dialect);
  const lastEnd = dialect.lenientKeys ? lastLineEndOf(bytes, bytes.length) : -1;
  let { rows } = scratch;
  let size = 0;
  let kind: number = USER_AGENT;
  for (;;) {
    // Comments and blank lines usually follow one another. After a line without a directive, `cursor.next()` therefore reads the next line.
    for (let before = -1; before < size && kind !== NONE;) {
      if (size === rows.length) rows = scratch.rows = grownTo(rows, 0);
      before = size;
      size = readOrdinaryLines(cursor, lastEnd, rows, size);
    }
    if (!cursor.next()) break;
    kind = cursor.kind;
    if (kind === NONE) continue;
    if (kind === SITEMAP) kind = OTHER + sitemapRow;
    else if (kind === OTHER) {
      const { keyStart, keyEnd } = cursor;
      const row = keyEnd - keyStart > longestRecordName ? -1 : recordRowOf(lowerKeyOf(bytes, keyStart, keyEnd));
      if (row < 0) continue;
      kind += row;
    } else if (kind !== USER_AGENT && (cursor.refused || (dialect.refusesRelativePatterns && isRelative(cursor)))) {
      kind |= REFUSED_MARK;
    }
    if (cursor.escapable) kind |= ESCAPABLE_MARK;
    rows[size] = kind;
    rows[size + lineColumn] = cursor.line;
    rows[size + startColumn] = cursor.valueStart;
    rows[size + endColumn] = cursor.valueEnd;
    size += rowSize;
  }
  cursor.open(noBytes, 0, dialect);
  return size;
}

/** Whether a rule's value is not empty and begins with neither `/` nor `*`. */
function isRelative({ bytes, valueStart, valueEnd }: DirectiveCursor): boolean {
  return valueStart < valueEnd && bytes[valueStart] !== 0x2f && bytes[valueStart] !== 0x2a;
}
