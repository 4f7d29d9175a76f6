// A pattern of log lines in, compiled; the bytes of a line in, the places of all its fields out, found in one pass.
import type { LogPattern } from "@robots-stream/logs";
import { isPlainField, kindOfField } from "./plain-fields.ts";
import { firstMarkOf, highBits, marksOf, ones, wordsOf } from "../../records/words.ts";

const space = 0x20;
const carriageReturn = 0x0d;

/** Finds the fields of lines that have a pattern's shape. */
export class LineScanner {
  /** Start and end of each field of the last line, in the order of the pattern's steps. */
  readonly places: Int32Array;
  readonly #hasRest: boolean;
  readonly #lineEnd: number;
  readonly #steps: number;
  /** By step: the byte that ends its field, and that byte in each byte of a word. */
  readonly #stops: Uint8Array;
  readonly #stopWords: Int32Array;
  /** By step: the first four bytes of the text after its field as a word, the mask of those bytes, and their number. */
  readonly #ends: Int32Array;
  readonly #masks: Int32Array;
  readonly #lengths: Uint8Array;
  /** By step: the bytes of that text after the first four. */
  readonly #rests: readonly Uint8Array[];
  /** By step: the kind of its field, for `isPlainField`. */
  readonly #kinds: Uint8Array;

  constructor({ steps, hasRest }: LogPattern, lineEnd: "\n" | "\r") {
    this.#hasRest = hasRest;
    this.#lineEnd = lineEnd.charCodeAt(0);
    this.#steps = steps.length;
    this.places = new Int32Array(steps.length * 2);
    // A last field ends with the line, or at a space before text that is not read.
    const texts = steps.map(({ end }) => Buffer.from(end, "latin1"));
    this.#stops = Uint8Array.from(texts, (text) => text[0] ?? (hasRest ? space : this.#lineEnd));
    this.#stopWords = Int32Array.from(this.#stops, (stop) => stop * ones);
    const lengths = texts.map(({ length }) => Math.min(length, 4));
    this.#ends = Int32Array.from(texts, (text) => wordsOf(text.toString("latin1", 0, 4)).words[0] ?? 0);
    this.#masks = Int32Array.from(lengths, (length) => (length === 4 ? -1 : (1 << (length * 8)) - 1));
    this.#lengths = Uint8Array.from(lengths);
    this.#rests = texts.map((text) => text.subarray(4));
    this.#kinds = Uint8Array.from(steps, ({ field }) => kindOfField(field));
  }

  /**
   * Finds the places of the fields of the line at `start`. Returns the offset of the next line, or -1 when the line is for the parser:
   * it does not have the shape, a field has a quote, a backslash or a control character or is not what it is on most lines, or it is
   * the last line and has no line end. `view` is `viewBeyond` of the bytes.
   */
  scan(bytes: Uint8Array, view: DataView, start: number): number {
    const { places } = this;
    const stops = this.#stops;
    const stopWords = this.#stopWords;
    // A word may be read from each of the last three bytes of a field.
    const lastWord = view.byteLength - 7;
    const last = this.#steps - 1;
    let at = start;
    for (let step = 0; step <= last; step++) {
      places[step * 2] = at;
      const stopWord = stopWords[step]!;
      // Invariant: no byte from the field's start to `at` ends the field or is for the parser.
      for (;;) {
        if (at > lastWord) return -1;
        const four = view.getInt32(at, true);
        // A byte 7F becomes 80 here. After a byte FF the next one may be marked wrongly: then the parser gets the line.
        const marks = marksOf(four) | ((((four ^ stopWord) - ones) | (four + ones)) & ~four & highBits);
        if (marks !== 0) {
          at += firstMarkOf(marks);
          break;
        }
        at += 4;
      }
      places[step * 2 + 1] = at;
      const kind = this.#kinds[step]!;
      if (kind !== 0 && !isPlainField(kind, bytes, view, places[step * 2]!, at)) return -1;
      const length = this.#lengths[step]!;
      if (length === 0) break;
      if (bytes[at] !== stops[step] || at > lastWord) return -1;
      if ((view.getInt32(at, true) & this.#masks[step]!) !== this.#ends[step]) return -1;
      at += length;
      const rest = this.#rests[step]!;
      for (let index = 0; index < rest.length; index++) if (bytes[at++] !== rest[index]) return -1;
    }
    return this.#nextAfter(bytes, at);
  }

  /** The offset of the next line when the fields end at `at`; -1 when neither the line nor a rest may be there. */
  #nextAfter(bytes: Uint8Array, at: number): number {
    const lineEnd = this.#lineEnd;
    const byte = bytes[at];
    if (byte === lineEnd) return at + 1;
    if (byte === carriageReturn && bytes[at + 1] === lineEnd) return at + 2;
    return byte === space && this.#hasRest ? bytes.indexOf(lineEnd, at) + 1 || -1 : -1;
  }
}
