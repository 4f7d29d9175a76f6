// Finds the ends of JSON's strings, numbers and words (true, false, null) in bytes. For invalid JSON, names the expected token (RFC 8259).
import type { Block } from "../../records/blocks.ts";
import { endMarksOf, firstMarkOf, isDigit, isSpace, viewOf } from "../../records/words.ts";
import { utf8TextOf } from "../../common/text.ts";

export const quote = 0x22;
export const comma = 0x2c;
export const closeBrace = 0x7d;
export const backslash = 0x5c;
export const space = 0x20;
const zero = 0x30;

const closingQuote = 'a closing "';
const noControl = "no control character in a string";

/**
 * Walks over the tokens in one block of lines. All offsets are offsets in the block's bytes. A walk never passes the end of its line: a
 * line end is a control character, which no string may contain, and this class does not skip it as white space.
 */
export class TokenWalker {
  /** For the last line with an error: the expected token, and its offset. */
  expected = "";
  expectedAt = 0;

  /** Always a Buffer, because V8 reads bytes more slowly in code that gets arrays of several classes. */
  protected readonly bytes: Buffer;
  protected readonly lineEnd: number;
  /** The same bytes, for reading four at a time. */
  protected readonly view: DataView;
  /** The offset of the closing quote of the last string with a backslash. */
  protected escapedEnd = -1;

  constructor({ bytes }: Pick<Block, "bytes">, lineEnd: "\n" | "\r") {
    this.lineEnd = lineEnd.charCodeAt(0);
    this.bytes = bytes;
    this.view = viewOf(bytes);
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

  /** Sets the members about an error: `expected` was expected at offset `at`. White space at the line's end is not part of the line. */
  protected fails(expected: string, at: number): false {
    const bytes = this.bytes;
    let end = bytes.indexOf(this.lineEnd, at);
    if (end < 0) end = bytes.length;
    while (end > 0 && isSpace(bytes[end - 1]!) && bytes[end - 1] !== this.lineEnd) end--;
    this.expected = expected === noControl && at >= end ? closingQuote : expected;
    this.expectedAt = Math.min(at, end);
    return false;
  }

  /** Like `fails`, for callers that return an offset. */
  protected failsAt(expected: string, at: number): -1 {
    this.fails(expected, at);
    return -1;
  }

  /** The offset of the closing quote of a string; -1 for an invalid string. `from`: an offset in the string, at no character of an escape. */
  protected stringEndFrom(from: number): number {
    const { bytes, view } = this;
    let end = endMarkFrom(bytes, view, from);
    if (bytes[end] === backslash) {
      do {
        const at = this.#escapeEndFrom(end);
        if (at < 0) return -1;
        end = endMarkFrom(bytes, view, at);
      } while (bytes[end] === backslash);
      this.escapedEnd = end;
    }
    return end < bytes.length && bytes[end] === quote ? end : this.failsAt(noControl, end);
  }

  /** Skips the escape whose backslash is at `at`; returns the offset after it, or -1 for an invalid escape. */
  #escapeEndFrom(at: number): number {
    const bytes = this.bytes;
    const code = at + 1 < bytes.length ? bytes[at + 1]! : 0;
    if (code !== 0x75) return isSimpleEscape(code) ? at + 2 : this.failsAt("a valid JSON escape", at);
    for (let digit = at + 2; digit < at + 6; digit++) {
      if (digit >= bytes.length || !isHex(bytes[digit]!)) {
        return this.failsAt("four hexadecimal digits after \\u", digit);
      }
    }
    return at + 6;
  }

  /** Skips the string whose opening quote is at `open`; returns the offset after it, or -1 for an invalid string. */
  protected afterString(open: number): number {
    const end = this.stringEndFrom(open + 1);
    return end < 0 ? -1 : end + 1;
  }

  /** Skips the true, false, null or number at `from`; returns the offset after it, or -1 for anything else. `code`: the byte at `from`. */
  protected scalarEndFrom(from: number, code: number): number {
    if (code > zero && isDigit(code)) {
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
    while (at < bytes.length && isDigit(bytes[at]!)) at++;
    return at;
  }

  /** Whether a string after `start`, in the lines that were walked over, has a backslash. */
  hasEscapeFrom(start: number): boolean {
    return this.escapedEnd > start;
  }

  /** The byte at an offset; 0 after the end of the block. */
  codeAt(at: number): number {
    return at < this.bytes.length ? this.bytes[at]! : 0;
  }
}

/** The offset of the first quote, backslash or control character at or after `from`; the length of `bytes` if there is none. */
export function endMarkFrom(bytes: Uint8Array, view: DataView, from: number): number {
  const lastWord = bytes.length - 4;
  let at = from;
  for (; at <= lastWord; at += 4) {
    const marks = endMarksOf(view.getInt32(at, true));
    if (marks !== 0) return at + firstMarkOf(marks);
  }
  while (at < bytes.length && bytes[at]! >= space && bytes[at] !== quote && bytes[at] !== backslash) at++;
  return at;
}

function isHex(code: number): boolean {
  return isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** One of " \ / b f n r t. */
function isSimpleEscape(code: number): boolean {
  return code === quote || code === backslash || code === 0x2f || controlOfEscape.has(code);
}

/** By letter after a backslash: the control character that the escape means. */
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

/** The decoded text of a raw JSON string. */
export function textOfJson(raw: string): string {
  return JSON.parse(utf8TextOf(raw)) as string;
}

/** The decoded text of a raw JSON string, as bytes. */
export function byteStringOfJson(raw: string): string {
  if (!raw.includes("\\")) return raw.slice(1, -1);
  // Does not use `byteStringOf`, because half a surrogate pair has to become U+FFFD as well.
  return Buffer.from(textOfJson(raw), "utf8").toString("latin1");
}
