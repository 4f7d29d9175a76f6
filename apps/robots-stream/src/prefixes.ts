// The bytes a URL begins with, up to where its authority ends, in; the origin's state they were told to mean out.
import { randomInt } from "node:crypto";
import type { OriginState } from "./origins.ts";

/** Places looked at for one prefix: a table that somebody filled with care is no slower than none. */
const mostProbes = 32;

/** Which states prefixes mean. Memory: their bytes and about 40 more for each. */
export class PrefixTable {
  readonly #most: number;
  // Each its own: nobody can know which prefixes fall together.
  readonly #seed = randomInt(0x7fffffff);
  #slots = new Int32Array(1024);
  #hashes = new Int32Array(512);
  #ends = new Int32Array(512);
  #bytes = new Uint8Array(16 * 1024);
  readonly #states: OriginState[] = [];

  /** Holds at most so many. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The state of the prefix that stands in `bytes` from `start` to `end`. */
  find(bytes: Uint8Array, start: number, end: number): OriginState | undefined {
    const hash = this.#hashOf(bytes, start, end);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let probe = 0; probe < mostProbes; probe++) {
      const entry = slots[slot]! - 1;
      if (entry < 0) return undefined;
      if (this.#hashes[entry] === hash && this.#isEntry(entry, bytes, start, end)) return this.#states[entry];
      slot = (slot + 1) & mask;
    }
    return undefined;
  }

  /** Tells what a prefix means; to be called only when `find` did not know. May forget it at once. */
  add(bytes: Uint8Array, start: number, end: number, state: OriginState): void {
    const entry = this.#states.length;
    if (entry >= this.#most) return;
    if (entry * 2 >= this.#slots.length) this.#grow();
    const hash = this.#hashOf(bytes, start, end);
    if (!this.#place(hash, entry)) return;
    const from = entry === 0 ? 0 : this.#ends[entry - 1]!;
    const to = from + end - start;
    if (to > this.#bytes.length) {
      const larger = new Uint8Array(to * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    for (let at = start; at < end; at++) this.#bytes[from + at - start] = bytes[at]!;
    this.#hashes[entry] = hash;
    this.#ends[entry] = to;
    this.#states.push(state);
  }

  #isEntry(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = entry === 0 ? 0 : this.#ends[entry - 1]!;
    if (this.#ends[entry]! - from !== end - start) return false;
    const own = this.#bytes;
    for (let at = start, ownAt = from; at < end; at++, ownAt++) if (bytes[at] !== own[ownAt]) return false;
    return true;
  }

  #hashOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = this.#seed ^ (end - start);
    let at = start;
    for (; at + 4 <= end; at += 4) {
      const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      hash = Math.imul(hash ^ word, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    for (; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  #place(hash: number, entry: number): boolean {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let probe = 0; probe < mostProbes; probe++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = entry + 1;
        return true;
      }
      slot = (slot + 1) & mask;
    }
    return false;
  }

  #grow(): void {
    const count = this.#states.length;
    this.#slots = new Int32Array(this.#slots.length * 2);
    this.#hashes = largerOf(this.#hashes);
    this.#ends = largerOf(this.#ends);
    // One that finds no place is asked for anew, and takes a new entry.
    for (let entry = 0; entry < count; entry++) this.#place(this.#hashes[entry]!, entry);
  }
}

function largerOf(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
