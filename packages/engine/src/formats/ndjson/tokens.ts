// Lines of bytes in, the ends of JSON's strings, numbers and words out, or the expected token where there is none (RFC 8259).
import type { Block } from "../../records/blocks.ts";
import { firstMarkOf, hasLowFirst, marksOf } from "../../records/words.ts";

export const quote = 0x22;
export const comma = 0x2c;
export const closeBrace = 0x7d;
export const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;
const space = 0x20;
const zero = 0x30;
const nine = 0x39;

const closingQuote = 'a closing "';
const noControl = "no control character in a string";

/**
 * Walks over the tokens in one block of lines. All offsets are offsets in the block's bytes. A walk never passes the end of its line:
 * line ends are control characters, which no string may hold, and are no white space here.
 */
export class TokenWalker {
  /** For the last line with an error: the expected token, and its offset. */
  expected = "";
  expectedAt = 0;
  /** The end of that line, without and with the white space at its end. */
  contentEnd = 0;
  lineEndAt = 0;

  protected readonly bytes: Uint8Array;
  protected readonly lineEnd: number;
  /** Set when a string has a backslash; the caller clears it before the walk. */
  protected sawEscape = false;
  readonly #words: Int32Array;

  constructor({ bytes }: Pick<Block, "bytes">, lineEnd: "\n" | "\r") {
    // An Int32Array must begin at a multiple of four in its buffer.
    this.bytes = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
    const { buffer, byteOffset, length } = this.bytes;
    // The marks are read from the lowest bits upwards, which requires little-endian words.
    this.#words = new Int32Array(buffer, byteOffset, hasLowFirst ? length >> 2 : 0);
    this.lineEnd = lineEnd.charCodeAt(0);
  }

  /** The offset of the first byte from `from` on that is not white space; may be the offset of the line's end. */
  skipSpace(from: number): number {
    const bytes = this.bytes;
    let at = from;
    while (at < bytes.length) {
      const code = bytes[at]!;
      if (code > space || !isSpace(code) || code === this.lineEnd) break;
      at++;
    }
    return at;
  }

  /** Records the expected token; white space at the line's end does not count as found text. */
  protected fails(expected: string, at: number): false {
    const bytes = this.bytes;
    const lineEndAt = endOfLine(bytes, at, this.lineEnd);
    let end = lineEndAt;
    while (end > 0 && isSpace(bytes[end - 1]!) && bytes[end - 1] !== this.lineEnd) end--;
    this.expected = expected === noControl && at >= end ? closingQuote : expected;
    this.expectedAt = Math.min(at, end);
    this.contentEnd = end;
    this.lineEndAt = lineEndAt;
    return false;
  }

  /** Like `fails`, for callers that return an offset. */
  protected failsAt(expected: string, at: number): -1 {
    this.fails(expected, at);
    return -1;
  }

  /** From the byte after an opening quote to its closing quote; -1 for an invalid string. */
  protected stringEndFrom(from: number): number {
    const bytes = this.bytes;
    const words = this.#words;
    const count = words.length;
    let at = from;
    let word = at >> 2;
    while (word < count) {
      // Bytes of the first word before `at` do not belong to the string.
      let marks = marksOf(words[word]!) & (-1 << ((at & 3) << 3));
      while (marks === 0 && ++word < count) marks = marksOf(words[word]!);
      if (marks === 0) {
        at = word << 2;
        break;
      }
      at = (word << 2) + firstMarkOf(marks);
      const code = bytes[at]!;
      if (code === quote) return at;
      if (code < space) return this.failsAt(noControl, at);
      if (code === backslash) {
        at = this.#escapeEndFrom(at);
        if (at < 0) return -1;
      } else at++;
      word = at >> 2;
    }
    // Less than a word of the block remains.
    while (at < bytes.length) {
      const code = bytes[at]!;
      if (code === quote) return at;
      if (code < space) return this.failsAt(noControl, at);
      if (code === backslash) {
        at = this.#escapeEndFrom(at);
        if (at < 0) return -1;
      } else at++;
    }
    return this.failsAt(noControl, bytes.length);
  }

