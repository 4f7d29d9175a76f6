// The bytes a URL begins with, up to where its authority ends, in; the number of the origin they mean out. An origin is the
// first of the ways to write it.
import { ByteKeys } from "../records/byte-keys.ts";

/** Other spellings of an origin are few, unless each URL has a user info of its own. */
const mostOthers = 4 * 1_048_576;
const mostOtherBytes = 64 * 1_048_576;

/** Numbers of origins. They are not one after another. */
export class OriginNames {
  readonly #keys = new ByteKeys();
  #others = 0;
  #otherBytes = 0;
  #scratch = Buffer.alloc(512);

  /** One above the largest number. */
  get end(): number {
    return this.#keys.count;
  }

  /** The number of the origin of a URL that begins with these bytes, -1 when it is not known. */
  find(bytes: Uint8Array, start: number, end: number, hash?: number): number {
    const key = this.#keys.find(bytes, start, end, hash);
    return key < 0 ? -1 : this.#keys.valueOf(key);
  }

  /** See `ByteKeys`. */
  hashOf(bytes: Uint8Array, start: number, end: number): number {
    return this.#keys.hashOf(bytes, start, end);
  }

  /** Numbers of origins as `ByteKeys` guesses them. */
  guess(hashes: Int32Array, count: number, guesses: Int32Array): void {
    this.#keys.guess(hashes, count, guesses);
  }

  /** The number of an origin, -1 when it is new. */
  numberOf(origin: string): number {
    // Writing may make another scratch.
    const end = this.#write(origin);
    return this.find(this.#scratch, 0, end);
  }

  /** Gives a new origin its number. */
  add(origin: string): number {
    const end = this.#write(origin);
    return this.#keys.add(this.#scratch, 0, end);
  }

  /** Tells what a URL's beginning means that `find` did not know. Beyond the bounds it is not remembered. */
  addOther(bytes: Uint8Array, start: number, end: number, number: number): void {
    const size = end - start;
    if (this.#others >= mostOthers || this.#otherBytes + size > mostOtherBytes) return;
    this.#others++;
    this.#otherBytes += size;
    this.#keys.add(bytes, start, end, number);
  }

  /** The origin with a number. */
  originOf(number: number): string {
    return this.#keys.textOf(number);
  }

  #write(origin: string): number {
    if (origin.length > this.#scratch.length) this.#scratch = Buffer.alloc(origin.length * 2);
    return this.#scratch.write(origin, "latin1");
  }
}
