// Finds the number of a URL's origin by the bytes of the URL up to the end of its authority. The table has each origin in its canonical
// form; other spellings are added when URLs use them.
import { ByteKeys } from "../records/byte-keys.ts";

/** Limits of the number and bytes of spellings other than the canonical form. Few exist, unless each URL has its own user info. */
const mostOthers = 4 * 1_048_576;
const mostOtherBytes = 64 * 1_048_576;

/** Number of decoded names that are kept as strings, a power of two. */
const mostRecent = 1_024;

/** Numbers origins, from 0. The numbers of origins have gaps, because each added spelling also takes up a number. */
export class OriginNames {
  readonly #keys = new ByteKeys();
  #others = 0;
  #otherBytes = 0;
  #scratch = Buffer.alloc(512);
  /** By the lowest bits of an origin's number: the number whose name was decoded last, and this name. */
  readonly #recentNumbers = new Int32Array(mostRecent).fill(-1);
  readonly #recentNames: string[] = new Array<string>(mostRecent).fill("");

  /** A number greater than the numbers of all origins. */
  get end(): number {
    return this.#keys.count;
  }

  /** The number of the origin of a URL that begins with `bytes[start, end)`; -1 when these bytes are not in the table. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return this.#keys.find(bytes, start, end);
  }

  /** The number of an origin; -1 when it is new. */
  numberOf(origin: string): number {
    // #write may replace #scratch, so it is called first.
    const end = this.#write(origin);
    return this.find(this.#scratch, 0, end);
  }

  /** Adds a new origin; returns its number. */
  add(origin: string): number {
    const end = this.#write(origin);
    return this.#keys.add(this.#scratch, 0, end);
  }

  /** Adds `bytes[start, end)` as another spelling of the origin with this number. Does nothing beyond the limits. */
  addOther(bytes: Uint8Array, start: number, end: number, number: number): void {
    const size = end - start;
    if (this.#others >= mostOthers || this.#otherBytes + size > mostOtherBytes) return;
    this.#others++;
    this.#otherBytes += size;
    this.#keys.add(bytes, start, end, number);
  }

  /** The origin with this number. */
  originOf(number: number): string {
    const slot = number & (mostRecent - 1);
    if (this.#recentNumbers[slot] !== number) {
      this.#recentNumbers[slot] = number;
      this.#recentNames[slot] = this.#keys.textOf(number);
    }
    return this.#recentNames[slot]!;
  }

  #write(origin: string): number {
    if (origin.length > this.#scratch.length) this.#scratch = Buffer.alloc(origin.length * 2);
    return this.#scratch.write(origin, "latin1");
  }
}
