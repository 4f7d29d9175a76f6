// Finds the rule that wins for a path (RFC 9309 §2.2.2). Matchers, traces and lists of patterns ask it.
//
// A row stands for each rule. Its filter rejects nearly all paths without reading the pattern: the first four bytes of every match, or the
// set of characters that a match contains. After some paths, rows whose filter is four bytes are in buckets by the hash of these bytes; the
// other rows are in bucket 0. A decision then reads bucket 0 and one other bucket. Its time is linear in the rules of both, in their patterns and in the path: see
// `Path.indexFor`, which keeps it linear for thousands of patterns that each nearly match a path of thousands of bytes.
import { matchesPattern } from "./pattern.ts";
import { type Path, firstFourOf, setOf, starBit } from "./path.ts";
import {
  DISALLOWS,
  HAS_END,
  HAS_STAR,
  NAMES_INDEX,
  folderEndOf,
  headSize,
  nextEntry,
  octetsOf,
  patternLengthAt,
} from "./entries.ts";

/**
 * The numbers of a row: the filter · the set of characters of a pattern with a star, with `starBit`, otherwise 0 · the strength · the start
 * of the pattern in the entries · twice its end, plus one when a match must end with the path. The filter is the first four bytes of every
 * match, or that set with the sign bit.
 *
 * Of the rules that match, the strongest wins; of equally strong rules, the first in the entries. The strength is twice the octets of the
 * pattern, plus one for an allow rule.
 */
const rowSize = 5;
const setAt = 1;
const strengthAt = 2;
const startAt = 3;
const endAt = 4;

/** Up to this many rules are not in buckets; more rules are, from the path with this number on. */
const fewRules = 24;
const pathsBeforeBuckets = 16;
const mostBucketBits = 16;

/** A row as an object. */
export interface TableRow {
  /** The position of the rule's entry. */
  readonly entry: number;
  /** The range of the pattern in the entries, without a final `$`. An allow rule for an index file has two rows: its own, and the folder's. */
  readonly start: number;
  readonly stop: number;
  /** Whether a match must end with the path. */
  readonly isTied: boolean;
  readonly strength: number;
}

/** The rules in entries that entries.ts wrote. */
export class RuleTable {
  readonly entries: Uint8Array;
  readonly count: number;
  readonly #countsLiterals: boolean;
  /** The strength of the rule that `find` found last. */
  strength = -1;
  /** The rows; kept from the second path on, because many files are asked only once. */
  #rows: Int32Array | undefined;
  /** The end of each bucket in the rows; undefined before the rows are sorted into buckets, and with few rules. */
  #ends: Int32Array | undefined;
  #asked = 0;

  /** `count`: the number of the rules. `countsLiterals`: see `octetsOf`. */
  constructor(entries: Uint8Array, count: number, countsLiterals: boolean) {
    this.entries = entries;
    this.count = count;
    this.#countsLiterals = countsLiterals;
  }

