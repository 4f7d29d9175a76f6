// Maps distinct short byte strings (keys) to numbers of the caller, which number the keys from 0 in the order of insertion; and to cached
// results of a function.
import { viewOf } from "./words.ts";
import { type FieldSpans, notInBytes } from "./packed.ts";

/**
 * Maximum number of slots probed for one key. A key without a free slot among them is stored in the Map `#others`, so the table is as fast
 * as a Map even when keys are chosen to collide.
 */
const mostProbes = 32;

/** Maximum size of all records in bytes: their offsets, plus one, are 32-bit integers. */
const mostBytes = 0x7fff_fffe;

/**
 * Layout of a record: the caller's number; the number of bytes of the key; the bytes of the key. The parts are adjacent, so they are mostly
 * in one or two cache lines.
 */
const valueAt = 0;
const sizeAt = 4;
const textAt = 8;

/**
 * A hash table whose keys are byte strings, and whose values are numbers of the caller. A look-up has two cache misses: a slot, and the
 * record that the slot refers to. Memory: the bytes of the keys plus about 34 bytes per key.
 */
export class ByteKeys {
  count = 0;
  // Random for each table, so that colliding keys cannot be prepared.
  readonly #seed = Math.trunc(Math.random() * 0x7fffffff);
  /** Two numbers per slot: the offset of a record plus one, 0 in an empty slot; and the hash of its key. */
  #slots = new Int32Array(2048);
  /** The buffer with the records, and the offset of the next record. */
  #bytes = Buffer.alloc(16 * 1024);
  #end = 0;
  /** The offset of the record of each key, by the key's number. */
  #places = new Int32Array(512);
  #view = viewOf(this.#bytes);
  /** The buffer that the key of the last look-up was in, and a view of it for reading four bytes at once. */
  #asked: Uint8Array = this.#bytes;
  #askedView = this.#view;
  /** The offset of the record that `find` found last: neighbouring records of a log mostly have equal texts. */
  #found = -1;
  /** The offsets of records for which all `mostProbes` slots were occupied, by key as a Latin-1 string. */
  readonly #others = new Map<string, number>();

  /** The caller's number for the key `bytes[start, end)`; -1 when the key is not in the table. */
  find(bytes: Uint8Array, start: number, end: number): number {
    let place = this.#found;
    if (place < 0 || !this.#isKey(place, bytes, start, end)) {
      place = this.#placeOf(bytes, start, end);
      if (place < 0) return -1;
      this.#found = place;
    }
    return this.#view.getInt32(place + valueAt, true);
  }

