// Compiles a pattern of log lines, and finds the offsets of all fields of a line in one pass over the line's bytes.
import type { LogPattern } from "@robots-stream/logs";
import { firstPlaceOf, isDigit, markedAt, ones } from "../../records/words.ts";
import { clientMemo, isPlainField, kindOfField } from "./plain-fields.ts";

const space = 0x20;
const carriageReturn = 0x0d;
const plus = 0x2b;
const comma = 0x2c;
const dash = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const letterZ = 0x5a;
/** A quote in each byte of a word. */
const quotes = 0x22222222;

/** A field of the pattern and the text after it. */
interface Step {
  /** The byte that ends the field, in each byte of a word. */
  readonly stops: number;
  /** The first four bytes of the text as a word, the mask of the bytes that a shorter text has, and the length of the whole text. */
  readonly word: number;
  readonly mask: number;
  readonly length: number;
  readonly text: Uint8Array;
  /**
   * The number of bytes from the end of this field to the beginning of the next one: the length of the text, or 0 when the next field
   * includes the text.
   */
  readonly after: number;
  readonly isPadded: boolean;
  /** The characters that the field must not contain, and that its end does not already exclude: each in each byte of a word. */
  readonly without: readonly number[];
  /** The kind of the field for `isPlainField`, 0 without such a check. */
  readonly kind: number;
}

/**
 * The number of elements of `places` after those of the fields: start and end of the captured host and of the captured User-Agent header.
 */
export const capturedPlaces = 4;

/** Finds the fields of lines that have a pattern's shape. */
export class LineScanner {
  /** Start and end of each field of the last line, in the order of the pattern's steps. The caller sets the last four elements. */
  readonly places: Int32Array;
  readonly #start: Uint8Array;
  readonly #hasRest: boolean;
  readonly #checksRest: boolean;
  readonly #beginning: RegExp | undefined;
  /** The byte behind the time of each beginning, in each byte of a word; 0 if it is not always the same. */
  readonly #behindTime: number;
  /** The step from whose field on a line is searched for the beginning of another line; the number of steps: behind all fields. */
  readonly #searched: number;
  readonly #lineEnd: number;
  readonly #steps: readonly Step[];
  readonly #clients = clientMemo();
  readonly hasPath = true;

