// Assigns a number, from 0, to each distinct name that is given as a range of bytes. A name becomes a string only when its text is read.
import { bytesOf } from "../hash.ts";

/** The name that replaces all names that were folded into one. */
export const foldedName = "…";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
const decoder = new TextDecoder();

/** 1 for the visible ASCII characters, 0x21 to 0x7E. */
const isPlain = new Uint8Array(256).fill(1, 0x21, 0x7f);
const hexDigits = bytesOf("0123456789ABCDEF");

/**
 * Writes a byte of a name to `to` at position `at`: visible ASCII unchanged, other bytes as `%XX`. Returns the position after the written
 * bytes.
 */
function writeByte(to: Uint8Array, at: number, byte: number): number {
  if (isPlain[byte] === 1) {
    to[at] = byte;
    return at + 1;
  }
  to[at] = 0x25;
  to[at + 1] = hexDigits[byte >>> 4]!;
  to[at + 2] = hexDigits[byte & 15]!;
  return at + 3;
}

/** Writes a range of bytes to the beginning of `to`: visible ASCII unchanged, other bytes as `%XX`. Returns the number of written bytes. */
export function writeEscaped(to: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  for (let at = start; at < end; at++) length = writeByte(to, length, bytes[at]!);
  return length;
}

/** The text of the first `length` bytes of a buffer in UTF-8. */
export function textOfBytes(bytes: Uint8Array, length: number): string {
  return decoder.decode(bytes.subarray(0, length));
}

/** The text of a range of bytes: visible ASCII unchanged, other bytes as `%XX`. */
export function escapedTextOf(bytes: Uint8Array, start: number, end: number): string {
  const escaped = new Uint8Array((end - start) * 3);
  return textOfBytes(escaped, writeEscaped(escaped, bytes, start, end));
}

/**
 * Names with their numbers, from 0. Invariant: the bytes of name `n` are `#bytes` from `#ends[n - 1]` to `#ends[n]`; a slot holds
 * the number of a name + 1, or 0 if it is free.
 */
export class Names {
  #bytes = new Uint8Array(256);
  #ends = new Int32Array(16);
  #slots = new Int32Array(32);
  #scratch = new Uint8Array(64);
  count = 0;

  /** Returns the number of the name in a range of bytes; adds a new name. Bytes other than visible ASCII are stored as `%XX`. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = hashSeed;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (isPlain[byte] === 0) return this.#escaped(bytes, start, end);
      hash = Math.imul(hash ^ byte, hashFactor);
    }
    return this.#find(bytes, start, end, hash ^ (hash >>> 15));
  }

  /** Returns the number of a name that is given in the form that `textOf` returns; adds a new name. */
  numberOfText(text: string): number {
    const bytes = bytesOf(text);
    return this.#find(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
  }

  /** The text of a name. */
  textOf(number: number): string {
    return decoder.decode(this.#bytes.subarray(number === 0 ? 0 : this.#ends[number - 1]!, this.#ends[number]));
  }

  #escaped(bytes: Uint8Array, start: number, end: number): number {
    if (this.#scratch.length < (end - start) * 3) this.#scratch = new Uint8Array((end - start) * 3);
    let length = 0;
    for (let at = start; at < end; at++) length = writeByte(this.#scratch, length, bytes[at]!);
    return this.#find(this.#scratch, 0, length, hashOf(this.#scratch, 0, length));
  }

  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) break;
      if (this.#isName(number, bytes, start, end)) return number;
      slot = (slot + 1) & mask;
    }
    if (this.count === this.#ends.length) {
      this.#grow();
      return this.#find(bytes, start, end, hash);
    }
    const number = this.count++;
    const from = number === 0 ? 0 : this.#ends[number - 1]!;
    const to = from + end - start;
    if (to > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(to, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes.subarray(start, end), from);
    this.#ends[number] = to;
    this.#slots[slot] = number + 1;
    return number;
  }

  #isName(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = number === 0 ? 0 : this.#ends[number - 1]!;
    if (this.#ends[number]! - from !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (this.#bytes[from + at - start] !== bytes[at]) return false;
    }
    return true;
  }

  #grow(): void {
    const ends = new Int32Array(this.#ends.length * 2);
    ends.set(this.#ends);
    this.#ends = ends;
    const slots = new Int32Array(ends.length * 2);
    for (let number = 0; number < this.count; number++) {
      let slot = hashOf(this.#bytes, number === 0 ? 0 : ends[number - 1]!, ends[number]!) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

// FNV-1a.
const hashSeed = 0x811c9dc5;
const hashFactor = 0x01000193;

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = hashSeed;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, hashFactor);
  return hash ^ (hash >>> 15);
}

/** The text that is kept of an unknown agent's User-Agent header: its first 200 bytes, with bytes other than printable ASCII as `%XX`. */
export function shownAgentOf(header: Uint8Array): string {
  const shown = header.subarray(0, 200);
  const words: string[] = [];
  for (let start = 0; start <= shown.length;) {
    const space = shown.indexOf(0x20, start);
    const end = space < 0 ? shown.length : space;
    words.push(escapedTextOf(shown, start, end));
    start = end + 1;
  }
  return words.join(" ");
}