  /**
   * Adds the key `bytes[start, end)`, which must not be in the table, with the caller's number `value`. Returns the number of the key,
   * counted from 0.
   */
  add(bytes: Uint8Array, start: number, end: number, value: number = this.count): number {
    const key = this.count;
    if (key * 4 >= this.#slots.length) this.#grow();
    const place = this.#end;
    this.#end = place + textAt + end - start;
    if (this.#end > mostBytes) throw new RangeError("the keys of a table take more than 2 GiB");
    if (this.#end > this.#bytes.length) {
      // The buffer has twice the needed size, because the operating system allocates no memory for pages that were never written.
      const larger = Buffer.alloc(this.#end * 2);
      this.#bytes.copy(larger, 0, 0, place);
      this.#bytes = larger;
      this.#view = viewOf(larger);
    }
    this.#view.setInt32(place + valueAt, value, true);
    this.#view.setInt32(place + sizeAt, end - start, true);
    this.#bytes.set(bytes.subarray(start, end), place + textAt);
    this.#places[key] = place;
    this.count++;
    this.#fillSlot(place, this.hashOf(bytes, start, end));
    return key;
  }

  /** The bytes of the key with this number, as a Latin-1 string. */
  textOf(key: number): string {
    return this.#textAt(this.#places[key]!);
  }

  #textAt(place: number): string {
    const start = place + textAt;
    return this.#bytes.toString("latin1", start, start + this.#view.getInt32(place + sizeAt, true));
  }

  /** The offset of the record of the key `bytes[start, end)`; -1 when the key is not in the table. */
  #placeOf(bytes: Uint8Array, start: number, end: number): number {
    const hash = this.hashOf(bytes, start, end);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let probe = 0; probe < mostProbes; probe++) {
      const place = slots[slot]! - 1;
      if (place < 0) return -1;
      if (slots[slot + 1] === hash && this.#isKey(place, bytes, start, end)) return place;
      slot = (slot + 2) & mask;
    }
    if (this.#others.size === 0) return -1;
    return this.#others.get(Buffer.from(bytes.subarray(start, end)).toString("latin1")) ?? -1;
  }

  #isKey(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#view;
    if (own.getInt32(place + sizeAt, true) !== end - start) return false;
    const view = this.#viewOf(bytes);
    const ahead = place + textAt - start;
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

  /**
   * The hash of the key `bytes[start, end)`. The 32-bit words at even positions and those at odd positions are hashed separately, so that
   * the processor computes both hashes at the same time.
   */
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

  #fillSlot(place: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let probe = 0; probe < mostProbes; probe++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = place + 1;
        this.#slots[slot + 1] = hash;
        return;
      }
      slot = (slot + 2) & mask;
    }
    this.#others.set(this.#textAt(place), place);
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2);
    const places = this.#places;
    (this.#places = new Int32Array(places.length * 2)).set(places);
    for (let slot = 0; slot < slots.length; slot += 2) {
      if (slots[slot] !== 0) this.#fillSlot(slots[slot]! - 1, slots[slot + 1]!);
    }
    // The records in `#others` are few, and may fit into the slots of the larger table.
    const others = [...this.#others.values()];
    this.#others.clear();
    for (const place of others) {
      const start = place + textAt;
      const end = start + this.#view.getInt32(place + sizeAt, true);
      this.#fillSlot(place, this.hashOf(this.#bytes, start, end));
    }
  }
}

/** Whether the eight bytes at `at` of `one` and at `otherAt` of `other` differ. */
function differ(one: DataView, at: number, other: DataView, otherAt: number): boolean {
  const low = one.getInt32(at, true) ^ other.getInt32(otherAt, true);
  return (low | (one.getInt32(at + 4, true) ^ other.getInt32(otherAt + 4, true))) !== 0;
}

/** Maximum number of cached strings: a real log has few different ones, but an attacker may send any number. */
const mostKeys = 10_000;
/** Maximum length of a cached string in bytes. */
const longestKey = 1_000;

/** Caches the results of a function (`convert`) whose argument is a byte string as a Latin-1 string. */
export class ByteMemo<Result> {
  readonly #convert: (text: string) => Result;
  #keys = new ByteKeys();
  #results: Result[] = [];

  constructor(convert: (text: string) => Result) {
    this.#convert = convert;
  }

  /** The function's result for `bytes[start, end)`. */
  resultOf(bytes: Buffer, start: number, end: number): Result {
    if (end - start > longestKey) return this.#convert(bytes.toString("latin1", start, end));
    const key = this.#keys.find(bytes, start, end);
    if (key >= 0) return this.#results[key]!;
    const result = this.#convert(bytes.toString("latin1", start, end));
    if (this.#keys.count === mostKeys) {
      this.#keys = new ByteKeys();
      this.#results = [];
    }
    this.#results[this.#keys.add(bytes, start, end)] = result;
    return result;
  }

  /** The function's result for a field of a record. For a record without the field, it is the result for an empty string. */
  resultOfField(field: FieldSpans | undefined, bytes: Buffer, record: number): Result {
    if (field === undefined) return this.#convert("");
    const start = field.startOf(record);
    const end = field.endOf(record);
    if (start === notInBytes) return this.#convert(field.decoded[end]!);
    return this.resultOf(bytes, start, end);
  }
}