  constructor(
    { start = "", steps, hasRest, checksRest = false, beginning, behindTime }: LogPattern,
    lineEnd: "\n" | "\r",
  ) {
    this.#start = Buffer.from(start, "latin1");
    this.#hasRest = hasRest;
    this.#checksRest = checksRest;
    const capturesAt = steps.findIndex(({ field }) => field === "captures");
    this.#beginning = beginning;
    const timeAt = steps.findIndex(({ field }) => field === "time");
    this.#searched = firstSearched(steps, timeAt, capturesAt);
    this.#behindTime = behindTime === undefined ? 0 : behindTime.charCodeAt(0) * ones;
    this.#lineEnd = lineEnd.charCodeAt(0);
    this.places = new Int32Array(steps.length * 2 + capturedPlaces);
    this.#steps = steps.map(({ field, end, keepsEnd = false, isPadded = false, without = "" }) => ({
      // The last field ends at the line end or, before text that is not read, at a space.
      stops: (end === "" ? (hasRest ? space : this.#lineEnd) : end.charCodeAt(0)) * ones,
      word: Buffer.from(end.slice(0, 4).padEnd(4, "\0"), "latin1").readInt32LE(),
      mask: end.length >= 4 ? -1 : (1 << (end.length * 8)) - 1,
      length: end.length,
      text: Buffer.from(end, "latin1"),
      after: keepsEnd ? 0 : end.length,
      isPadded,
      without: (field === "time" ? [] : [...new Set(without)])
        .filter((character) => !end.startsWith(character))
        .map((character) => character.charCodeAt(0) * ones),
      kind: kindOfField(field),
    }));
  }

  /**
   * Sets `places` for the line at `start`. Returns the offset of the next line, or -1 when only the parser can read the line. The parser
   * reads lines that do not match the pattern, a last line without a line end, and lines with an unusual field: a field that contains a
   * quote, a backslash, a control character or the step's `without`, or for which `isPlainField` is false. The caller reads the time, and so
   * detects a text that is not a time. `view` is `viewBeyond(bytes)`.
   */
  scan(bytes: Buffer, view: DataView, start: number): number {
    const { places } = this;
    const steps = this.#steps;
    const size = bytes.length;
    const begins = this.#start;
    for (let index = 0; index < begins.length; index++) if (bytes[start + index] !== begins[index]) return -1;
    let at = start + begins.length;
    let place = 0;
    for (let step = 0; step < steps.length; step++) {
      const { stops, word, mask, length, text, after, isPadded, without, kind } = steps[step]!;
      if (isPadded) while (bytes[at] === space) at++;
      const from = at;
      at = markedAt(view, from, stops);
      if (at < 0 || at >= size || (view.getInt32(at, true) & mask) !== word) return -1;
      for (let index = 0; index < without.length; index++) {
        if (firstPlaceOf(without[index]!, view, from, at) < at) return -1;
      }
      if (kind !== 0 && !isPlainField(kind, bytes, view, from, at, this.#clients)) return -1;
      places[place] = from;
      places[place + 1] = at;
      place += 2;
      if (length > 4 && !isAt(text, bytes, at)) return -1;
      at += after;
    }
    return this.#nextAfter(bytes, view, at);
  }

  /**
   * The offset of the next line, when the last field ends at `at`. -1 when neither a line end nor a permitted rest of the line follows the
   * field.
   */
  #nextAfter(bytes: Uint8Array, view: DataView, at: number): number {
    const lineEnd = this.#lineEnd;
    const byte = bytes[at];
    const searched = this.#searched;
    const from = searched === this.#steps.length ? at : this.places[searched * 2]!;
    let end = at;
    if (byte === carriageReturn && lineEnd !== carriageReturn && bytes[at + 1] === lineEnd) end = at + 1;
    else if (byte !== lineEnd) {
      if (byte !== space || !this.#hasRest) return -1;
      end = bytes.indexOf(lineEnd, at);
      if (end < 0 || (this.#checksRest && !isPlainRest(bytes, view, at + 1, end))) return -1;
    }
    return this.#hasBeginning(bytes, view, from, end) ? -1 : end + 1;
  }

  /** Whether a text may hold the beginning of another line. */
  #hasBeginning(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    const beginning = this.#beginning;
    if (beginning === undefined || start === end) return false;
    const stops = this.#behindTime;
    let at = start;
    if (stops !== 0) {
      at = firstPlaceOf(stops, view, start, end);
      while (at < end && !isTimeBefore(bytes, at)) at = firstPlaceOf(stops, view, at + 1, end);
      if (at === end) return false;
    }
    return latin1Of(bytes, start, end).search(beginning) >= 0;
  }
}

/**
 * The position of the first step in whose field another line may begin. A beginning with a quote is in no field that a quote ends; one
 * without a quote may be in captured headers, or behind the target.
 */
function firstSearched(steps: LogPattern["steps"], timeAt: number, capturesAt: number): number {
  const behindQuotes = steps.findLastIndex(({ end }) => end.includes('"')) + 1;
  const first = behindQuotes === 0 ? steps.findIndex(({ field }) => field === "target") : behindQuotes;
  return Math.max(timeAt + 1, capturesAt < 0 ? first : Math.min(first, capturesAt));
}

/** Whether a time as servers write it may end before the offset `end`: with seconds, a fraction of them, or a zone. */
function isTimeBefore(bytes: Uint8Array, end: number): boolean {
  if (bytes[end - 1] === letterZ) return true;
  const from = startOfDigits(bytes, end);
  const digits = end - from;
  const before = bytes[from - 1];
  if (before === colon) return digits === 2;
  if (before === plus || before === dash) return digits === 4;
  if ((before !== dot && before !== comma) || digits === 0 || digits > 9) return false;
  const secondsFrom = startOfDigits(bytes, from - 1);
  const seconds = from - 1 - secondsFrom;
  return seconds >= 10 || (seconds === 2 && bytes[secondsFrom - 1] === colon);
}

/** The offset of the first of the digits before the offset `end`. */
function startOfDigits(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && isDigit(bytes[at - 1]!)) at--;
  return at;
}

/** Whether a text after the fields has no quotes, and no letter in its first word. */
function isPlainRest(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  for (let at = start; at < end && bytes[at] !== space; at++) {
    const lower = bytes[at]! | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) return false;
  }
  return firstPlaceOf(quotes, view, start, end) === end;
}

function latin1Of({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer, byteOffset + start, end - start).toString("latin1");
}

/** Whether `text` is at the offset `at`. The caller has compared the first four bytes. */
function isAt(text: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let index = 4; index < text.length; index++) if (bytes[at + index] !== text[index]) return false;
  return true;
}
