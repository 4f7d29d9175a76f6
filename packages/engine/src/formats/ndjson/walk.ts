// The bytes of a block of lines in, for one ordinary JSON object after another the place of its URL and of its closing
// brace out (RFC 8259): four bytes are looked at at once, and whatever is not ordinary is left to json-scan.ts.
import { firstMarkOf, hasLowFirst, marksOf } from "../../records/words.ts";
import type { Block } from "../../records/blocks.ts";
import { skipValue } from "./scan.ts";

/** Walks over the lines of one block. */
export class JsonWalker {
  /** The text of the URL, without its quotes; whether it has a backslash in it. */
  urlStart = 0;
  urlEnd = 0;
  isUrlEscaped = false;
  /** The place of the object's closing brace. */
  close = 0;
  /** Where the next line begins. */
  next = 0;

  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #block: Pick<Block, "text">;
  readonly #key: Uint8Array;
  readonly #taken: Uint8Array;
  readonly #lineEnd: string;
  /** Whether the string that was walked over last had a backslash. */
  #sawEscape = false;

  /** `key` names the URL's member, `taken` one that no record may have, as bytes. */
  constructor(block: Pick<Block, "bytes" | "text">, key: string, taken: string, lineEnd: "\n" | "\r") {
    const { bytes } = block;
    // Words begin at multiples of four of the memory's own addresses.
    this.#bytes = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
    const { buffer, byteOffset, length } = this.#bytes;
    // The place of a byte within a word is read from the word's bits.
    this.#words = new Int32Array(buffer, byteOffset, hasLowFirst ? length >> 2 : 0);
    this.#block = block;
    this.#key = Buffer.from(key, "latin1");
    this.#taken = Buffer.from(taken, "latin1");
    this.#lineEnd = lineEnd;
  }

  /**
   * Walks over the line at `start`. True: it is a JSON object with a text under the key and no member of the taken
   * name, which is what {@link scanObject} would say. False says nothing about the line.
   */
  walk(start: number): boolean {
    const bytes = this.#bytes;
    const size = bytes.length;
    const keyLength = this.#key.length;
    const takenLength = this.#taken.length;
    if (bytes[start] !== 0x7b) return false;
    let isFound = false;
    let at = start + 1;
    for (;;) {
      while (at < size && bytes[at] === 0x20) at++;
      if (at >= size || bytes[at] !== 0x22) return false;
      const keyStart = at + 1;
      this.#sawEscape = false;
      const keyEnd = this.#stringEndOf(keyStart);
      if (keyEnd < 0 || this.#sawEscape) return false;
      const isKey = keyEnd - keyStart === keyLength && holds(bytes, keyStart, this.#key);
      if (keyEnd - keyStart === takenLength && holds(bytes, keyStart, this.#taken)) return false;
      at = keyEnd + 1;
      while (at < size && bytes[at] === 0x20) at++;
      if (at >= size || bytes[at] !== 0x3a) return false;
      at++;
      while (at < size && bytes[at] === 0x20) at++;
      if (at >= size) return false;
      if (bytes[at] === 0x22) {
        const valueStart = at + 1;
        at = this.#stringEndOf(valueStart);
        if (at < 0) return false;
        if (isKey) {
          isFound = true;
          this.urlStart = valueStart;
          this.urlEnd = at;
          this.isUrlEscaped = this.#sawEscape;
        }
        at++;
      } else {
        if (isKey) return false;
        at = this.#valueEndOf(at);
        if (at < 0) return false;
      }
      while (at < size && bytes[at] === 0x20) at++;
      if (at >= size) return false;
      const code = bytes[at]!;
      if (code === 0x2c) {
        at++;
        continue;
      }
      if (code !== 0x7d) return false;
      break;
    }
    this.close = at++;
    const lineEnd = this.#lineEnd.charCodeAt(0);
    while (at < size && bytes[at] !== lineEnd) {
      if (bytes[at] !== 0x20 && bytes[at] !== 0x0d) return false;
      at++;
    }
    this.next = at + 1;
    return isFound;
  }

  /** From behind an opening quote to the closing one, or -1. */
  #stringEndOf(from: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const count = words.length;
    let at = from;
    let word = at >> 2;
    while (word < count) {
      let four = words[word]!;
      // Those before the place are none of the string.
      let marks = marksOf(four) & (-1 << ((at & 3) << 3));
      while (marks === 0 && ++word < count) {
        four = words[word]!;
        marks = marksOf(four);
      }
      if (marks === 0) {
        at = word << 2;
        break;
      }
      at = (word << 2) + firstMarkOf(marks);
      const code = bytes[at]!;
      if (code === 0x22) return at;
      if (code < 0x20) return -1;
      if (code === 0x5c) {
        at = this.#escapeEndOf(at);
        if (at < 0) return -1;
      } else at++;
      word = at >> 2;
    }
    // What is left of the block is less than a word.
    while (at < bytes.length) {
      const code = bytes[at]!;
      if (code === 0x22) return at;
      if (code < 0x20) return -1;
      if (code === 0x5c) {
        at = this.#escapeEndOf(at);
        if (at < 0) return -1;
      } else at++;
    }
    return -1;
  }

  /** From a backslash to behind its escape, or -1. */
  #escapeEndOf(at: number): number {
    this.#sawEscape = true;
    switch (this.#bytes[at + 1] ?? 0) {
      case 0x22:
      case 0x5c:
      case 0x2f:
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74:
        return at + 2;
      case 0x75:
        return /^[0-9A-Fa-f]{4}$/.test(this.#block.text.slice(at + 2, at + 6)) ? at + 6 : -1;
      default:
        return -1;
    }
  }

  /** Over a value that is no string; -1 where it is none, or not an ordinary one. */
  #valueEndOf(from: number): number {
    const bytes = this.#bytes;
    const first = bytes[from]!;
    // 1 to 9 and what follows: a number that no sign, fraction or exponent belongs to.
    if (first > 0x30 && first <= 0x39) {
      let at = from + 1;
      while (at < bytes.length && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
      const code = bytes[at];
      if (code === 0x2c || code === 0x7d) return at;
    }
    const { text } = this.#block;
    const lineEnd = text.indexOf(this.#lineEnd, from);
    return skipValue(text, from, lineEnd < 0 ? text.length : lineEnd);
  }
}

function holds(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name[at]) return false;
  return true;
}
