// The names of origins: finds the number of a URL's origin by the bytes of the URL up to the end of its authority, and remembers the names
// that earlier tables of a run have counted.
import { ByteKeys } from "../records/byte-keys.ts";

/** Limits of the number and bytes of spellings other than the canonical form. Few exist, unless each URL has its own user info. */
const mostOthers = 4 * 1_048_576;
const mostOtherBytes = 64 * 1_048_576;

/**
 * Numbers origins, from 0. The table has each origin in its canonical form; other spellings are added when URLs use them. The numbers of
 * origins have gaps, because each added spelling also takes up a number.
 */
export class OriginNames {
  readonly #keys = new ByteKeys();
  #others = 0;
  #otherBytes = 0;
  #scratch = Buffer.alloc(512);

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
    return this.#keys.textOf(number);
  }

  #write(origin: string): number {
    if (origin.length > this.#scratch.length) this.#scratch = Buffer.alloc(origin.length * 2);
    return this.#scratch.write(origin, "latin1");
  }
}

/**
 * Maximum number of remembered names. When more are added, all earlier names are forgotten, and the run's count of origins becomes an upper
 * bound.
 */
export const mostCountedOrigins: number = 3 * 1_048_576;

const firstSlots = 65_536;
const lowBits = 2 ** 21;

/**
 * A set of names that stores a 53-bit fingerprint of each name. Two names with the same fingerprint count as one; among three million names
 * this is expected less than once in a thousand runs. Memory: 11 to 22 bytes for each name.
 */
export class CountedOrigins {
  // Random for each set, so that colliding names cannot be prepared.
  readonly #seed = Math.trunc(Math.random() * 0x7fffffff);
  readonly #otherSeed = Math.trunc(Math.random() * 0x7fffffff);
  readonly #most: number;
  /** A hash table with linear probing: a fingerprint in each used slot, 0 in an empty one. */
  #slots = new Float64Array(firstSlots);
  #count = 0;

  constructor(most: number = mostCountedOrigins) {
    this.#most = most;
  }

  has(name: string): boolean {
    const fingerprint = this.#fingerprintOf(name);
    return this.#slots[this.#slotOf(fingerprint)] === fingerprint;
  }

  add(name: string): void {
    const fingerprint = this.#fingerprintOf(name);
    if (this.#slots[this.#slotOf(fingerprint)] === fingerprint) return;
    if (this.#count === this.#most) this.#forget();
    if (this.#count * 4 >= this.#slots.length * 3) this.#grow();
    this.#count++;
    this.#slots[this.#slotOf(fingerprint)] = fingerprint;
  }

  /** The slot with the fingerprint, or else the empty slot for it. */
  #slotOf(fingerprint: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = fingerprint & mask;
    while (slots[slot] !== fingerprint && slots[slot] !== 0) slot = (slot + 1) & mask;
    return slot;
  }

  #fingerprintOf(name: string): number {
    let high = this.#seed;
    let low = this.#otherSeed;
    for (let at = 0; at < name.length; at++) {
      const code = name.charCodeAt(at);
      high = Math.imul(high ^ code, 0x85ebca6b);
      high ^= high >>> 15;
      low = Math.imul(low ^ code, 0xc2b2ae35);
      low ^= low >>> 13;
    }
    return (high >>> 0) * lowBits + (low >>> 11) || 1;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Float64Array(slots.length * 2);
    for (const fingerprint of slots) if (fingerprint !== 0) this.#slots[this.#slotOf(fingerprint)] = fingerprint;
  }

  #forget(): void {
    this.#slots = new Float64Array(firstSlots);
    this.#count = 0;
  }
}
