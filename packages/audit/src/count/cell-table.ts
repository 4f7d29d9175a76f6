// Implements tables of integer keys with columns of numbers for hot loops: an open-addressing hash table in typed arrays, and a table that
// loses detail when it has more cells than its limit.
import { mix32 } from "../hash.ts";

/** How a column merges the values of a cell: it adds them, or keeps the smallest or the largest. */
export type ColumnKind = "sum" | "min" | "max";

const noneOf: Readonly<Record<ColumnKind, number>> = { sum: 0, min: Infinity, max: -Infinity };

const wordSize = 0x1_0000_0000;
const smallestRoom = 4;
/**
 * A table with room for fewer cells doubles its room when it grows; a larger table gets 1.5 times its room. Growing costs memory, and so
 * does unused room.
 */
const mostDoubled = 1_024;

/** The cells and the slots of every table without cells. They are never written to. */
const noCells = new Float64Array(0);
const noSlots = new Int32Array(1);

/**
 * A table of cells. Keys are integers from 0 to 2^53 - 1. A cell keeps its position while the table grows. The key and the values of a cell
 * are neighbours in memory. Invariant: a slot of the hash table holds the position of a cell + 1, or 0 if it is free; the number of slots
 * is a power of two, and at most two thirds of them are taken.
 */
export class CellTable {
  readonly kinds: readonly ColumnKind[];
  /** The number of cells. */
  count = 0;
  /** For each cell: its key, then its values. */
  #cells = noCells;
  /** The number of elements of a cell. */
  readonly #size: number;
  #slots = noSlots;

  constructor(kinds: readonly ColumnKind[]) {
    this.kinds = kinds;
    this.#size = 1 + kinds.length;
  }

  /** Returns the position of the cell of `key`. A missing cell is added: its sums start at 0, minima at Infinity, maxima at -Infinity. */
  cellOf(key: number): number {
    const cells = this.#cells;
    const slots = this.#slots;
    const size = this.#size;
    const mask = slots.length - 1;
    for (let slot = hashOf(key) & mask; ; slot = (slot + 1) & mask) {
      const cell = slots[slot]! - 1;
      if (cell < 0) return this.#add(key, slot);
      if (cells[cell * size] === key) return cell;
    }
  }

  /** The key of a cell. */
  keyOf(cell: number): number {
    return this.#cells[cell * this.#size]!;
  }

  /** The value of a cell in a column. */
  valueOf(cell: number, column: number): number {
    return this.#cells[cell * this.#size + 1 + column]!;
  }

  /** Adds `value` to a cell in a column of sums. */
  add(cell: number, column: number, value: number): void {
    this.#cells[cell * this.#size + 1 + column]! += value;
  }

