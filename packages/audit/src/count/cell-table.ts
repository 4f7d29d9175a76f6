// Implements a table of integer keys with columns of numbers for hot loops: an open-addressing hash table in typed arrays.
import { mix32 } from "../hash.ts";
import { Blocks, mostBlockWords, startOf } from "./blocks.ts";

/** How a column merges the values of a cell: it adds them, or keeps the smallest or the largest. */
export type ColumnKind = "sum" | "min" | "max";

/** The keys and values of cells: 32-bit integers, or 64-bit floats once a value does not fit in 32 bits. */
type Cells = Uint32Array | Float64Array;

/** The largest unsigned 32-bit integer. A 32-bit minimum with this value means that the cell has no minimum yet. */
const tooLarge = 0xffff_ffff;
const wordSize = 0x1_0000_0000;
/**
 * How values are stored in 32 bits. `none` is the element of a cell without a value. `added` is added to each stored value: a maximum is
 * stored plus 1, because 0 means that the cell has no maximum yet.
 */
const narrowOf: Readonly<Record<ColumnKind, { readonly none: number; readonly added: number }>> = {
  sum: { none: 0, added: 0 },
  min: { none: tooLarge, added: 0 },
  max: { none: 0, added: 1 },
};
const wideNone: Readonly<Record<ColumnKind, number>> = { sum: 0, min: Infinity, max: -Infinity };

const smallestRoom = 8;
/**
 * A table with room for fewer cells doubles its room when it grows; a larger table gets 1.5 times its room. Growing costs memory, and so
 * does unused room.
 */
const mostDoubled = 1_024;
/** The slots of a hash table with at most this number of slots take 16 bits each; the slots of a larger one take 32 bits each. */
const mostNarrowSlots = 0xffff;
/** In place of an address, for an array that is not a block of `Blocks`. */
const noBlock = -1;

/** The cells and the slots of every table without cells. They are never written to. */
const noCells = new Uint32Array(0);
const noSlots = new Uint16Array(1);

/**
 * A table of cells. Keys are integers from 0 to 2^53 - 1. A cell keeps its position while the table grows. The key and the values of a cell
 * are neighbours in memory. A key takes one element, or two once a key does not fit in 32 bits. All elements have 32 bits until a value
 * does not fit; this saves memory, because an audit has millions of cells with mostly small values. A table that is not large takes its
 * memory from `Blocks`, because an audit has thousands of tables. Invariant: a slot of the hash table holds the position of a cell + 1, or
 * 0 if it is free; at most two thirds of the slots are taken.
 */
export class CellTable {
  readonly kinds: readonly ColumnKind[];
  /** The number of cells. */
  count = 0;
  readonly #memory: Blocks;
  /** The number of cells for which there is room. */
  #room = 0;
  /** From `#start` on, for each cell: its key in `#keySize` elements (of two elements, the first has the lower 32 bits), then its values. */
  #cells: Cells = noCells;
  #start = 0;
  #cellsBlock = noBlock;
  #keySize = 1;
  /** The number of elements of a cell. */
  #size: number;
  /** The hash table: `#slotMask` + 1 slots from `#slotStart` on. */
  #slots: Uint16Array | Uint32Array = noSlots;
  #slotStart = 0;
  #slotMask = 0;
  #slotsBlock = noBlock;

  /** @param memory the memory that all tables of a counter share */
  constructor(kinds: readonly ColumnKind[], memory: Blocks = new Blocks()) {
    this.kinds = kinds;
    this.#memory = memory;
    this.#size = 1 + kinds.length;
  }

  /** Returns the position of the cell of `key`. A missing cell is added: its sums start at 0, minima at Infinity, maxima at -Infinity. */
  cellOf(key: number): number {
    const low = key >>> 0;
    return this.cellAt((key - low) / wordSize, low);
  }

  /**
   * Like `cellOf`, for a key that is given as its upper 21 bits and its lower 32 bits, which may be signed. Hot loops call this method:
   * a key of more than 32 bits is a floating-point number, and V8 allocates memory for it in many calls.
   */
  cellAt(high: number, low: number): number {
    const cells = this.#cells;
    if (cells instanceof Float64Array) return this.#wideCellAt(cells, high, low);
    const slots = this.#slots;
    const slotStart = this.#slotStart;
    const mask = this.#slotMask;
    const start = this.#start;
    const size = this.#size;
    const isPair = this.#keySize === 2;
    let slot = slotOf(low | 0, high | 0) & mask;
    for (;;) {
      const cell = slots[slotStart + slot]! - 1;
      if (cell < 0) break;
      const at = start + cell * size;
      if ((cells[at]! | 0) === (low | 0) && (isPair ? cells[at + 1] === high : high === 0)) return cell;
      slot = (slot + 1) & mask;
    }
    return this.#add(high, low, slot);
  }

