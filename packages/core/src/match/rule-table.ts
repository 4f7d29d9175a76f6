// Finds the rule that wins for a path (RFC 9309 §2.2.2). Matchers, traces and lists of patterns ask it.
//
// A row stands for each rule. Its filter rejects nearly all paths without reading the pattern: the first four bytes of every match, or the
// set of characters that a match contains. When there are many rules, rows whose filter is four bytes are in buckets by the hash of these bytes; the
// other rows are in bucket 0. A decision then reads bucket 0 and one other bucket. Its time is linear in the rules of both, in their patterns and in the path: see
// `Path.indexFor`, which keeps it linear for thousands of patterns that each nearly match a path of thousands of bytes.
import { matchesPattern } from "./pattern.ts";
import { type Path, firstFourOf, setOf, starBit } from "./path.ts";
import {
  DISALLOWS,
  HAS_END,
  NAMES_INDEX,
  folderEndOf,
  headSize,
  lineAt,
  nextEntry,
  octetsOf,
  patternLengthAt,
} from "./entries.ts";

/**
 * A list of rules, in words: the number of buckets · the end of each bucket in words from the first row · the rows. The words of a row: the
 * strength · a value that the owner of the list sets · the filter · the set of characters of a pattern with a star, with `starBit`,
 * otherwise 0 · the start of the pattern in the entries · twice its end, plus one when a match must end with the path. The filter is the
 * first four bytes of every match, or that set with the sign bit.
 *
 * Of the rules that match, the strongest wins (see `strengthOf`); of equally strong rules, the first in the entries.
 */
const rowSize = 6;
export const strengthAt = 0;
export const valueAt = 1;
const filterAt = 2;
const setAt = 3;
export const startAt = 4;
const endAt = 5;

/** Up to this many rules have only bucket 0. */
const fewRules = 24;
const mostBucketBits = 16;

/** A row as an object. */
export interface TableRow {
  /** The entries of the row's table, and the position of the rule's entry in them. */
  readonly entries: Uint8Array;
  readonly entry: number;
  readonly line: number;
  /** The position of the rule's entry in the entries of all tables, one after another. */
  readonly answer: number;
  /** The range of the pattern in the entries, without a final `$`. An allow rule for an index file has two rows: its own, and the folder's. */
  readonly start: number;
  readonly stop: number;
  /** Whether a match must end with the path. */
  readonly isTied: boolean;
  readonly strength: number;
}

/** The rules in entries that entries.ts wrote: their list, and from word `listSize` on the entries, in one array. */
export class RuleTable {
  readonly words: Int32Array;
  readonly listSize: number;
  readonly entries: Uint8Array;
  readonly count: number;
  /** The strength of the rule that `find` found last. */
  strength = -1;

  /** Copies the entries of `count` rules. `countsLiterals`: see `octetsOf`. Linear in the entries. */
  constructor(entries: Uint8Array, count: number, countsLiterals: boolean) {
    this.count = count;
    this.listSize = listSizeOf(entries, count);
    this.words = new Int32Array(this.listSize + ((entries.length + 3) >> 2));
    this.entries = new Uint8Array(this.words.buffer, this.listSize * 4, entries.length);
    this.entries.set(entries);
    writeList(this.words, entries, count, countsLiterals);
  }

  /** The position of the entry of the strongest rule that matches the path and is stronger than `above`; -1 when there is none. */
  find(path: Path, above: number): number {
    const { words } = this;
    const row = winningRowIn(words, 0, this.entries, 0, path, above);
    this.strength = row < 0 ? above : words[row + strengthAt]!;
    return row < 0 ? row : words[row + startAt]! - headSize;
  }

  /** The rows that match a path, in any order; all rows without a path. `before`: the bytes of the entries of tables before this one. */
  rows(before: number, path: Path | undefined): TableRow[] {
    const { words: list, entries } = this;
    const found: TableRow[] = [];
    for (const row of rowsIn(list, 0)) {
      if (path !== undefined && !matchesRow(list, row, entries, 0, path)) continue;
      const start = list[row + startAt]!;
      const entry = start - headSize;
      const end = list[row + endAt]!;
      const strength = list[row + strengthAt]!;
      const [line, answer, isTied] = [lineAt(entries, entry), before + entry, (end & 1) !== 0];
      found.push({ entries, entry, line, answer, start, stop: end >> 1, isTied, strength });
    }
    return found;
  }
}

