// Builds the blocks of a snapshot's index from sorted keys, and finds the slot of a key in a block.
//
//     CRC-32 (4 bytes) of all that follows · level (1) · 0 (1) · number of slots (2) · offset of each slot in the block (2 each)
//     slots: key · offset (6) and length (4) of the record, or of the block one level below
//
// Slots of level 0 refer to records. The key of a slot above level 0 is not greater than any key in the block that the slot refers to.
import { offsetBytes } from "./snapshot-format.ts";
import { crc32 } from "./crc32.ts";

/** Size at which a block is full; a block with two long keys may be larger. */
const fullBlockBytes = 4_096;

/** Largest block that a reader accepts, because the offset of a slot has two bytes. */
export const mostBlockBytes = 65_535;

const levelAt = 4;
const countAt = 6;
const slotsAt = 8;
const slotOffsetBytes = 2;
const lengthBytes = 4;
const targetBytes = offsetBytes + lengthBytes;

/** The place of a record or a block in the file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Builds a B-tree from the bottom, while its keys arrive in order. */
export class IndexBuilder {
  readonly #append: (block: Buffer) => number;
  /** The unfinished block of each level, with `separator`: the key of its slot one level above. */
  readonly #levels: { keys: Buffer[]; places: Place[]; bytes: number; readonly separator: Buffer }[] = [];

  /** `append` writes a block to the file and returns its offset. */
  constructor(append: (block: Buffer) => number) {
    this.#append = append;
  }

  /**
   * Adds a key with the place of its record. The key must not be less than the previous key. If the key begins a block, `separator` becomes
   * the key of the slot that refers to this block. `separator` is either the key itself, or less than the key and greater than the previous
   * key.
   */
  add(key: Buffer, place: Place, separator: Buffer): void {
    this.#addTo(0, key, place, separator);
  }

  /** Writes the unfinished blocks; returns the place of the root, undefined without keys. */
  finish(): Place | undefined {
    let root: Place | undefined;
    // #addTo adds levels while this loop runs.
    for (let level = 0; level < this.#levels.length; level++) {
      const isTop = level === this.#levels.length - 1;
      root = this.#write(level);
      if (!isTop) this.#addTo(level + 1, this.#levels[level]!.separator, root);
    }
    return root;
  }

  #addTo(level: number, key: Buffer, place: Place, separator: Buffer = key): void {
    let unfinished = this.#levels[level];
    const bytes = key.length + targetBytes + slotOffsetBytes;
    if (unfinished !== undefined && unfinished.keys.length >= 2 && unfinished.bytes + bytes > fullBlockBytes) {
      this.#addTo(level + 1, unfinished.separator, this.#write(level));
      unfinished = undefined;
    }
    if (unfinished === undefined) {
      unfinished = { keys: [], places: [], bytes: slotsAt, separator };
      this.#levels[level] = unfinished;
    }
    unfinished.keys.push(key);
    unfinished.places.push(place);
    unfinished.bytes += bytes;
  }

  #write(level: number): Place {
    const { keys, places, bytes } = this.#levels[level]!;
    const block = Buffer.alloc(bytes);
    block[levelAt] = level;
    block.writeUInt16BE(keys.length, countAt);
    let at = slotsAt + keys.length * slotOffsetBytes;
    for (const [index, key] of keys.entries()) {
      block.writeUInt16BE(at, slotsAt + index * slotOffsetBytes);
      key.copy(block, at);
      at += key.length;
      block.writeUIntBE(places[index]!.offset, at, offsetBytes);
      block.writeUInt32BE(places[index]!.length, at + offsetBytes);
      at += targetBytes;
    }
    block.writeUInt32BE(crc32(block.subarray(levelAt)), 0);
    return { offset: this.#append(block), length: bytes };
  }
}

