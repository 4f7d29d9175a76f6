// Implements a table of integer keys with columns of numbers for hot loops: an open-addressing hash table in typed arrays.
import { mix32 } from "../hash.ts";

/** How a column merges the values of a cell: it adds them, or keeps the smallest or the largest. */
export type ColumnKind = "sum" | "min" | "max";

/** The values of a column, or the keys: 32-bit integers, or 64-bit floats once a value does not fit in 32 bits. */
type Numbers = Uint32Array | Float64Array;

/** The largest unsigned 32-bit integer. In a 32-bit column of minima, this value means that the cell has no minimum yet. */
const tooLarge = 0xffff_ffff;
/**
 * How a 32-bit column stores values. `none` is the element of a cell without a value. `added` is added to each stored value: a maximum is
 * stored plus 1, because 0 means that the cell has no maximum yet.
 */
const narrowOf: Readonly<Record<ColumnKind, { readonly none: number; readonly added: number }>> = {
  sum: { none: 0, added: 0 },
  min: { none: tooLarge, added: 0 },
  max: { none: 0, added: 1 },
};
const wideNone: Readonly<Record<ColumnKind, number>> = { sum: 0, min: Infinity, max: -Infinity };

const smallestSize = 4;
/** The maximum number of slots of 16 bits; in a larger hash table, each slot takes 32 bits. */
const mostNarrowCells = 0xffff;

/**
 * A table of cells. Keys are integers from 0 to 2^53 - 1. A cell keeps its position while the table grows. Each key takes 32 bits until one
 * key needs more. Each value of a column takes 32 bits until one value of the column needs more. This saves memory, because an audit has
 * millions of cells with mostly small values. Invariant: a slot of the hash table holds the position of a cell + 1, or 0 if it is free; at
 * most two thirds of the slots are taken.
 */
export class CellTable {
  readonly kinds: readonly ColumnKind[];
  /** The number of cells. */
  count = 0;
  #keys: Numbers = new Uint32Array(smallestSize);
  readonly #columns: Numbers[];
  #slots: Uint16Array | Int32Array = new Uint16Array(smallestSize * 2);

  constructor(kinds: readonly ColumnKind[]) {
    this.kinds = kinds;
    this.#columns = kinds.map((kind) => new Uint32Array(smallestSize).fill(narrowOf[kind].none));
  }

  /** Returns the position of the cell of `key`. A missing cell is added: its sums start at 0, minima at Infinity, maxima at -Infinity. */
  cellOf(key: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let slot = slotOf(key) & mask;
    for (;;) {
      const cell = slots[slot]! - 1;
      if (cell < 0) break;
      if (keys[cell] === key) return cell;
      slot = (slot + 1) & mask;
    }
    return this.#add(key, slot);
  }

  /** The key of a cell. */
  keyOf(cell: number): number {
    return this.#keys[cell]!;
  }

  /** The value of a cell in a column. */
  valueOf(cell: number, column: number): number {
    const values = this.#columns[column]!;
    const value = values[cell]!;
    if (values instanceof Float64Array) return value;
    const kind = this.kinds[column]!;
    if (kind === "sum") return value;
    const { none, added } = narrowOf[kind];
    return value === none ? wideNone[kind] : value - added;
  }

  /** Adds `value` to a cell in a column of sums. */
  add(cell: number, column: number, value: number): void {
    const values = this.#columns[column]!;
    const sum = values[cell]! + value;
    if (values instanceof Uint32Array && sum >>> 0 !== sum) this.#widened(column)[cell] = sum;
    else values[cell] = sum;
  }

  /** Lowers the minimum of a cell in a column to `value`, if `value` is smaller. */
  lower(cell: number, column: number, value: number): void {
    const values = this.#columns[column]!;
    if (values instanceof Uint32Array && !isNarrow(value)) {
      const wide = this.#widened(column);
      if (value < wide[cell]!) wide[cell] = value;
    } else if (value < values[cell]!) values[cell] = value;
  }

  /** Raises the maximum of a cell in a column to `value`, if `value` is larger. */
  raise(cell: number, column: number, value: number): void {
    const values = this.#columns[column]!;
    if (values instanceof Float64Array) {
      if (value > values[cell]!) values[cell] = value;
    } else if (!isNarrow(value)) {
      const wide = this.#widened(column);
      if (value > wide[cell]!) wide[cell] = value;
    } else if (value >= values[cell]!) values[cell] = value + 1;
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

  /** Converts a column to 64 bits. */
  #widened(column: number): Float64Array {
    const values = this.#columns[column]!;
    const wide = new Float64Array(values.length).fill(wideNone[this.kinds[column]!]);
    for (let cell = 0; cell < this.count; cell++) wide[cell] = this.valueOf(cell, column);
    this.#columns[column] = wide;
    return wide;
  }

  /** Adds the cell of a new key and returns its position. `slot` is the free slot at which the search for the key ended. */
  #add(key: number, slot: number): number {
    if (this.count === this.#keys.length) this.#grow();
    if ((this.count + 1) * 3 > this.#slots.length * 2) {
      this.#makeSlots(this.#slots.length * 2);
      return this.cellOf(key);
    }
    if (key > tooLarge && this.#keys instanceof Uint32Array) this.#keys = Float64Array.from(this.#keys);
    const cell = this.count++;
    this.#keys[cell] = key;
    this.#slots[slot] = cell + 1;
    return cell;
  }

  #grow(): void {
    const length = Math.ceil(this.#keys.length * 1.5);
    this.#keys = longerOf(this.#keys, length, 0);
    for (const [at, column] of this.#columns.entries()) {
      const kind = this.kinds[at]!;
      this.#columns[at] = longerOf(
        column,
        length,
        column instanceof Float64Array ? wideNone[kind] : narrowOf[kind].none,
      );
    }
  }

  #makeSlots(length: number): void {
    const slots = length > mostNarrowCells ? new Int32Array(length) : new Uint16Array(length);
    const mask = length - 1;
    for (let cell = 0; cell < this.count; cell++) {
      let slot = slotOf(this.#keys[cell]!) & mask;
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

function longerOf(numbers: Numbers, length: number, rest: number): Numbers {
  const longer = numbers instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length);
  longer.set(numbers);
  if (rest !== 0) longer.fill(rest, numbers.length);
  return longer;
}

function slotOf(key: number): number {
  return mix32((key >>> 0) ^ Math.imul(Math.floor(key / 0x1_0000_0000), 0x9e3779b1));
}