  /** Skips an escape that begins at a backslash; returns the offset after it, or -1. */
  #escapeEndFrom(at: number): number {
    const bytes = this.bytes;
    this.sawEscape = true;
    const code = at + 1 < bytes.length ? bytes[at + 1]! : 0;
    if (code !== 0x75) return isSimpleEscape(code) ? at + 2 : this.failsAt("an escape that JSON knows", at);
    for (let digit = at + 2; digit < at + 6; digit++) {
      if (digit >= bytes.length || !isHex(bytes[digit]!)) {
        return this.failsAt("four hexadecimal digits after \\u", digit);
      }
    }
    return at + 6;
  }

  /** Skips a string; returns the offset after it, or -1. */
  protected afterString(open: number): number {
    const end = this.stringEndFrom(open + 1);
    return end < 0 ? -1 : end + 1;
  }

  /** Skips true, false, null or a number that begins with `code`; returns the offset after it, or -1. */
  protected scalarEndFrom(from: number, code: number): number {
    if (code > zero && code <= nine) {
      const at = this.#digitsEndFrom(from + 1);
      const after = this.codeAt(at);
      if (after === comma || after === closeBrace) return at;
    }
    const literal = literals.get(code);
    if (literal !== undefined) {
      for (let at = 0; at < literal.length; at++) {
        if (this.bytes[from + at] !== literal.charCodeAt(at)) return this.failsAt("a value", from);
      }
      return from + literal.length;
    }
    let at = code === 0x2d ? from + 1 : from;
    if (this.codeAt(at) === zero) at++;
    else {
      const digits = at;
      at = this.#digitsEndFrom(digits);
      if (at === digits) return this.failsAt("a value", from);
    }
    if (this.codeAt(at) === 0x2e) {
      const digits = at + 1;
      at = this.#digitsEndFrom(digits);
      if (at === digits) return this.failsAt("a digit", at);
    }
    if ((this.codeAt(at) | 0x20) === 0x65) {
      at++;
      const sign = this.codeAt(at);
      if (sign === 0x2b || sign === 0x2d) at++;
      const digits = at;
      at = this.#digitsEndFrom(digits);
      if (at === digits) return this.failsAt("a digit", at);
    }
    return at;
  }

  #digitsEndFrom(from: number): number {
    const bytes = this.bytes;
    let at = from;
    while (at < bytes.length && bytes[at]! >= zero && bytes[at]! <= nine) at++;
    return at;
  }

  /** The byte at an offset; 0 after the end of the block. */
  codeAt(at: number): number {
    return at < this.bytes.length ? this.bytes[at]! : 0;
  }
}

/** The offset of the end of the line that contains `from`; for the last line, the length. */
function endOfLine(bytes: Uint8Array, from: number, lineEnd: number): number {
  // Calling the platform's search costs more than comparing a few bytes.
  const near = Math.min(from + 32, bytes.length);
  for (let at = from; at < near; at++) if (bytes[at] === lineEnd) return at;
  const found = bytes.indexOf(lineEnd, near);
  return found < 0 ? bytes.length : found;
}

function isSpace(code: number): boolean {
  return code === space || code === tab || code === carriageReturn || code === lineFeed;
}

function isHex(code: number): boolean {
  return (code >= zero && code <= nine) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** One of " \ / b f n r t. */
function isSimpleEscape(code: number): boolean {
  return code === quote || code === backslash || code === 0x2f || controlOfEscape.has(code);
}

/** The control characters that letters after a backslash stand for. */
export const controlOfEscape: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/** The values that are words, by their first letter. */
const literals: ReadonlyMap<number, string> = new Map([
  [0x74, "true"],
  [0x66, "false"],
  [0x6e, "null"],
]);