/** A block of the index that was checked for damage. */
export class IndexBlock {
  readonly level: number;
  readonly count: number;
  readonly #bytes: Buffer;
  /** Length of the prefix that all keys of the block share. */
  #shared = 0;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.level = bytes[levelAt]!;
    this.count = bytes.readUInt16BE(countAt);
  }

  /** The block in these bytes; undefined when they are damaged. */
  static of(bytes: Buffer): IndexBlock | undefined {
    if (bytes.length <= slotsAt || bytes.readUInt32BE(0) !== crc32(bytes.subarray(levelAt))) return undefined;
    const block = new IndexBlock(bytes);
    if (!block.#isWhole()) return undefined;
    block.#shared = block.#sharedBytes();
    return block;
  }

  /** Whether the slots fill the block exactly. The checksum does not prove it, because an attacker can compute a valid checksum. */
  #isWhole(): boolean {
    let end = slotsAt + this.count * slotOffsetBytes;
    if (this.count === 0 || end > this.#bytes.length) return false;
    for (let slot = 0; slot < this.count; slot++) {
      if (this.#startOf(slot) !== end) return false;
      end = this.#endOf(slot);
      if (end < this.#startOf(slot) + targetBytes) return false;
    }
    return end === this.#bytes.length;
  }

  /** Length of the prefix that all keys share: because the keys are sorted, it is the common prefix of the first and the last one. */
  #sharedBytes(): number {
    const bytes = this.#bytes;
    const [first, last] = [this.#startOf(0), this.#startOf(this.count - 1)];
    const most = Math.min(this.#endOf(0) - first, this.#endOf(this.count - 1) - last) - targetBytes;
    let shared = 0;
    while (shared < most && bytes[first + shared] === bytes[last + shared]) shared++;
    return shared;
  }

  /** The number of slots whose keys are less than `key[0, length)`. */
  lowerBound(key: Uint8Array, length: number): number {
    const bytes = this.#bytes;
    const first = this.#startOf(0);
    // The prefix that all keys of the block share is compared once.
    for (let at = 0; at < this.#shared; at++) {
      const difference = at < length ? bytes[first + at]! - key[at]! : 1;
      if (difference !== 0) return difference < 0 ? this.count : 0;
    }
    let from = 0;
    let to = this.count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compare(middle, key, length, this.#shared) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Whether the key of a slot equals `key[0, length)`. */
  isKey(slot: number, key: Uint8Array, length: number): boolean {
    return this.#compare(slot, key, length, 0) === 0;
  }

  /** Whether the key of a slot begins with `key[0, length)`. */
  startsWith(slot: number, key: Uint8Array, length: number): boolean {
    const start = this.#startOf(slot);
    if (this.#endOf(slot) - targetBytes - start < length) return false;
    for (let at = 0; at < length; at++) if (this.#bytes[start + at] !== key[at]) return false;
    return true;
  }

  keyOf(slot: number): Buffer {
    return this.#bytes.subarray(this.#startOf(slot), this.#endOf(slot) - targetBytes);
  }

  /** The place that a slot refers to. */
  placeOf(slot: number): Place {
    const at = this.#endOf(slot) - targetBytes;
    return { offset: this.#bytes.readUIntBE(at, offsetBytes), length: this.#bytes.readUInt32BE(at + offsetBytes) };
  }

  #startOf(slot: number): number {
    return this.#bytes.readUInt16BE(slotsAt + slot * slotOffsetBytes);
  }

  #endOf(slot: number): number {
    return slot + 1 < this.count ? this.#startOf(slot + 1) : this.#bytes.length;
  }

  /** Negative when the key of a slot is less than `key[0, length)`, positive when it is greater. The first `from` bytes must be equal. */
  #compare(slot: number, key: Uint8Array, length: number, from: number): number {
    const bytes = this.#bytes;
    const start = this.#startOf(slot);
    const ownLength = this.#endOf(slot) - targetBytes - start;
    const shorter = Math.min(ownLength, length);
    for (let at = from; at < shorter; at++) {
      const difference = bytes[start + at]! - key[at]!;
      if (difference !== 0) return difference;
    }
    return ownLength - length;
  }
}
