// Distinct short byte strings in, a number for each out, counted from 0 in insertion order; and the strings back by number.
import { viewOf } from "./words.ts";

/** Least length of a key of which some bytes are looked at first, and the number of such keys that are remembered: a power of two. */
const leastSampled = 32;
const mostRecent = 1_024;

/** Most slots probed for one key: even when keys are chosen to collide, the table is as fast as a Map. */
const mostProbes = 32;

/** A hash table of byte strings, each with a number from the caller. Memory: the key bytes plus about 30 bytes per key. */
export class ByteKeys {
  count = 0;
  // Random for each table, so that colliding keys cannot be prepared.
  readonly #seed = Math.trunc(Math.random() * 0x7fffffff);
  /** Two numbers per slot, adjacent so that a look-up has one cache miss: the key's number plus one, and its hash. */
  #slots = new Int32Array(2048);
  /** Two numbers per key: the end offset of its bytes, and the caller's number. */
  #keys = new Int32Array(1024);
  #bytes = Buffer.alloc(16 * 1024);
  #view = viewOf(this.#bytes);
  /** The buffer of the last look-up, and its view for reading four bytes at once. */
  #asked: Uint8Array = this.#bytes;
  #askedView = this.#view;
  /** Accumulates values that `guess` reads, so that the compiler does not remove the reads. */
  touched = 0;
  /** Keys that were found lately, plus one, by some of their bytes. */
  readonly #recent = new Int32Array(mostRecent);
  /** Keys for which no slot was free within `mostProbes`. */
  readonly #others = new Map<string, number>();

