// Parses the bytes of a Dictionary of Structured Fields: keys, with the type and the text of each value (RFC 9651 §4.2.2).
import { strictTextOf, textOf } from "../read/bytes.ts";

/** The type of a member's value (RFC 9651 §3). */
export type ItemType =
  | "inner-list"
  | "integer"
  | "decimal"
  | "string"
  | "token"
  | "byte-sequence"
  | "boolean"
  | "date"
  | "display-string";

/** One member of a Dictionary. */
export interface DictionaryMember {
  readonly key: string;
  readonly type: ItemType;
  /** The value as written, without its parameters. Empty for a key alone, whose value is the boolean true. */
  readonly text: string;
  /** The offset of the key. */
  readonly at: number;
}

export interface Dictionary {
  /** The members by key, in the order in which the keys first occur. A repeated key has its last value. Undefined: parsing failed. */
  readonly members: ReadonlyMap<string, DictionaryMember> | undefined;
  /** The offset at which parsing failed; the end when it did not fail. */
  readonly at: number;
}

const SP = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const PERCENT = 0x25;
const STAR = 0x2a;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUESTION = 0x3f;
const AT = 0x40;
const BACKSLASH = 0x5c;

/** The maximum number of digits of an integer, of the integer part of a decimal, and of its fraction (RFC 9651 §4.2.4). */
const mostDigits = 15;
const mostWholeDigits = 12;
const mostFractionDigits = 3;

/**
 * Parses the bytes from `start` to `end` as a Dictionary; never throws. If any part is invalid, parsing fails and the result has no
 * members. The bytes are one field value; callers join several field lines with ", ". Linear in the bytes.
 */
export function parseDictionary(bytes: Uint8Array, start: number = 0, end: number = bytes.length): Dictionary {
  const reader = new Reader(bytes, start, end);
  const members = reader.dictionary();
  return { members, at: reader.at };
}

/**
 * A cursor over the bytes. A method that reads a part moves the cursor past the part. If the part is not valid, the method leaves the
 * cursor where parsing failed and returns false or undefined.
 */
