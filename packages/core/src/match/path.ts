// Holds the path that rules are compared with, as bytes, and what all tables of rules ask about it, each computed once.
import { encodeUtf8, textOf } from "../read/bytes.ts";
import { isNormalized, pathOf, pathOffsetOf, writeCompared } from "../read/encode.ts";
import { type PathIndex, createPathIndex, longestIndexedPath } from "./path-index.ts";

/**
 * A set of characters is a bit mask: each lower-case letter and each of `?&.-` has a bit of its own; other bytes are not in sets. `starBit`
 * marks the set of a pattern with a star. A path that lacks a character of a pattern's set does not match the pattern.
 */
export const starBit: number = 1 << 30;
const otherBit = 1 << 31;
const bitOfByte = new Int32Array(256).fill(otherBit);
const ownBits = "abcdefghijklmnopqrstuvwxyz?&.-";
for (let bit = 0; bit < ownBits.length; bit++) bitOfByte[ownBits.charCodeAt(bit)] = 1 << bit;
bitOfByte[0x2a] = starBit;

/** The characters with bits of their own in a range of bytes. */
export function setOf(bytes: Uint8Array, start: number, end: number): number {
  let set = 0;
  for (let at = start; at < end; at++) set |= bitOfByte[bytes[at]!]!;
  return set & ~(starBit | otherBit);
}

/** The first four bytes of a range of at least four, as a number: negative if the fourth is not ASCII, so that it equals those of no pattern. */
export function firstFourOf(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

// Comparing one pattern takes at most an eighth of the time of indexing the path, usually far less, plus a constant cost for any path
// (`workOfAnyPath`). A longer pattern counts as more work, because its pieces are searched longer.
const workBeforeIndex = 64 * 1024;
const workOfAnyPath = 512;
const shiftOfMoreWork = 6;
const shortestIndexedPath = 128;

const fewBytes = 4096;
const mostKept = 256 * 1024;

const robotsTxt = "/robots.txt";

/** Whether a range of bytes is `/robots.txt`. */
export function isRobotsTxt(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== robotsTxt.length) return false;
  for (let at = 0; at < robotsTxt.length; at++) if (bytes[start + at] !== robotsTxt.charCodeAt(at)) return false;
  return true;
}

/** One path at a time: `bytes[start, end)`. A caller keeps one object and reads each path into it. */
export class Path {
  #own = new Uint8Array(fewBytes);
  bytes: Uint8Array = this.#own;
  start = 0;
  end = 0;
  /** The first four bytes; -1 for a shorter path. */
  first = -1;
  /** -1 before it is computed. */
  #missing = -1;
  #work = 0;
  #index: PathIndex | undefined;
  /** The normalized form of this path; undefined before it is asked for. */
  #normalized: Path | undefined;
  /** The object that holds the normalized forms of all paths that differ from theirs; undefined before the first one. */
  #other: Path | undefined;

  /** Reads a range of bytes. The caller does not change them while it asks about the path. */
  readBytes(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.first = end - start < 4 ? -1 : firstFourOf(bytes, start);
    this.#missing = -1;
    this.#work = 0;
    this.#index = undefined;
    this.#normalized = undefined;
  }

  /** Reads the path and query of a URL or a path, cut out as Google's parser does, see `pathOf`. */
  readUrl(urlOrPath: string): void {
    const offset = pathOffsetOf(urlOrPath);
    if (urlOrPath.charCodeAt(offset) === 0x2f) this.#readText(urlOrPath, offset, true);
    else this.#readText(pathOf(urlOrPath), 0, false);
  }

  /** Reads a target. */
  readTarget(target: string): void {
    this.#readText(target, 0, false);
  }

  /** Reads `text` from `from` on, as UTF-8; with `isUrl`, up to the first `#` or NUL. */
  #readText(text: string, from: number, isUrl: boolean): void {
    const size = text.length - from;
    const bytes = this.#bufferFor(size);
    let to = 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isUrl && (code === 0x23 || code === 0)) break;
      if (code >= 0x80) return this.#readBeyondAscii(isUrl ? text.slice(from).split(/[#\0]/, 1)[0]! : text.slice(from));
      bytes[to++] = code;
    }
    this.readBytes(bytes, 0, to);
  }

  #readBeyondAscii(text: string): void {
    const bytes = this.#bufferFor(text.length * 3);
    this.readBytes(bytes, 0, encodeUtf8(text, bytes));
  }

  #bufferFor(size: number): Uint8Array {
    if (size <= this.#own.length) return this.#own;
    const larger = new Uint8Array(size * 2);
    if (larger.length <= mostKept) this.#own = larger;
    return larger;
  }

  /** The characters with bits of their own that the path lacks. */
  get missing(): number {
    if (this.#missing < 0) this.#missing = ~(setOf(this.bytes, this.start, this.end) | starBit | otherBit);
    return this.#missing;
  }

  /** Counts the work for a pattern of `patternLength` bytes; returns the index of the path once the index pays, else undefined. */
  indexFor(patternLength: number): PathIndex | undefined {
    if (this.#index !== undefined) return this.#index;
    const size = this.end - this.start;
    this.#work += (1 + (patternLength >> shiftOfMoreWork)) * (size + workOfAnyPath);
    if (this.#work < workBeforeIndex || size < shortestIndexedPath || size > longestIndexedPath) return undefined;
    return (this.#index = createPathIndex(this.bytes, this.start, this.end));
  }

  /** Releases the memory of a long path. The path is read again before it is asked about. */
  release(): void {
    this.#index = undefined;
    this.bytes = this.#own;
    this.#normalized = undefined;
    this.#other?.release();
  }

  /** The path in the form that RFC 9309 compares (§2.2.2); this object if that form is the same. Valid until another path is read. */
  get normalized(): Path {
    return (this.#normalized ??= isNormalized(this.bytes, this.start, this.end) ? this : this.#normalize());
  }

  #normalize(): Path {
    const { bytes, start, end } = this;
    const other = (this.#other ??= new Path());
    const written = other.#bufferFor((end - start) * 3);
    other.readBytes(written, 0, writeCompared(bytes, start, end, written, 0, true, false));
    return other;
  }

  /** The path as a string: decoded as UTF-8. */
  toString(): string {
    return textOf(this.bytes, this.start, this.end);
  }
}