/** The rows of several tables that match a path, in the order in which they win, the strongest first; all rows without a path. */
export function rowsOf(tables: readonly RuleTable[], path?: Path): TableRow[] {
  let before = 0;
  const found = tables.flatMap((table) => {
    const rows = table.rows(before, path);
    before += table.entries.length;
    return rows;
  });
  return found.sort((one, other) => other.strength - one.strength || one.answer - other.answer);
}

/** How strong a rule is whose pattern has so many octets. Of equally long patterns, that of an allow rule is stronger. */
export function strengthOf(octets: number, isAllow: boolean): number {
  return octets * 2 + (isAllow ? 1 : 0);
}

/** Whether a rule of this strength allows: an allow rule, or a disallow rule without a pattern. */
export function allowsWith(strength: number): boolean {
  return strength < 2 || strength === strengthOf(strength >> 1, true);
}

/** The positions of all rows of the list at `at`. */
export function* rowsIn(words: Int32Array, at: number): Iterable<number> {
  const buckets = words[at]!;
  const first = at + 1 + buckets;
  for (let row = first; row < first + words[at + buckets]!; row += rowSize) yield row;
}

/**
 * The position of the row that wins for a path, among the rows stronger than `above`; -1 when there is none. The list is at `at` in `words`,
 * the entries of its rules are in `text` from `base` on.
 */
export function winningRowIn(
  words: Int32Array,
  at: number,
  text: Uint8Array,
  base: number,
  path: Path,
  above: number,
): number {
  const buckets = words[at]!;
  const firstRow = at + 1 + buckets;
  const { first } = path;
  let strength = above;
  let missing = -1;
  let best = -1;
  let row = firstRow;
  let stop = firstRow + words[at + 1]!;
  for (let isLast = buckets === 1 || first < 0; ; isLast = true) {
    for (; row < stop; row += rowSize) {
      const filter = words[row + filterAt]!;
      if (filter >= 0) {
        if (filter !== first) continue;
      } else {
        if (missing < 0) missing = path.missing;
        if ((filter & missing) !== 0) continue;
      }
      const rowStrength = words[row + strengthAt]!;
      if (rowStrength < strength) continue;
      if (rowStrength === strength && (best < 0 || words[row + startAt]! > words[best + startAt]!)) continue;
      const set = words[row + setAt]!;
      if (set !== 0 && filter >= 0) {
        if (missing < 0) missing = path.missing;
        if ((set & missing) !== 0) continue;
      }
      if (!matchesRow(words, row, text, base, path)) continue;
      strength = rowStrength;
      best = row;
    }
    if (isLast) return best;
    const bucket = bucketOf(first, buckets);
    row = firstRow + words[at + bucket]!;
    stop = firstRow + words[at + bucket + 1]!;
  }
}

function matchesRow(words: Int32Array, row: number, text: Uint8Array, base: number, path: Path): boolean {
  const { bytes } = path;
  const end = words[row + endAt]!;
  const stop = base + (end >> 1);
  const isTied = (end & 1) !== 0;
  let from = base + words[row + startAt]!;
  let at = path.start;
  if (words[row + setAt] !== 0) {
    for (; text[from] !== STAR; from++, at++) if (at >= path.end || bytes[at] !== text[from]) return false;
    const index = path.indexFor(stop - from);
    if (index !== undefined) return index(text, from, stop, isTied, at);
  }
  return matchesPattern(text, from, stop, isTied, bytes, at, path.end);
}

const STAR = 0x2a;
const signBit = 1 << 31;
// All tables share this buffer, since making a list and asking about a path are synchronous.
const scratch = { words: new Int32Array(1024 * 2 * rowSize) };
const mostKept = 256 * 1024;