  #wideCellAt(cells: Float64Array, high: number, low: number): number {
    const key = keyOfParts(high, low);
    let slot = slotOf(low | 0, high | 0) & this.#slotMask;
    for (;;) {
      const cell = this.#slots[this.#slotStart + slot]! - 1;
      if (cell < 0) return this.#add(high, low, slot);
      if (cells[this.#start + cell * this.#size] === key) return cell;
      slot = (slot + 1) & this.#slotMask;
    }
  }

  /** The key of a cell. */
  keyOf(cell: number): number {
    const at = this.#start + cell * this.#size;
    const first = this.#cells[at]!;
    return this.#keySize === 2 ? this.#cells[at + 1]! * wordSize + first : first;
  }

  /** The value of a cell in a column. */
  valueOf(cell: number, column: number): number {
    const cells = this.#cells;
    const value = cells[this.#at(cell, column)]!;
    if (cells instanceof Float64Array) return value;
    const kind = this.kinds[column]!;
    if (kind === "sum") return value;
    const { none, added } = narrowOf[kind];
    return value === none ? wideNone[kind] : value - added;
  }

  /** Adds `value` to a cell in a column of sums. */
  add(cell: number, column: number, value: number): void {
    const cells = this.#cells;
    const at = this.#at(cell, column);
    const sum = cells[at]! + value;
    if (cells instanceof Uint32Array && sum >>> 0 !== sum) this.#widened()[this.#at(cell, column)] = sum;
    else cells[at] = sum;
  }

  /** Lowers the minimum of a cell in a column to `value`, if `value` is smaller. */
  lower(cell: number, column: number, value: number): void {
    const cells = this.#cells instanceof Uint32Array && !isNarrow(value) ? this.#widened() : this.#cells;
    const at = this.#at(cell, column);
    if (value < cells[at]!) cells[at] = value;
  }

  /** Raises the maximum of a cell in a column to `value`, if `value` is larger. */
  raise(cell: number, column: number, value: number): void {
    const cells = this.#cells instanceof Uint32Array && !isNarrow(value) ? this.#widened() : this.#cells;
    const at = this.#at(cell, column);
    if (cells instanceof Float64Array) {
      if (value > cells[at]!) cells[at] = value;
    } else if (value >= cells[at]!) cells[at] = value + 1;
  }

  /** Merges a cell of another table with the same columns into the cell of `key`, and returns the position of that cell. */
  addFrom(key: number, from: CellTable, cell: number): number {
    const to = this.cellOf(key);
    for (let column = 0; column < this.kinds.length; column++) {
      const value = from.valueOf(cell, column);
      const kind = this.kinds[column]!;
      if (kind === "sum") this.add(to, column, value);
      else if (Number.isFinite(value)) this[kind === "min" ? "lower" : "raise"](to, column, value);
    }
    return to;
  }

  /** Removes all cells and gives their memory back. */
  clear(): void {
    this.#giveBackCells();
    this.#giveBackSlots();
    this.count = 0;
    this.#room = 0;
    this.#cells = noCells;
    this.#start = 0;
    this.#cellsBlock = noBlock;
    this.#keySize = 1;
    this.#size = 1 + this.kinds.length;
    this.#slots = noSlots;
    this.#slotStart = 0;
    this.#slotMask = 0;
    this.#slotsBlock = noBlock;
  }

  #giveBackCells(): void {
    if (this.#cellsBlock !== noBlock) this.#memory.giveBack(this.#cellsBlock, this.#room * this.#size);
  }

  #giveBackSlots(): void {
    if (this.#slotsBlock !== noBlock) this.#memory.giveBack(this.#slotsBlock, slotWords(this.#slotMask + 1));
  }

  /** The index in `#cells` of a value. */
  #at(cell: number, column: number): number {
    return this.#start + cell * this.#size + this.#keySize + column;
  }

  /** Converts all elements to 64 bits. */
  #widened(): Float64Array {
    const { kinds } = this;
    const size = 1 + kinds.length;
    const wide = new Float64Array(this.#room * size);
    for (let cell = 0; cell < this.#room; cell++) {
      wide[cell * size] = this.keyOf(cell);
      for (let column = 0; column < kinds.length; column++) {
        wide[cell * size + 1 + column] = this.valueOf(cell, column);
      }
    }
    this.#giveBackCells();
    this.#cells = wide;
    this.#start = 0;
    this.#cellsBlock = noBlock;
    this.#keySize = 1;
    this.#size = size;
    return wide;
  }

  /**
   * Adds the cell of a new key, given as in `cellAt`, and returns its position. `slot` is the free slot at which the search for the key
   * ended.
   */
  #add(high: number, low: number, slot: number): number {
    if (high !== 0 && this.#keySize === 1 && this.#cells instanceof Uint32Array) {
      this.#arrange(Math.max(smallestRoom, this.#room), 2);
    }
    if (this.count === this.#room) {
      const room = this.#room < mostDoubled ? this.#room * 2 : Math.ceil(this.#room * 1.5);
      this.#arrange(Math.max(smallestRoom, room), this.#keySize);
    }
    if ((this.count + 1) * 3 > (this.#slotMask + 1) * 2) {
      this.#makeSlots(Math.max(smallestRoom, this.#slotMask + 1) * 2);
      return this.cellAt(high, low);
    }
    const cell = this.count++;
    const at = this.#start + cell * this.#size;
    const cells = this.#cells;
    if (cells instanceof Float64Array) cells[at] = keyOfParts(high, low);
    else {
      cells[at] = low;
      if (this.#keySize === 2) cells[at + 1] = high;
    }
    this.#slots[this.#slotStart + slot] = cell + 1;
    return cell;
  }

  /** Makes room for at least `leastRoom` cells, whose keys take `keySize` elements. */
  #arrange(leastRoom: number, keySize: number): void {
    const { kinds } = this;
    const [old, oldStart, oldSize, oldKeySize] = [this.#cells, this.#start, this.#size, this.#keySize];
    const size = keySize + kinds.length;
    const isWide = old instanceof Float64Array;
    let room = leastRoom;
    let cells: Cells;
    let start = 0;
    let block = noBlock;
    if (isWide) cells = new Float64Array(room * size);
    else if (room * size > mostBlockWords) cells = new Uint32Array(room * size);
    else {
      room = Math.floor(Blocks.wordsFor(room * size) / size);
      block = this.#memory.take(room * size);
      cells = this.#memory.wordsAt(block);
      start = startOf(block);
    }
    for (let cell = 0; cell < this.count; cell++) {
      const from = oldStart + cell * oldSize;
      const to = start + cell * size;
      for (let part = 0; part < oldKeySize; part++) cells[to + part] = old[from + part]!;
      for (let column = 0; column < kinds.length; column++) {
        cells[to + keySize + column] = old[from + oldKeySize + column]!;
      }
    }
    for (let column = 0; column < kinds.length; column++) {
      const none = isWide ? wideNone[kinds[column]!] : narrowOf[kinds[column]!].none;
      if (none === 0) continue;
      for (let cell = this.count; cell < room; cell++) cells[start + cell * size + keySize + column] = none;
    }
    this.#giveBackCells();
    this.#cells = cells;
    this.#start = start;
    this.#cellsBlock = block;
    this.#keySize = keySize;
    this.#size = size;
    this.#room = room;
  }

  #makeSlots(length: number): void {
    const words = slotWords(length);
    const isNarrowSlots = length <= mostNarrowSlots;
    const block = words <= mostBlockWords ? this.#memory.take(words) : noBlock;
    let slots: Uint16Array | Uint32Array;
    let start = 0;
    if (block === noBlock) slots = isNarrowSlots ? new Uint16Array(length) : new Uint32Array(length);
    else if (isNarrowSlots) {
      slots = this.#memory.halvesAt(block);
      start = startOf(block) * 2;
    } else {
      slots = this.#memory.wordsAt(block);
      start = startOf(block);
    }
    const mask = length - 1;
    const cells = this.#cells;
    const isPair = this.#keySize === 2;
    for (let cell = 0; cell < this.count; cell++) {
      const at = this.#start + cell * this.#size;
      const first = cells[at]!;
      const low = first >>> 0;
      const high = isPair ? cells[at + 1]! : (first - low) / wordSize;
      let slot = slotOf(low | 0, high | 0) & mask;
      while (slots[start + slot] !== 0) slot = (slot + 1) & mask;
      slots[start + slot] = cell + 1;
    }
    this.#giveBackSlots();
    this.#slots = slots;
    this.#slotStart = start;
    this.#slotMask = mask;
    this.#slotsBlock = block;
  }
}

/** The number of 32-bit words for a number of slots. */
function slotWords(slots: number): number {
  return slots <= mostNarrowSlots ? slots / 2 : slots;
}

/** Whether a minimum or maximum fits in 32 bits. */
function isNarrow(value: number): boolean {
  return value >>> 0 === value && value < tooLarge;
}

/** The key that has these upper 21 bits and lower 32 bits. */
export function keyOfParts(high: number, low: number): number {
  return high * wordSize + (low >>> 0);
}

/** The hash of a key, given as its lower and its upper 32 bits. */
function slotOf(low: number, high: number): number {
  return mix32(low ^ Math.imul(high, 0x9e3779b1));
}
