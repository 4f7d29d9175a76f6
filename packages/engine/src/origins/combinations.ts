// Finds the tails of all questions by the decisions of all blocks of an origin about one record: one look-up instead of one for each run of
// questions.
import { type Arena, pageShift, placeMask } from "@robots-stream/core/internal";
import type { OriginState } from "./origin-state.ts";

/** Layout of a table: the number of entries; for each bucket, the address of its first entry, or 0. */
const tableHead = 1;
const buckets = 32;

/**
 * Layout of an entry: the address of the next entry of its bucket, or 0; the number of records with this combination, since the last
 * `takeHits`; the address of the tails of all questions, 0 until they are built; for each block, the offset of its decision from the block,
 * in words. A move of the block does not change this offset.
 */
const hitsAt = 1;
const tailsAt = 2;
const entryHead = 3;

/** Maximum number of entries of an origin. */
const mostEntries = 256;

/** The combinations of decisions that occurred, in a hash table for each origin. `OriginState.combinations` is the address of the table. */
export class Combinations {
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /**
   * The address of the entry of a combination; 0 when there is none. `offsets[0, count)` are the offsets of the decisions from their
   * blocks, in the order of the block numbers.
   */
  find({ combinations: table }: OriginState, offsets: Int32Array, count: number): number {
    if (table === 0) return 0;
    const { words } = this.#arena;
    let entry = words[table >>> pageShift]![(table & placeMask) + tableHead + bucketOf(offsets, count)]!;
    while (entry !== 0) {
      const page = words[entry >>> pageShift]!;
      const at = entry & placeMask;
      let number = 0;
      while (number < count && page[at + entryHead + number] === offsets[number]) number++;
      if (number === count) return entry;
      entry = page[at]!;
    }
    return 0;
  }

  /**
   * Adds an entry without tails for the combination `offsets[0, count)`, unless the origin has `mostEntries` entries. Returns the allocated
   * bytes, including a new table.
   */
  add(state: OriginState, offsets: Int32Array, count: number): number {
    let bytes = 0;
    const { words } = this.#arena;
    if (state.combinations === 0) {
      const table = (state.combinations = this.#arena.allocate(tableHead + buckets));
      const at = table & placeMask;
      words[table >>> pageShift]!.fill(0, at, at + tableHead + buckets);
      bytes += (tableHead + buckets) * 4;
    }
    const table = state.combinations;
    if (words[table >>> pageShift]![table & placeMask]! >= mostEntries) return bytes;
    const entry = this.#arena.allocate(entryHead + count);
    const tableWords = words[table >>> pageShift]!;
    const bucket = (table & placeMask) + tableHead + bucketOf(offsets, count);
    const page = words[entry >>> pageShift]!;
    const at = entry & placeMask;
    page[at] = tableWords[bucket]!;
    page[at + hitsAt] = 0;
    page[at + tailsAt] = 0;
    for (let number = 0; number < count; number++) page[at + entryHead + number] = offsets[number]!;
    tableWords[bucket] = entry;
    tableWords[table & placeMask]!++;
    return bytes + (entryHead + count) * 4;
  }

  /** Counts a record with the combination of an entry. */
  count(entry: number): void {
    this.#arena.words[entry >>> pageShift]![(entry & placeMask) + hitsAt]!++;
  }

  /** The address of the tails of an entry; 0 before `setTails`. */
  tailsOf(entry: number): number {
    return this.#arena.words[entry >>> pageShift]![(entry & placeMask) + tailsAt]!;
  }

  /** Sets the address of the tails of an entry. */
  setTails(entry: number, tails: number): void {
    this.#arena.words[entry >>> pageShift]![(entry & placeMask) + tailsAt] = tails;
  }

  /** The offset of a block's decision from the block, in an entry; `number` is the number of the block. */
  offsetIn(entry: number, number: number): number {
    return this.#arena.words[entry >>> pageShift]![(entry & placeMask) + entryHead + number]!;
  }

  /** Returns the number of records that an entry counted, and sets this number to 0. */
  takeHits(entry: number): number {
    const page = this.#arena.words[entry >>> pageShift]!;
    const at = (entry & placeMask) + hitsAt;
    const hits = page[at]!;
    page[at] = 0;
    return hits;
  }

  /** The addresses of all entries of an origin. */
  entriesOf({ combinations: table }: OriginState): number[] {
    const entries: number[] = [];
    const { words } = this.#arena;
    for (let bucket = 0; table !== 0 && bucket < buckets; bucket++) {
      let entry = words[table >>> pageShift]![(table & placeMask) + tableHead + bucket]!;
      for (; entry !== 0; entry = words[entry >>> pageShift]![entry & placeMask]!) entries.push(entry);
    }
    return entries;
  }

  /**
   * Moves the table and the entries of an origin to new addresses. `moveTails` moves the tails at an address and returns their new address.
   */
  move(state: OriginState, moveTails: (tails: number) => number): void {
    if (state.combinations === 0) return;
    const arena = this.#arena;
    const { words } = arena;
    const size = entryHead + state.others.length + 1;
    const table = (state.combinations = arena.move(state.combinations, tableHead + buckets));
    for (let bucket = 0; bucket < buckets; bucket++) {
      const first = (table & placeMask) + tableHead + bucket;
      let entry = words[table >>> pageShift]![first]!;
      let before = 0;
      while (entry !== 0) {
        entry = arena.move(entry, size);
        if (before === 0) words[table >>> pageShift]![first] = entry;
        else words[before >>> pageShift]![before & placeMask] = entry;
        const tails = this.tailsOf(entry);
        if (tails !== 0) this.setTails(entry, moveTails(tails));
        before = entry;
        entry = words[entry >>> pageShift]![entry & placeMask]!;
      }
    }
  }

  /** Frees the table and the entries of an origin. `freeTails` frees the tails at an address. */
  free(state: OriginState, freeTails: (tails: number) => void): void {
    if (state.combinations === 0) return;
    for (const entry of this.entriesOf(state)) {
      const tails = this.tailsOf(entry);
      if (tails !== 0) freeTails(tails);
      this.#arena.free(entry, entryHead + state.others.length + 1);
    }
    this.#arena.free(state.combinations, tableHead + buckets);
    state.combinations = 0;
  }
}

function bucketOf(offsets: Int32Array, count: number): number {
  let hash = 0;
  for (let number = 0; number < count; number++) hash = Math.imul(hash ^ offsets[number]!, 0x9e3779b1);
  return hash >>> 27;
}