/** A buffer for the rows of `count` rules: an allow rule for an index file has two rows. */
function scratchFor(count: number): Int32Array {
  const size = count * 2 * rowSize;
  if (size <= scratch.words.length) return scratch.words;
  const words = new Int32Array(size);
  if (size <= mostKept) scratch.words = words;
  return words;
}

/** The number of buckets of a list of `count` rules: bucket 0, and a power of two. Few rules have only bucket 0. */
function bucketsFor(count: number): number {
  return count > fewRules ? 1 + (1 << Math.min(mostBucketBits, 32 - Math.clz32(count))) : 1;
}

/** The words of the list that `writeList` writes. */
function listSizeOf(entries: Uint8Array, count: number): number {
  let rows = count;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) if ((entries[at]! & NAMES_INDEX) !== 0) rows++;
  return 1 + bucketsFor(count) + rows * rowSize;
}

/** Writes the list of `count` rules. Linear in the entries. */
function writeList(words: Int32Array, entries: Uint8Array, count: number, countsLiterals: boolean): void {
  const buckets = bucketsFor(count);
  words[0] = buckets;
  if (buckets === 1) {
    words[1] = writeRows(entries, countsLiterals, words, 2) - 2;
    return;
  }
  const rows = scratchFor(count);
  const size = writeRows(entries, countsLiterals, rows, 0);
  const ends = words.subarray(1, 1 + buckets);
  for (let row = 0; row < size; row += rowSize) ends[bucketOf(rows[row + filterAt]!, buckets)]! += rowSize;
  for (let bucket = 1; bucket < buckets; bucket++) ends[bucket]! += ends[bucket - 1]!;
  // From the last row to the first, each row takes the last free place of its bucket, so that rows of a bucket stay in their order.
  for (let row = size - rowSize; row >= 0; row -= rowSize) {
    const to = 1 + buckets + (ends[bucketOf(rows[row + filterAt]!, buckets)]! -= rowSize);
    for (let word = 0; word < rowSize; word++) words[to + word] = rows[row + word]!;
  }
  // Each end has become the start of its bucket.
  ends.copyWithin(0, 1);
  ends[buckets - 1] = size;
}

/** Writes the rows of all rules in the order of the entries, from `at` on; returns their end. */
function writeRows(entries: Uint8Array, countsLiterals: boolean, words: Int32Array, at: number): number {
  let to = at;
  for (let entry = 0; entry < entries.length; entry = nextEntry(entries, entry)) {
    const mark = entries[entry]!;
    const start = entry + headSize;
    const end = start + patternLengthAt(entries, entry);
    const tied = (mark & HAS_END) === 0 ? 0 : 1;
    const strength = strengthOf(octetsOf(entries, start, end, countsLiterals), (mark & DISALLOWS) === 0);
    writeRow(words, to, entries, start, end - tied, tied, strength);
    to += rowSize;
    if ((mark & NAMES_INDEX) === 0) continue;
    const stop = folderEndOf(entries, end);
    writeRow(words, to, entries, start, stop, 1, strengthOf(stop - start + 1, true));
    to += rowSize;
  }
  return to;
}

function writeRow(
  words: Int32Array,
  to: number,
  entries: Uint8Array,
  start: number,
  stop: number,
  tied: number,
  strength: number,
): void {
  let literalEnd = start;
  while (literalEnd < stop && entries[literalEnd] !== STAR) literalEnd++;
  const set = literalEnd < stop ? setOf(entries, start, stop) | starBit : 0;
  words[to + strengthAt] = strength;
  words[to + valueAt] = 0;
  words[to + filterAt] = literalEnd - start < 4 ? set | signBit : firstFourOf(entries, start);
  words[to + setAt] = set;
  words[to + startAt] = start;
  words[to + endAt] = stop * 2 + tied;
}

/** The bucket of a filter, of `1 + 2 ** bits` buckets. */
function bucketOf(filter: number, buckets: number): number {
  return filter < 0 ? 0 : 1 + (Math.imul(filter, 0x9e3779b1) >>> (Math.clz32(buckets - 1) + 1));
}
