// Integer keys with columns of numbers: an open-addressing hash table over typed arrays, for counts of hot loops.
import { mix32 } from "../hash.ts";

/** How two values of a column become one. */
export type ColumnKind = "sum" | "min" | "max";

const initialOf: Readonly<Record<ColumnKind, number>> = { sum: 0, min: Infinity, max: -Infinity };
const smallestSize = 16;

/**
 * A table of cells. Keys are integers from 0 to 2^53 - 1. A cell keeps its position while the table grows.
 * Invariant: `#slots` holds positions + 1, 0 where free; at most half of the slots are taken.
 */
export class CellTable {
  readonly kinds: readonly ColumnKind[];
  keys: Float64Array = new Float64Array(smallestSize);
  readonly columns: Float64Array[];
  /** The number of cells. */
  count = 0;
  #slots: Int32Array = new Int32Array(smallestSize * 2);

  constructor(kinds: readonly ColumnKind[]) {
    this.kinds = kinds;
    this.columns = kinds.map((kind) => new Float64Array(smallestSize).fill(initialOf[kind]));
  }

  /** The position of the cell of a key; a new cell has 0, Infinity and -Infinity in its columns of sums, minima and maxima. */
  cellOf(key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = slotOf(key) & mask;
    for (;;) {
      const cell = slots[slot]! - 1;
      if (cell < 0) break;
      if (this.keys[cell] === key) return cell;
      slot = (slot + 1) & mask;
    }
    if (this.count === this.keys.length) {
      this.#grow();
      return this.cellOf(key);
    }
    const cell = this.count++;
    slots[slot] = cell + 1;
    this.keys[cell] = key;
    return cell;
  }

  /** Adds the values of a cell of another table with the same columns. */
  addFrom(key: number, from: CellTable, cell: number): number {
    const to = this.cellOf(key);
    for (const [at, kind] of this.kinds.entries()) {
      const column = this.columns[at]!;
      const value = from.columns[at]![cell]!;
      const known = column[to]!;
      column[to] = kind === "sum" ? known + value : kind === "min" ? Math.min(known, value) : Math.max(known, value);
    }
    return to;
  }

  #grow(): void {
    const length = this.keys.length * 2;
    const keys = new Float64Array(length);
    keys.set(this.keys);
    this.keys = keys;
    for (const [at, column] of this.columns.entries()) {
      const larger = new Float64Array(length).fill(initialOf[this.kinds[at]!], column.length);
      larger.set(column);
      this.columns[at] = larger;
    }
    const slots = new Int32Array(length * 2);
    const mask = slots.length - 1;
    for (let cell = 0; cell < this.count; cell++) {
      let slot = slotOf(keys[cell]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = cell + 1;
    }
    this.#slots = slots;
  }
}

function slotOf(key: number): number {
  return mix32((key >>> 0) ^ Math.imul(Math.floor(key / 0x1_0000_0000), 0x9e3779b1));
}
