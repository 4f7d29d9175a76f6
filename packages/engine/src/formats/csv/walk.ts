// Walks over the bytes of a block of rows (RFC 4180). A row is plain if it is one line with all columns, and its bytes can be copied to the
// head. For each plain row, finds the spans of the URL and of the requested fields, and makes the head. The walk ends at the first row that is
// not plain, which read.ts reads as a string.
import type { Block } from "../../records/blocks.ts";
import { firstMarkOf, highBits, marksOf, ones, viewOf } from "../../records/words.ts";
import type { AskedField, PackedRecords } from "../../records/packed.ts";
import type { RowHeads } from "../../records/row-heads.ts";

export interface CsvWalkOptions {
  /** A string of one byte. */
  readonly delimiter: string;
  readonly lineEnd: "\n" | "\r";
  readonly maxLineBytes: number;
  readonly columnCount: number;
  readonly urlIndex: number;
  /** The columns that the engine needs besides the URL. */
  readonly asked: readonly { readonly name: AskedField; readonly index: number }[];
  /** The bytes before each field when rows become JSON objects; undefined when rows are output unchanged. */
  readonly openings: readonly string[] | undefined;
}

// Classes of bytes: ordinary ones, bytes that may end a field, and bytes that end the walk.
const plain = 0;
const ending = 1;
const odd = 2;
const quote = 0x22;
const carriageReturn = 0x0d;
const backslash = 0x5c;

/** The index of the URL's column in `#starts`. */
const urlPlace = 0;

export class CsvWalker {
  /** Number of rows of the last walk. Each row is one line. */
  rows = 0;

  readonly #options: CsvWalkOptions;
  readonly #kinds = new Uint8Array(256);
  /** The bytes before each field as words, padded to whole words. */
  readonly #openings: readonly Opening[] | undefined;
  /** The delimiter, repeated in each byte of a word. */
  readonly #delimiters: number;
  readonly #openingBytes: number;
  /** The buffer with the heads, and the end of the heads in it; unused when rows are output unchanged. */
  #heads: Buffer = none;
  #headsView = viewOf(none);
  #to = 0;
  /** By column: its index in `#starts` and `#ends`; -1 for a column that is not needed. */
  readonly #placeOf: Int32Array;
  /**
   * By needed column, the URL first: the start and the end of the field in the last row. They are offsets in the heads; in the block, when
   * rows are output unchanged.
   */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(options: CsvWalkOptions) {
    const { delimiter, lineEnd, openings, columnCount, urlIndex, asked } = options;
    this.#options = options;
    const columns = [...new Set([urlIndex, ...asked.map(({ index }) => index)])];
    this.#placeOf = new Int32Array(columnCount).fill(-1);
    for (const [place, column] of columns.entries()) this.#placeOf[column] = place;
    this.#starts = new Int32Array(columns.length);
    this.#ends = new Int32Array(columns.length);
    if (openings !== undefined) {
      // Characters that JSON escapes.
      this.#kinds.fill(odd, 0, 0x20);
      this.#kinds[backslash] = odd;
    }
    this.#kinds[quote] = odd;
    for (const byte of [delimiter.charCodeAt(0), lineEnd.charCodeAt(0), carriageReturn]) this.#kinds[byte] = ending;
    this.#openings = openings?.map((opening) => openingOf(`${opening}"`));
    this.#delimiters = delimiter.charCodeAt(0) * ones;
    this.#openingBytes = openings?.reduce((sum, opening) => sum + opening.length + 3, 0) ?? 0;
  }

  /** Whether rows are output unchanged, so that heads are spans of the block. */
  get keepsRows(): boolean {
    return this.#openings === undefined;
  }

