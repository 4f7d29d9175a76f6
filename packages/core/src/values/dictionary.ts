// Parses the bytes of a Dictionary of Structured Fields: keys, with the type and the text of each value (RFC 9651 §4.2.2).
import { oneByteTextOf } from "../read/bytes.ts";

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

/** The maximum number of digits of an integer, of the integer part of a decimal, and of its fraction (RFC 9651 §4.2.4). */
const mostDigits = 15;
const mostWholeDigits = 12;
const mostFractionDigits = 3;

// Each pattern matches as much as a part may have; `Reader` tests what has to follow. So a failure is at the first wrong character.
const key = /[a-z*][a-z0-9_.*-]*/y;
const spaces = / */y;
const spacesAndTabs = /[ \t]*/y;
const signAndDigits = /-?\d*/y;
const pointAndDigits = /\.\d*/y;
const openString = /"(?:[ !#-[\]-~]|\\["\\])*\\?/y;
const token = /[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*/y;
const openBytes = /:([A-Za-z0-9+/]*)(=*)/y;
const boolean = /\?[01]?/y;
const openDisplayString = /%(?:"(?:[ !#$&-~]|%[0-9a-f]{2})*)?/y;

/**
 * Parses the bytes from `start` to `end` as a Dictionary; never throws. If any part is invalid, parsing fails and the result has no
 * members. The bytes are one field value; callers join several field lines with ", ". Linear in the bytes.
 */
export function parseDictionary(bytes: Uint8Array, start: number = 0, end: number = bytes.length): Dictionary {
  const reader = new Reader(oneByteTextOf(bytes.subarray(start, end), end - start), start);
  const members = reader.dictionary();
  return { members, at: start + reader.at };
}

/**
 * A cursor over a text, which has one character for each byte. A method that reads a part moves the cursor past the part. If the part is
 * not valid, the method leaves the cursor where parsing failed and returns false or undefined.
 */
class Reader {
  at = 0;
  readonly #text: string;
  readonly #offset: number;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#offset = offset;
  }

  dictionary(): Map<string, DictionaryMember> | undefined {
    const members = new Map<string, DictionaryMember>();
    this.#read(spaces);
    while (this.#isMore) {
      const member = this.#member();
      if (member === undefined) return undefined;
      members.set(member.key, member);
      this.#read(spacesAndTabs);
      if (!this.#isMore) break;
      if (!this.#take(",")) return undefined;
      this.#read(spacesAndTabs);
      // A comma at the end is not allowed.
      if (!this.#isMore) return undefined;
    }
    return members;
  }

  #member(): DictionaryMember | undefined {
    const at = this.#offset + this.at;
    const name = this.#read(key)?.[0];
    if (name === undefined) return undefined;
    let type: ItemType = "boolean";
    let text = "";
    if (this.#take("=")) {
      const start = this.at;
      const read = this.#take("(") ? this.#innerList() : this.#bareItem();
      if (read === undefined) return undefined;
      type = read;
      text = this.#text.slice(start, this.at);
    }
    return this.#parameters() ? { key: name, type, text, at } : undefined;
  }

  #parameters(): boolean {
    while (this.#take(";")) {
      this.#read(spaces);
      if (this.#read(key) === undefined) return false;
      if (this.#take("=") && this.#bareItem() === undefined) return false;
    }
    return true;
  }

  /** Reads an inner list after its "(". */
  #innerList(): ItemType | undefined {
    for (;;) {
      this.#read(spaces);
      if (this.#take(")")) return "inner-list";
      if (this.#bareItem() === undefined || !this.#parameters()) return undefined;
      if (this.#next !== " " && this.#next !== ")") return undefined;
    }
  }

  /** Reads an item without its parameters (§4.2.3.1). */
  #bareItem(): ItemType | undefined {
    const next = this.#next;
    if (next === '"') return this.#read(openString) && this.#take('"') ? "string" : undefined;
    if (next === ":") return this.#byteSequence() ? "byte-sequence" : undefined;
    if (next === "?") return this.#read(boolean)![0].length === 2 ? "boolean" : undefined;
    if (next === "@") return this.#take("@") && this.#number() === "integer" ? "date" : undefined;
    if (next === "%") return this.#displayString() ? "display-string" : undefined;
    if (this.#read(token) !== undefined) return "token";
    return this.#number();
  }

  #number(): ItemType | undefined {
    const whole = this.#read(signAndDigits)![0].replace("-", "").length;
    if (whole === 0 || whole > mostDigits) return undefined;
    const fraction = this.#read(pointAndDigits)?.[0];
    if (fraction === undefined) return "integer";
    const isValid = whole <= mostWholeDigits && fraction.length > 1 && fraction.length - 1 <= mostFractionDigits;
    return isValid ? "decimal" : undefined;
  }

  /** Reads base64 between colons. Padding may be missing, and bits after the last whole byte may have any value (§4.2.7). */
  #byteSequence(): boolean {
    const [, letters = "", padding = ""] = this.#read(openBytes)!;
    const isPadded = padding.length <= 2 && (letters.length + padding.length) % 4 === 0;
    return letters.length % 4 !== 1 && (padding === "" || isPadded) && this.#take(":");
  }

  /** Reads a string whose percent escapes must decode to UTF-8 (§4.2.10). */
  #displayString(): boolean {
    const [read] = this.#read(openDisplayString)!;
    if (this.#next !== '"' || read === "%") return false;
    try {
      decodeURIComponent(read.slice(2));
    } catch {
      return false;
    }
    return this.#take('"');
  }

  get #isMore(): boolean {
    return this.at < this.#text.length;
  }

  /** The character at the cursor; undefined at the end. */
  get #next(): string | undefined {
    return this.#text[this.at];
  }

  /** Moves the cursor past a match of the pattern, and returns the match; undefined if there is none at the cursor. */
  #read(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.at = pattern.lastIndex;
    return found;
  }

  /** Moves the cursor past a character; returns whether the character is there. */
  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.at++;
    return true;
  }
}
