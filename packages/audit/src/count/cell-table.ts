// Implements a table of integer keys with columns of numbers for hot loops: an open-addressing hash table in typed arrays.
import { mix32 } from "../hash.ts";

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
/** A table with room for fewer cells grows to twice its room, a larger one to 1.5 times: growing costs memory, and so does unused room. */
const mostDoubled = 1_024;
/** The most slots for which a slot takes 16 bits; in a larger hash table, a slot takes 32 bits. */
const mostNarrowSlots = 0xffff;

/** The cells and the slots of every table without cells. They are never written to. */
const noCells = new Uint32Array(0);
const noSlots = new Uint16Array(1);

/**
 * A table of cells. Keys are integers from 0 to 2^53 - 1. A cell keeps its position while the table grows. The key and the values of a cell
 * are neighbours in one array, because an audit has thousands of tables, and each array costs memory of its own. A key takes one element,
 * or two once a key does not fit in 32 bits. All elements have 32 bits until a value does not fit; this saves memory, because an audit has
 * millions of cells with mostly small values. Invariant: a slot of the hash table holds the position of a cell + 1, or 0 if it is free; at
 * most two thirds of the slots are taken.
 */
export class CellTable {
  readonly kinds: readonly ColumnKind[];
  /** The number of cells. */
  count = 0;
  /** The number of cells for which there is room. */
  #room = 0;
  /** For each cell, `#keySize` elements with its key (if two, the lower 32 bits first), and its values. */
  #cells: Cells = noCells;
  #keySize = 1;
  /** The number of elements of a cell. */
  #size: number;
  #slots: Uint16Array | Int32Array = noSlots;

  constructor(kinds: readonly ColumnKind[]) {
    this.kinds = kinds;
    this.#size = 1 + kinds.length;
  }

  /** Returns the position of the cell of `key`. A missing cell is added: its sums start at 0, minima at Infinity, maxima at -Infinity. */
  cellOf(key: number): number {
    const slots = this.#slots;
    const cells = this.#cells;
    const size = this.#size;
    const mask = slots.length - 1;
    const low = key >>> 0;
    const high = (key - low) / wordSize;
    const isPair = this.#keySize === 2;
    const first = isPair ? low : key;
    let slot = slotOf(low, high) & mask;
    for (;;) {
      const cell = slots[slot]! - 1;
      if (cell < 0) break;
      const at = cell * size;
      if (cells[at] === first && (!isPair || cells[at + 1] === high)) return cell;
      slot = (slot + 1) & mask;
    }
    return this.#add(key, slot);
  }

  /** The key of a cell. */
  keyOf(cell: number): number {
    const at = cell * this.#size;
    const first = this.#cells[at]!;
    return this.#keySize === 2 ? this.#cells[at + 1]! * wordSize + first : first;
  }

  /** The value of a cell in a column. */
  valueOf(cell: number, column: number): number {
    const cells = this.#cells;
    const value = cells[cell * this.#size + this.#keySize + column]!;
    if (cells instanceof Float64Array) return value;
    const kind = this.kinds[column]!;
    if (kind === "sum") return value;
    const { none, added } = narrowOf[kind];
    return value === none ? wideNone[kind] : value - added;
  }

  /** Adds `value` to a cell in a column of sums. */
  add(cell: number, column: number, value: number): void {
    const cells = this.#cells;
    const at = cell * this.#size + this.#keySize + column;
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

  /** The index in `#cells` of a value. */
  #at(cell: number, column: number): number {
    return cell * this.#size + this.#keySize + column;
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
    this.#cells = wide;
    this.#keySize = 1;
    this.#size = size;
    return wide;
  }

  /** Adds the cell of a new key and returns its position. `slot` is the free slot at which the search for the key ended. */
  #add(key: number, slot: number): number {
    if (key > tooLarge && this.#keySize === 1 && this.#cells instanceof Uint32Array) this.#arrange(this.#room, 2);
    if (this.count === this.#room) {
      const room = this.#room < mostDoubled ? this.#room * 2 : Math.ceil(this.#room * 1.5);
      this.#arrange(Math.max(smallestRoom, room), this.#keySize);
    }
    if ((this.count + 1) * 3 > this.#slots.length * 2) {
      this.#makeSlots(Math.max(smallestRoom, this.#slots.length) * 2);
      return this.cellOf(key);
    }
    const cell = this.count++;
    const at = cell * this.#size;
    if (this.#keySize === 1) this.#cells[at] = key;
    else {
      const low = key >>> 0;
      this.#cells[at] = low;
      this.#cells[at + 1] = (key - low) / wordSize;
    }
    this.#slots[slot] = cell + 1;
    return cell;
  }

  /** Makes room for `room` cells, whose keys take `keySize` elements. */
  #arrange(room: number, keySize: number): void {
    const { kinds } = this;
    const [old, oldSize, oldKeySize] = [this.#cells, this.#size, this.#keySize];
    const size = keySize + kinds.length;
    const isWide = old instanceof Float64Array;
    const cells = isWide ? new Float64Array(room * size) : new Uint32Array(room * size);
    if (size === oldSize) cells.set(old);
    else {
      for (let cell = 0; cell < this.#room; cell++) {
        for (let part = 0; part < oldKeySize; part++) cells[cell * size + part] = old[cell * oldSize + part]!;
        for (let column = 0; column < kinds.length; column++) {
          cells[cell * size + keySize + column] = old[cell * oldSize + oldKeySize + column]!;
        }
      }
    }
    for (const [column, kind] of kinds.entries()) {
      const none = isWide ? wideNone[kind] : narrowOf[kind].none;
      if (none === 0) continue;
      for (let cell = this.#room; cell < room; cell++) cells[cell * size + keySize + column] = none;
    }
    this.#cells = cells;
    this.#keySize = keySize;
    this.#size = size;
    this.#room = room;
  }

  #makeSlots(length: number): void {
    const slots = length > mostNarrowSlots ? new Int32Array(length) : new Uint16Array(length);
    const mask = length - 1;
    for (let cell = 0; cell < this.count; cell++) {
      const key = this.keyOf(cell);
      const low = key >>> 0;
      let slot = slotOf(low, (key - low) / wordSize) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = cell + 1;
    }
    this.#slots = slots;
  }
}

/** Whether a minimum or maximum fits in 32 bits. */
function isNarrow(value: number): boolean {
  return value >>> 0 === value && value < tooLarge;
}

/** The hash of a key, given as its lower and its upper 32 bits. */
function slotOf(low: number, high: number): number {
  return mix32(low ^ Math.imul(high, 0x9e3779b1));
}
