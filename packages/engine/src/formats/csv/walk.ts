// Walks over the bytes of a block of rows (RFC 4180). A row is plain if it is one line with all columns, and its fields can be copied to the
// head: none has a quote, a backslash or a control character. For each plain row, finds the spans of the URL and of the requested fields, and
// makes the head. The walk ends at the first row that is not plain, which read.ts reads as a string.
import type { Block } from "../../records/blocks.ts";
import { type Words, markedAt, ones, putBytes, putWords, viewBeyond, wordsOf } from "../../records/words.ts";
import type { RowHeads } from "../../records/row-heads.ts";
import type { ReadOptions } from "../input-format.ts";
import type { Columns } from "./columns.ts";

const quote = 0x22;
const quotes = quote * ones;
const carriageReturn = 0x0d;

export class CsvWalker {
  /** Number of rows of the last walk. Each row is one line. */
  rows = 0;

  readonly #columns: Columns;
  readonly #maxLineBytes: number;
  /** The bytes before each field. */
  readonly #openings: readonly Words[] | undefined;
  readonly #openingBytes: number;
  readonly #delimiter: number;
  readonly #lineEnd: number;
  /** Start and end of each field of the last row: offsets in the block, or in the heads once the head is made. */
  readonly #places: Int32Array;

  /** `openings`: the bytes before each field when rows become JSON objects; undefined when rows are output unchanged. */
  constructor(
    columns: Columns,
    delimiter: string,
    openings: readonly string[] | undefined,
    { lineEnd, maxLineBytes }: Pick<ReadOptions, "lineEnd" | "maxLineBytes">,
  ) {
    this.#columns = columns;
    this.#maxLineBytes = maxLineBytes;
    this.#openings = openings?.map((opening) => wordsOf(`${opening}"`));
    this.#openingBytes = openings?.reduce((sum, opening) => sum + opening.length + 3, 0) ?? 0;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#lineEnd = lineEnd.charCodeAt(0);
    this.#places = new Int32Array(columns.names.length * 2);
  }

  /**
   * Walks from an offset of a block to the first row that is not plain, or to the end of the block; returns this offset and sets `rows`.
   * Adds the rows to `heads`.
   */
  walk({ bytes }: Pick<Block, "bytes">, from: number, heads: RowHeads): number {
    const { asked, urlIndex } = this.#columns;
    const maxLineBytes = this.#maxLineBytes;
    const openings = this.#openings;
    const places = this.#places;
    const view = viewBeyond(bytes);
    const { packed } = heads;
    this.rows = 0;
    let start = from;
    for (;;) {
      const end = this.#find(bytes, view, start);
      const next = bytes[end] === this.#lineEnd ? end + 1 : end + 2;
      if (end <= start || next - 1 - start > maxLineBytes) return start;
      heads.makeRoom(this.#openingBytes + end - start);
      const head = heads.to;
      // A row that is output unchanged is copied as a whole, and the places of its fields move with it.
      const shift = openings === undefined ? head - start : 0;
      heads.to =
        openings === undefined
          ? putBytes(view, start, end, heads.view, head)
          : this.#putHead(view, openings, heads.view, head);
      packed.push(head, heads.to, places[urlIndex * 2]! + shift, places[urlIndex * 2 + 1]! + shift);
      for (let field = 0; field < asked.length; field++) {
        const { name, index } = asked[field]!;
        packed.pushField(name, places[index * 2]! + shift, places[index * 2 + 1]! + shift);
      }
      this.rows++;
      start = next;
    }
  }

  /** Sets the places of the row at `start`, and returns the offset of its line end; -1 for a row that is not plain. */
  #find(bytes: Buffer, view: DataView, start: number): number {
    const places = this.#places;
    const delimiter = this.#delimiter;
    const delimiters = delimiter * ones;
    let at = start;
    for (let place = 0; ; at++) {
      const isQuoted = bytes[at] === quote;
      const from = isQuoted ? at + 1 : at;
      at = markedAt(view, from, isQuoted ? quotes : delimiters);
      places[place] = from;
      places[place + 1] = at;
      place += 2;
      // After a quote that closes no field, such as the first of two, neither a delimiter nor a line end follows.
      if (isQuoted && bytes[at++] !== quote) return -1;
      if (place === places.length) break;
      if (bytes[at] !== delimiter) return -1;
    }
    const isEnd = bytes[at] === this.#lineEnd || (bytes[at] === carriageReturn && bytes[at + 1] === this.#lineEnd);
    return isEnd ? at : -1;
  }

  /** Writes the head of the last row at `from`; returns the offset after it. The places are then those of the fields in the head. */
  #putHead(view: DataView, openings: readonly Words[], out: DataView, from: number): number {
    const places = this.#places;
    let to = from;
    for (let column = 0; column < openings.length; column++) {
      const start = putWords(openings[column]!, out, to);
      to = putBytes(view, places[column * 2]!, places[column * 2 + 1]!, out, start);
      places[column * 2] = start;
      places[column * 2 + 1] = to;
      out.setInt8(to++, quote);
    }
    return to;
  }
}