  /** The number of the key at `bytes[start, end)`, -1 when it is unknown; `hash` is the result of `hashOf` for it. */
  find(bytes: Uint8Array, start: number, end: number, hash: number = this.hashOf(bytes, start, end)): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let probe = 0; probe < mostProbes; probe++) {
      const key = slots[slot]! - 1;
      if (key < 0) return -1;
      if (slots[slot + 1] === hash && this.#isKey(key, bytes, start, end)) return key;
      slot = (slot + 2) & mask;
    }
    if (this.#others.size === 0) return -1;
    return this.#others.get(Buffer.from(bytes.subarray(start, end)).toString("latin1")) ?? -1;
  }

  /**
   * The number of a key, -1 when it is unknown, like `find`, for long keys of which few are frequent: such a key is found by some of its
   * bytes, so that not all of them are hashed, and then compared as a whole.
   */
  findFrequent(bytes: Uint8Array, start: number, end: number): number {
    if (end - start < leastSampled) return this.find(bytes, start, end);
    const view = this.#viewOf(bytes);
    let sample = Math.imul(this.#seed ^ (end - start), 0x9e3779b1);
    // Headers of browsers differ near their ends, those of crawlers in their middles.
    sample = Math.imul(sample ^ view.getInt32(start + ((end - start) >> 1), true), 0x85ebca6b);
    sample ^= sample >>> 15;
    sample = Math.imul(sample ^ view.getInt32(end - 28, true), 0x9e3779b1) ^ view.getInt32(end - 24, true);
    sample ^= sample >>> 15;
    sample = Math.imul(sample ^ view.getInt32(end - 20, true), 0xc2b2ae35) ^ view.getInt32(end - 16, true);
    sample = Math.imul(sample ^ (sample >>> 15), 0x85ebca6b);
    const slot = (sample >>> 16) & (mostRecent - 1);
    const recent = this.#recent[slot]! - 1;
    if (recent >= 0 && this.#isKey(recent, bytes, start, end)) return recent;
    const key = this.find(bytes, start, end);
    if (key >= 0) this.#recent[slot] = key + 1;
    return key;
  }

  /**
   * Fills `guesses` with the caller's number of the key that each hash probably belongs to, -1 without one. Each step
   * processes all hashes, so the cache misses of many keys overlap, and a `find` soon afterwards hits the cache.
   */
  guess(hashes: Int32Array, count: number, guesses: Int32Array): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let index = 0; index < count; index++) guesses[index] = slots[(hashes[index]! << 1) & mask]! - 1;
    const keys = this.#keys;
    let touched = 0;
    for (let index = 0; index < count; index++) if (guesses[index]! >= 0) touched ^= keys[guesses[index]! * 2]!;
    const bytes = this.#bytes;
    for (let index = 0; index < count; index++) {
      const key = guesses[index]!;
      if (key < 0) continue;
      touched ^= bytes[this.#startOf(key)]!;
      guesses[index] = keys[key * 2 + 1]!;
    }
    this.touched = touched;
  }

  /** The caller's number for a key. */
  valueOf(key: number): number {
    return this.#keys[key * 2 + 1]!;
  }

  /** Adds a key that `find` did not find, with the caller's number. Returns the key's number. */
  add(bytes: Uint8Array, start: number, end: number, value: number = this.count): number {
    const key = this.count;
    if (key * 4 >= this.#slots.length) this.#grow();
    const from = this.#startOf(key);
    const to = from + end - start;
    if (to > this.#bytes.length) {
      // Pages that were never written use no memory.
      const larger = Buffer.alloc(to * 2);
      this.#bytes.copy(larger, 0, 0, from);
      this.#bytes = larger;
      this.#view = viewOf(larger);
    }
    this.#bytes.set(bytes.subarray(start, end), from);
    this.#keys[key * 2] = to;
    this.#keys[key * 2 + 1] = value;
    this.count++;
    this.#place(key, this.hashOf(bytes, start, end));
    return key;
  }

  /** The bytes of a key as a Latin-1 string. */
  textOf(key: number): string {
    return this.#bytes.toString("latin1", this.#startOf(key), this.#keys[key * 2]);
  }

  #startOf(key: number): number {
    return key === 0 ? 0 : this.#keys[key * 2 - 2]!;
  }

  #isKey(key: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#startOf(key);
    if (this.#keys[key * 2]! - from !== end - start) return false;
    const view = this.#viewOf(bytes);
    const own = this.#view;
    const ahead = from - start;
    if (end - start >= 8) {
      // The last eight bytes may overlap with the ones before.
      const last = end - 8;
      for (let at = start; at < last; at += 8) if (differ(view, at, own, at + ahead)) return false;
      return !differ(view, last, own, last + ahead);
    }
    for (let at = start; at < end; at++) if (bytes[at] !== this.#bytes[at + ahead]) return false;
    return true;
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (bytes === this.#asked) return this.#askedView;
    this.#asked = bytes;
    return (this.#askedView = viewOf(bytes));
  }

  /** The hash of a key. Words at even and at odd places are hashed apart, so that the processor computes both at the same time. */
  hashOf(bytes: Uint8Array, start: number, end: number): number {
    const view = this.#viewOf(bytes);
    let hash = this.#seed ^ (end - start);
    if (end - start < 8) {
      for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x85ebca6b);
      return hash ^ (hash >>> 13);
    }
    let other = hash;
    // The last eight bytes may overlap with the ones before.
    const last = end - 8;
    for (let at = start; at < last; at += 8) {
      hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
      hash ^= hash >>> 15;
      other = Math.imul(other ^ view.getInt32(at + 4, true), 0x85ebca6b);
      other ^= other >>> 15;
    }
    hash = Math.imul(hash ^ view.getInt32(last, true), 0x9e3779b1);
    hash ^= hash >>> 15;
    other = Math.imul(other ^ view.getInt32(last + 4, true), 0x85ebca6b);
    other ^= other >>> 15;
    hash = Math.imul(hash ^ Math.imul(other, 0xc2b2ae35), 0x9e3779b1);
    return hash ^ (hash >>> 13);
  }

  #place(key: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let probe = 0; probe < mostProbes; probe++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = key + 1;
        this.#slots[slot + 1] = hash;
        return;
      }
      slot = (slot + 2) & mask;
    }
    this.#others.set(this.textOf(key), key);
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2);
    this.#keys = largerOf(this.#keys);
    for (let slot = 0; slot < slots.length; slot += 2) {
      if (slots[slot] !== 0) this.#place(slots[slot]! - 1, slots[slot + 1]!);
    }
    // Keys outside the table are few, and may fit into the larger table.
    const others = [...this.#others.values()];
    this.#others.clear();
    for (const key of others) {
      const start = this.#startOf(key);
      this.#place(key, this.hashOf(this.#bytes, start, this.#keys[key * 2]!));
    }
  }
}

/** Whether eight bytes differ. */
function differ(one: DataView, at: number, other: DataView, otherAt: number): boolean {
  const low = one.getInt32(at, true) ^ other.getInt32(otherAt, true);
  return (low | (one.getInt32(at + 4, true) ^ other.getInt32(otherAt + 4, true))) !== 0;
}

function largerOf(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