  /** The position of the entry of the strongest rule that matches the path and is stronger than `above`; -1 when there is none. */
  find(path: Path, above: number): number {
    let rows = this.#rows;
    let stop = 0;
    if (this.#asked < pathsBeforeBuckets && ++this.#asked === pathsBeforeBuckets) rows = this.#sortRows();
    if (rows === undefined && this.#asked === 1) {
      rows = scratchFor(this.count);
      stop = writeRows(this.entries, this.#countsLiterals, rows);
    } else {
      rows ??= this.#makeRows();
      stop = rows.length;
    }
    const ends = this.#ends;
    const { first } = path;
    let strength = above;
    let missing = -1;
    let best = -1;
    let row = 0;
    if (ends !== undefined) stop = ends[0]!;
    for (let isLast = ends === undefined || first < 0; ; isLast = true) {
      for (; row < stop; row += rowSize) {
        const filter = rows[row]!;
        if (filter >= 0) {
          if (filter !== first) continue;
        } else {
          if (missing < 0) missing = path.missing;
          if ((filter & missing) !== 0) continue;
        }
        const rowStrength = rows[row + strengthAt]!;
        if (rowStrength < strength) continue;
        if (rowStrength === strength && (best < 0 || rows[row + startAt]! > rows[best + startAt]!)) continue;
        const set = rows[row + setAt]!;
        if (set !== 0 && filter >= 0) {
          if (missing < 0) missing = path.missing;
          if ((set & missing) !== 0) continue;
        }
        if (!this.#matches(rows, row, path)) continue;
        strength = rowStrength;
        best = row;
      }
      if (isLast) break;
      const bucket = bucketOf(first, ends!.length);
      row = ends![bucket - 1]!;
      stop = ends![bucket]!;
    }
    this.strength = strength;
    return best < 0 ? -1 : rows[best + startAt]! - headSize;
  }

  /** All rows, the strongest first. */
  rows(): TableRow[] {
    return this.#rowsWhere(() => true);
  }

  /** The rows that match a path, the strongest first. */
  rowsMatching(path: Path): TableRow[] {
    return this.#rowsWhere((rows, row) => this.#matches(rows, row, path));
  }

  #rowsWhere(isWanted: (rows: Int32Array, row: number) => boolean): TableRow[] {
    const rows = this.#rows ?? this.#makeRows();
    const wanted: TableRow[] = [];
    for (let row = 0; row < rows.length; row += rowSize) {
      if (!isWanted(rows, row)) continue;
      const start = rows[row + startAt]!;
      const end = rows[row + endAt]!;
      const strength = rows[row + strengthAt]!;
      wanted.push({ entry: start - headSize, start, stop: end >> 1, isTied: (end & 1) !== 0, strength });
    }
    return wanted.sort((one, other) => other.strength - one.strength || one.start - other.start);
  }

  #matches(rows: Int32Array, row: number, path: Path): boolean {
    const { entries } = this;
    const { bytes } = path;
    const end = rows[row + endAt]!;
    const stop = end >> 1;
    const isTied = (end & 1) !== 0;
    let from = rows[row + startAt]!;
    let at = path.start;
    if (rows[row + setAt] === 0) return matchesPattern(entries, from, stop, isTied, bytes, at, path.end);
    for (; entries[from] !== STAR; from++, at++) if (at >= path.end || bytes[at] !== entries[from]) return false;
    const index = path.indexFor(stop - from);
    if (index !== undefined) return index.holds(entries, from, stop, isTied, at);
    return matchesPattern(entries, from, stop, isTied, bytes, at, path.end);
  }

  #makeRows(): Int32Array {
    const rows = scratchFor(this.count);
    return (this.#rows = rows.slice(0, writeRows(this.entries, this.#countsLiterals, rows)));
  }

  /** Sorts the rows into buckets, unless there are few. Rows of a bucket stay in their order. */
  #sortRows(): Int32Array {
    const rows = this.#rows ?? this.#makeRows();
    if (this.count <= fewRules) return rows;
    const ends = (this.#ends = new Int32Array(1 + (1 << Math.min(mostBucketBits, 32 - Math.clz32(this.count)))));
    for (let row = 0; row < rows.length; row += rowSize) ends[bucketOf(rows[row]!, ends.length)]! += rowSize;
    for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket]! += ends[bucket - 1]!;
    const sorted = (this.#rows = new Int32Array(rows.length));
    // From the last row to the first, each row takes the last free place of its bucket.
    const next = ends.slice();
    for (let row = rows.length - rowSize; row >= 0; row -= rowSize) {
      const to = (next[bucketOf(rows[row]!, ends.length)]! -= rowSize);
      for (let number = 0; number < rowSize; number++) sorted[to + number] = rows[row + number]!;
    }
    return sorted;
  }
}

const STAR = 0x2a;
const signBit = 1 << 31;
// All tables share this buffer, since making rows and asking about a path are synchronous.
const scratch = { rows: new Int32Array(1024 * 2 * rowSize) };
const mostKept = 256 * 1024;

/** A buffer for the rows of `count` rules: an allow rule for an index file has two. */
function scratchFor(count: number): Int32Array {
  const size = count * 2 * rowSize;
  if (size <= scratch.rows.length) return scratch.rows;
  const rows = new Int32Array(size);
  if (size <= mostKept) scratch.rows = rows;
  return rows;
}

/** Writes the rows of all rules in the order of the entries; returns the number of the numbers written. Linear in the entries. */
function writeRows(entries: Uint8Array, countsLiterals: boolean, rows: Int32Array): number {
  let to = 0;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    const mark = entries[at]!;
    const start = at + headSize;
    const end = start + patternLengthAt(entries, at);
    const tied = (mark & HAS_END) === 0 ? 0 : 1;
    const hasStar = (mark & HAS_STAR) !== 0;
    const strength = octetsOf(entries, start, end, countsLiterals) * 2 + ((mark & DISALLOWS) === 0 ? 1 : 0);
    writeRow(rows, to, entries, start, end - tied, tied, hasStar, strength);
    to += rowSize;
    if ((mark & NAMES_INDEX) === 0) continue;
    const stop = folderEndOf(entries, end);
    writeRow(rows, to, entries, start, stop, 1, hasStar, (stop - start + 1) * 2 + 1);
    to += rowSize;
  }
  return to;
}

function writeRow(
  rows: Int32Array,
  to: number,
  entries: Uint8Array,
  start: number,
  stop: number,
  tied: number,
  mayHaveStar: boolean,
  strength: number,
): void {
  let set = 0;
  let literalEnd = stop;
  if (mayHaveStar) {
    literalEnd = start;
    while (literalEnd < stop && entries[literalEnd] !== STAR) literalEnd++;
    if (literalEnd < stop) set = setOf(entries, start, stop) | starBit;
  }
  rows[to] = literalEnd - start < 4 ? set | signBit : firstFourOf(entries, start);
  rows[to + setAt] = set;
  rows[to + strengthAt] = strength;
  rows[to + startAt] = start;
  rows[to + endAt] = stop * 2 + tied;
}

/** The bucket of a filter, of `1 + 2 ** bits` buckets. */
function bucketOf(filter: number, buckets: number): number {
  return filter < 0 ? 0 : 1 + (Math.imul(filter, 0x9e3779b1) >>> (Math.clz32(buckets - 1) + 1));
}