class Reader {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.at = start;
    this.#end = end;
  }

  /** The byte at the cursor; -1 at the end. */
  #peek(): number {
    return this.at < this.#end ? this.#bytes[this.at]! : -1;
  }

  dictionary(): Map<string, DictionaryMember> | undefined {
    const members = new Map<string, DictionaryMember>();
    this.#skip(false);
    while (this.at < this.#end) {
      const member = this.#member();
      if (member === undefined) return undefined;
      members.set(member.key, member);
      this.#skip(true);
      if (this.at === this.#end) break;
      if (!this.#take(COMMA)) return undefined;
      this.#skip(true);
      // A comma at the end is not allowed.
      if (this.at === this.#end) return undefined;
    }
    return members;
  }

  #member(): DictionaryMember | undefined {
    const { at } = this;
    const key = this.#key();
    if (key === undefined) return undefined;
    let type: ItemType = "boolean";
    let text = "";
    if (this.#take(EQUALS)) {
      const start = this.at;
      const read = this.#peek() === 0x28 ? this.#innerList() : this.#bareItem();
      if (read === undefined) return undefined;
      type = read;
      text = textOf(this.#bytes, start, this.at);
    }
    return this.#parameters() ? { key, type, text, at } : undefined;
  }

  #key(): string | undefined {
    if (!isLower(this.#peek()) && this.#peek() !== STAR) return undefined;
    const start = this.at++;
    while (isLower(this.#peek()) || isDigit(this.#peek()) || isKeyMark(this.#peek())) this.at++;
    return textOf(this.#bytes, start, this.at);
  }

  #parameters(): boolean {
    while (this.#take(SEMICOLON)) {
      this.#skip(false);
      if (this.#key() === undefined) return false;
      if (this.#take(EQUALS) && this.#bareItem() === undefined) return false;
    }
    return true;
  }

  #innerList(): ItemType | undefined {
    this.at++;
    for (;;) {
      this.#skip(false);
      if (this.#take(0x29)) return "inner-list";
      if (this.#bareItem() === undefined || !this.#parameters()) return undefined;
      if (this.#peek() !== SP && this.#peek() !== 0x29) return undefined;
    }
  }

  /** Reads an item without its parameters (§4.2.3.1). */
  #bareItem(): ItemType | undefined {
    const byte = this.#peek();
    if (byte === MINUS || isDigit(byte)) return this.#number();
    if (byte === QUOTE) return this.#string() ? "string" : undefined;
    if (byte === STAR || isLower(byte | SP)) return this.#token();
    if (byte === COLON) return this.#byteSequence() ? "byte-sequence" : undefined;
    if (byte === QUESTION) return this.#boolean() ? "boolean" : undefined;
    if (byte === AT) return this.#date() ? "date" : undefined;
    if (byte === PERCENT) return this.#displayString() ? "display-string" : undefined;
    return undefined;
  }

  #number(): ItemType | undefined {
    this.#take(MINUS);
    const whole = this.#digits();
    if (whole === 0 || whole > mostDigits) return undefined;
    if (!this.#take(DOT)) return "integer";
    const fraction = this.#digits();
    if (whole > mostWholeDigits || fraction === 0 || fraction > mostFractionDigits) return undefined;
    return "decimal";
  }

  #date(): boolean {
    this.at++;
    return this.#number() === "integer";
  }

  /** Skips digits; returns how many. */
  #digits(): number {
    const start = this.at;
    while (isDigit(this.#peek())) this.at++;
    return this.at - start;
  }

  #string(): boolean {
    this.at++;
    for (; this.at < this.#end; this.at++) {
      if (this.#take(QUOTE)) return true;
      if (!isPrintable(this.#peek())) return false;
      if (this.#peek() !== BACKSLASH) continue;
      this.at++;
      if (this.#peek() !== QUOTE && this.#peek() !== BACKSLASH) return false;
    }
    return false;
  }

  #token(): ItemType {
    this.at++;
    while (isTokenCharacter(this.#peek())) this.at++;
    return "token";
  }

  /** Reads base64 between colons. Padding may be missing, and bits after the last whole byte may have any value (§4.2.7). */
  #byteSequence(): boolean {
    this.at++;
    const start = this.at;
    while (isBase64(this.#peek())) this.at++;
    const letters = this.at - start;
    let padding = 0;
    while (this.#take(EQUALS)) padding++;
    if (letters % 4 === 1 || (padding > 0 && (padding > 2 || (letters + padding) % 4 !== 0))) return false;
    return this.#take(COLON);
  }

  #boolean(): boolean {
    this.at++;
    return this.#take(0x30) || this.#take(0x31);
  }

  /** Reads a string whose percent escapes must decode to UTF-8 (§4.2.10). */
  #displayString(): boolean {
    this.at++;
    if (!this.#take(QUOTE)) return false;
    const decoded: number[] = [];
    for (; this.at < this.#end; this.at++) {
      if (this.#peek() === QUOTE) {
        if (strictTextOf(Uint8Array.from(decoded)) === undefined) return false;
        this.at++;
        return true;
      }
      if (!isPrintable(this.#peek())) return false;
      if (this.#peek() === PERCENT) {
        const high = lowerHexOf(this.#bytes[this.at + 1]);
        const low = lowerHexOf(this.#bytes[this.at + 2]);
        if (this.at + 2 >= this.#end || high < 0 || low < 0) return false;
        decoded.push(high * 16 + low);
        this.at += 2;
      } else decoded.push(this.#peek());
    }
    return false;
  }

  /** Skips SP, and with `withTabs` HTAB, too. */
  #skip(withTabs: boolean): void {
    while (this.#peek() === SP || (withTabs && this.#peek() === TAB)) this.at++;
  }

  /** Skips the byte at the cursor if it equals `byte`; returns whether it did. */
  #take(byte: number): boolean {
    if (this.#peek() !== byte) return false;
    this.at++;
    return true;
  }
}

function isLower(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Whether a byte is one of `_-.*`, which keys may contain besides lower-case letters and digits. */
function isKeyMark(byte: number): boolean {
  return byte === 0x5f || byte === MINUS || byte === DOT || byte === STAR;
}

/** Printable ASCII, blanks included. */
function isPrintable(byte: number): boolean {
  return byte >= SP && byte <= 0x7e;
}

const tokenCharacters = new Set(Array.from("!#$%&'*+-.^_`|~:/", (character) => character.charCodeAt(0)));

function isTokenCharacter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || isLower(byte) || isDigit(byte) || tokenCharacters.has(byte);
}

function isBase64(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || isLower(byte) || isDigit(byte) || byte === 0x2b || byte === 0x2f;
}

/** The value of a hex digit in lower case, or -1. */
function lowerHexOf(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (isDigit(byte)) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}
