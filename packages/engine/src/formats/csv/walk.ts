// Walks over the bytes of a block of rows (RFC 4180). A row is plain if it is one line with all columns, and its bytes can be copied to the
// head. For each plain row, finds the spans of the URL and of the requested fields, and makes the head. The walk ends at the first row that is
// not plain; split.ts reads that row.
import type { Block } from "../../records/blocks.ts";
import { firstMarkOf, highBits, marksOf, ones, viewOf } from "../../records/words.ts";
import { type AskedField, PackedRecords } from "../../records/packed.ts";

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

/** A buffer of this size or more is not kept for the next block. */
const mostSpareBytes = 4 * 1_048_576;

export class CsvWalker {
  /** The offset at which the last walk ended: the start of the first row that is not plain, or the end of the block. */
  next = 0;
  /** Number of rows of the last walk. Each row is one line. */
  rows = 0;

  readonly #options: CsvWalkOptions;
  readonly #kinds = new Uint8Array(256);
  /** The bytes before each field as words, padded to whole words. */
  readonly #openings: readonly Opening[] | undefined;
  /** The delimiter, repeated in each byte of a word. */
  readonly #delimiters: number;
  readonly #openingBytes: number;
  /** The buffer for the heads of the current block. */
  #heads: Buffer = Buffer.alloc(0);
  #headsView = viewOf(this.#heads);
  /** The end of the heads in `#heads`. */
  #to = 0;
  /** The buffer of an earlier block's heads, free for the next block. */
  #spare: Buffer | undefined;
  /** By column: its index in `#starts`, `#ends` and `#isDoubled`; -1 for a column that is not needed. */
  readonly #placeOf: Int32Array;
  /** By needed column, the URL first: the start and the end of the field in the last row, and 1 for a field with doubled quotes. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #isDoubled: Uint8Array;
  /** Estimated bytes of heads per byte of rows: a tenth more than in the last block. */
  #growth = 2;

  constructor(options: CsvWalkOptions) {
    const { delimiter, lineEnd, openings, columnCount, urlIndex, asked } = options;
    this.#options = options;
    const columns = [...new Set([urlIndex, ...asked.map(({ index }) => index)])];
    this.#placeOf = new Int32Array(columnCount).fill(-1);
    for (const [place, column] of columns.entries()) this.#placeOf[column] = place;
    this.#starts = new Int32Array(columns.length);
    this.#ends = new Int32Array(columns.length);
    this.#isDoubled = new Uint8Array(columns.length);
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

  /** Walks from the beginning of a block to the first row that is not plain. Returns the rows before it; sets `next` and `rows`. */
  walk(block: Block): PackedRecords {
    const { bytes, text } = block;
    const { lineEnd, maxLineBytes, asked } = this.#options;
    const makes = this.#openings !== undefined;
    const packed = new PackedRecords(bytes, bytes, this.rows);
    if (makes) this.#useHeads(this.#spare ?? Buffer.allocUnsafeSlow(Math.ceil(bytes.length * this.#growth) + 4096));
    this.#spare = undefined;
    const view = viewOf(bytes);
    this.#to = 0;
    this.rows = 0;
    let start = 0;
    while (start < bytes.length) {
      const lineEndAt = text.indexOf(lineEnd, start);
      const end = lineEndAt < 0 ? bytes.length : lineEndAt;
      if (end - start > maxLineBytes) break;
      if (makes) this.#makeRoom(this.#openingBytes + 2 * (end - start));
      const from = this.#to;
      const rowEnd = bytes[end - 1] === carriageReturn && end > start ? end - 1 : end;
      if (rowEnd === start || !this.#takeRow(bytes, view, start, rowEnd)) {
        this.#to = from;
        break;
      }
      if (makes) packed.push(from, this.#to, this.#starts[urlPlace]!, this.#ends[urlPlace]!);
      else packed.push(start, rowEnd, this.#starts[urlPlace]!, this.#ends[urlPlace]!);
      if (asked.length > 0) this.#pushFields(packed, text);
      this.rows++;
      start = end + 1;
    }
    this.next = Math.min(start, bytes.length);
    if (!makes) {
      packed.recycle = () => block.recycle();
      return packed;
    }
    const heads = this.#heads;
    packed.heads = heads;
    packed.recycle = (): void => {
      if (heads.length < mostSpareBytes) this.#spare = heads;
      block.recycle();
    };
    this.#growth = this.next === 0 ? this.#growth : (this.#to / this.next) * 1.1;
    this.#useHeads(noHeads);
    return packed;
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
      if (openings !== undefined) heads[to++] = quote;
      const place = placeOf[column]!;
      if (place >= 0) {
        if (isDoubled && place === urlPlace) return false;
        this.#starts[place] = fieldStart;
        this.#ends[place] = fieldEnd;
        this.#isDoubled[place] = isDoubled ? 1 : 0;
      }
      if (at === end) {
        this.#to = to;
        return column + 1 === columnCount;
      }
      if (bytes[at] !== delimiter) return false;
      at++;
    }
  }

  /** Adds the requested fields of the last row to the last packed record. */
  #pushFields(packed: PackedRecords, text: string): void {
    for (const { name, index } of this.#options.asked) {
      const place = this.#placeOf[index]!;
      const start = this.#starts[place]!;
      const end = this.#ends[place]!;
      if (this.#isDoubled[place] === 0) packed.pushField(name, start, end);
      else packed.pushDecodedField(name, text.slice(start, end).replaceAll('""', '"'));
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

  /** Makes room in the heads for `size` bytes, and for the rest of the last word that is written. */
  #makeRoom(size: number): void {
    if (this.#to + size + 4 <= this.#heads.length) return;
    const larger = Buffer.allocUnsafeSlow((this.#to + size) * 2 + 4);
    this.#heads.copy(larger, 0, 0, this.#to);
    this.#useHeads(larger);
  }

  #useHeads(heads: Buffer): void {
    this.#heads = heads;
    this.#headsView = viewOf(heads);
  }
}

const noHeads = Buffer.alloc(0);

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