  /** Lowers the minimum of a cell in a column to `value`, if `value` is smaller. */
  lower(cell: number, column: number, value: number): void {
    const at = cell * this.#size + 1 + column;
    if (value < this.#cells[at]!) this.#cells[at] = value;
  }

  /** Raises the maximum of a cell in a column to `value`, if `value` is larger. */
  raise(cell: number, column: number, value: number): void {
    const at = cell * this.#size + 1 + column;
    if (value > this.#cells[at]!) this.#cells[at] = value;
  }

  /**
   * Counts a request at `atSeconds`, which is -1 without a time, in a cell of a table with three columns: a number of requests, the first
   * and the last instant. Returns the position of the cell.
   */
  addAt(cell: number, atSeconds: number): number {
    this.add(cell, 0, 1);
    if (atSeconds >= 0) {
      this.lower(cell, 1, atSeconds);
      this.raise(cell, 2, atSeconds);
    }
    return cell;
  }

  /** Merges a value into a cell in a column, by the kind of the column. */
  merge(cell: number, column: number, value: number): void {
    const kind = this.kinds[column]!;
    if (kind === "sum") this.add(cell, column, value);
    else if (kind === "min") this.lower(cell, column, value);
    else this.raise(cell, column, value);
  }

  /** Merges a cell of another table with the same columns into the cell of `key`, and returns the position of that cell. */
  addFrom(key: number, from: CellTable, cell: number): number {
    const to = this.cellOf(key);
    for (let column = 0; column < this.kinds.length; column++) this.merge(to, column, from.valueOf(cell, column));
    return to;
  }

  /** Adds a cell. `slot` is the free slot at which the search for `key` ended. */
  #add(key: number, slot: number): number {
    if ((this.count + 1) * 3 > this.#slots.length * 2) {
      this.#slots = this.#slotsFor(this.#slots.length * (this.count === 0 ? 2 * smallestRoom : 2));
      return this.cellOf(key);
    }
    const cell = this.count++;
    const start = cell * this.#size;
    if (start === this.#cells.length) {
      const larger = new Float64Array(roomAfter(cell) * this.#size);
      larger.set(this.#cells);
      this.#cells = larger;
    }
    this.#cells[start] = key;
    for (let column = 0; column < this.kinds.length; column++) {
      this.#cells[start + 1 + column] = noneOf[this.kinds[column]!];
    }
    this.#slots[slot] = cell + 1;
    return cell;
  }

  #slotsFor(length: number): Int32Array<ArrayBuffer> {
    const slots = new Int32Array(length);
    const mask = length - 1;
    for (let cell = 0; cell < this.count; cell++) {
      let slot = hashOf(this.keyOf(cell)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = cell + 1;
    }
    return slots;
  }
}

/** The number of cells for which a table with `room` cells gets room when it is full. */
function roomAfter(room: number): number {
  return room < mostDoubled ? Math.max(smallestRoom, room * 2) : Math.ceil(room * 1.5);
}

function hashOf(key: number): number {
  const low = key >>> 0;
  return mix32(low ^ Math.imul((key - low) / wordSize, 0x9e3779b1));
}

/**
 * A table whose keys exist in several levels of detail. The number of cells at a level depends only on the set of added keys, and a
 * folded table stays folded. Every order of adding and merging therefore ends at the same level with the same cells.
 */
export class FoldingTable {
  cells: CellTable;
  /** The level of folding: at 0, keys are as added; each higher level has less detail. */
  level = 0;
  readonly #limit: number;
  readonly #levels: number;
  readonly #coarser: (key: number, level: number) => number;

  /**
   * @param limit the maximum number of cells before the table folds
   * @param levels the last level, which has no limit
   * @param coarser reduces `key` to the detail of `level`
   */
  constructor(
    kinds: readonly ColumnKind[],
    limit: number,
    levels: number,
    coarser: (key: number, level: number) => number,
  ) {
    this.cells = new CellTable(kinds);
    this.#limit = limit;
    this.#levels = levels;
    this.#coarser = coarser;
  }

  /**
   * Returns the position of the cell of `key` at the present level; valid until the next call. A missing cell is added. If the table then
   * has more cells than its limit, it is folded.
   */
  cellOf(key: number): number {
    const cell = this.cells.cellOf(this.level === 0 ? key : this.#coarser(key, this.level));
    if (this.cells.count <= this.#limit || this.level >= this.#levels) return cell;
    this.foldTo(this.level + 1);
    return this.cellOf(key);
  }

  /** Folds the table to `level` if the present level is lower, and to higher levels while it has more cells than its limit. */
  foldTo(level: number): void {
    if (level <= this.level) return;
    this.level = level;
    const old = this.cells;
    this.cells = new CellTable(old.kinds);
    for (let cell = 0; cell < old.count; cell++) this.cells.addFrom(this.#coarser(old.keyOf(cell), level), old, cell);
    if (this.cells.count > this.#limit && level < this.#levels) this.foldTo(level + 1);
  }

  /** Adds all cells of another table with the same columns. */
  addAll(other: FoldingTable): void {
    this.foldTo(other.level);
    const { cells } = other;
    for (let cell = 0; cell < cells.count; cell++) {
      const key = cells.keyOf(cell);
      // This call may fold the table. The values are then added to the cell of the folded key.
      this.cellOf(key);
      this.cells.addFrom(this.level === 0 ? key : this.#coarser(key, this.level), cells, cell);
    }
  }
}