  /**
   * Walks from an offset of a block to the first row that is not plain, or to the end of the block; returns this offset and sets `rows`.
   * Adds the rows to `packed`. Their heads are written to `heads`, unless rows are output unchanged.
   */
  walk({ bytes, text }: Pick<Block, "bytes" | "text">, from: number, packed: PackedRecords, heads: RowHeads): number {
    const { lineEnd, maxLineBytes, asked } = this.#options;
    const makes = this.#openings !== undefined;
    const view = viewOf(bytes);
    this.rows = 0;
    let start = from;
    while (start < bytes.length) {
      const lineEndAt = text.indexOf(lineEnd, start);
      const end = lineEndAt < 0 ? bytes.length : lineEndAt;
      if (end - start > maxLineBytes) break;
      const rowEnd = bytes[end - 1] === carriageReturn && end > start ? end - 1 : end;
      if (rowEnd === start) break;
      if (makes) {
        heads.makeRoom(this.#openingBytes + 2 * (end - start));
        this.#heads = heads.bytes;
        this.#headsView = heads.view;
        this.#to = heads.to;
      }
      if (!this.#takeRow(bytes, view, start, rowEnd)) break;
      const [urlStart, urlEnd] = [this.#starts[urlPlace]!, this.#ends[urlPlace]!];
      if (makes) {
        packed.push(heads.to, this.#to, urlStart, urlEnd);
        heads.to = this.#to;
      } else packed.push(start, rowEnd, urlStart, urlEnd);
      for (let index = 0; index < asked.length; index++) {
        const place = this.#placeOf[asked[index]!.index]!;
        packed.pushField(asked[index]!.name, this.#starts[place]!, this.#ends[place]!);
      }
      this.rows++;
      start = Math.min(end + 1, bytes.length);
    }
    return start;
  }

  /**
   * Takes the row from `start` to `end`; returns false for a row that is not plain. Invariant: up to `to`, the heads contain the bytes of
   * the row up to `at`, with the syntax that JSON adds. This is one long function: two functions, for quoted and for other fields, would
   * share `to` through a member and take 1.2 times as long.
   */
  #takeRow(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    const { columnCount } = this.#options;
    const placeOf = this.#placeOf;
    const delimiter = this.#options.delimiter.charCodeAt(0);
    const kinds = this.#kinds;
    const openings = this.#openings;
    const delimiters = this.#delimiters;
    const heads = this.#heads;
    const out = this.#headsView;
    let to = this.#to;
    let at = start;
    for (let column = 0; ; column++) {
      if (column === columnCount) return false;
      if (openings !== undefined) {
        const { words, length } = openings[column]!;
        for (let word = 0; word < words.length; word++) out.setInt32(to + word * 4, words[word]!);
        to += length;
      }
      let fieldStart = at;
      let fieldEnd: number;
      const headStart = to;
      let isDoubled = false;
      if (at < end && bytes[at] === quote) {
        fieldStart = ++at;
        for (;;) {
          const plainBytes = this.#takePlain(view, at, to, quote * ones);
          at += plainBytes;
          to += plainBytes;
          if (at >= end) break;
          const byte = bytes[at]!;
          if (byte === quote) {
            if (at + 1 >= end || bytes[at + 1] !== quote) break;
            isDoubled = true;
            if (openings !== undefined) {
              heads[to++] = backslash;
              heads[to++] = quote;
            }
            at += 2;
            continue;
          }
          if (kinds[byte] === odd || byte === carriageReturn) return false;
          // JSON escapes a tab within a field. When the tab is the delimiter, its class is not `odd`, so it is checked here.
          if (byte < 0x20 && openings !== undefined) return false;
          if (openings !== undefined) heads[to] = byte;
          at++;
          to++;
        }
        // The field has no closing quote: either the quotes are wrong or the row continues on the next line.
        if (at >= end) return false;
        fieldEnd = at++;
      } else {
        for (;;) {
          const plainBytes = this.#takePlain(view, at, to, delimiters);
          at += plainBytes;
          to += plainBytes;
          if (at >= end) break;
          const byte = bytes[at]!;
          if (kinds[byte] !== plain) break;
          if (openings !== undefined) heads[to] = byte;
          at++;
          to++;
        }
        fieldEnd = at;
      }
      const place = placeOf[column]!;
      if (place >= 0) {
        // The bytes of a field with doubled quotes are not its text.
        if (isDoubled) return false;
        this.#starts[place] = openings === undefined ? fieldStart : headStart;
        this.#ends[place] = openings === undefined ? fieldEnd : to;
      }
      if (openings !== undefined) heads[to++] = quote;
      if (at === end) {
        this.#to = to;
        return column + 1 === columnCount;
      }
      if (bytes[at] !== delimiter) return false;
      at++;
    }
  }

  /**
   * Copies the bytes from `at` on, four at a time, to the heads at offset `to`; only counts the bytes when rows are output unchanged. Stops
   * before a byte that needs special treatment (such as a line end) or that equals the byte repeated in `ends`, and where fewer than four
   * bytes of the block are left. Returns the number of bytes; up to three bytes of the heads after them may be overwritten.
   */
  #takePlain(view: DataView, at: number, to: number, ends: number): number {
    const makes = this.#openings !== undefined;
    const out = this.#headsView;
    const most = view.byteLength - at - 4;
    let count = 0;
    for (; count <= most; count += 4) {
      const four = view.getInt32(at + count, true);
      if (makes) out.setInt32(to + count, four, true);
      const marks = marksOf(four) | (((four ^ ends) - ones) & ~four & highBits);
      if (marks !== 0) return count + firstMarkOf(marks);
    }
    return count;
  }
}

const none = Buffer.alloc(0);

/** The bytes before a field, as words whose first byte is the highest. */
interface Opening {
  readonly words: Int32Array;
  readonly length: number;
}

function openingOf(text: string): Opening {
  const bytes = Buffer.alloc((text.length + 3) & ~3);
  bytes.write(text, "latin1");
  const words = new Int32Array(bytes.length / 4);
  for (let word = 0; word < words.length; word++) words[word] = bytes.readInt32BE(word * 4);
  return { words, length: text.length };
}
