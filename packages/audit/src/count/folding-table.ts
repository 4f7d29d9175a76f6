// A cell table that drops detail from its keys when it has more cells than its limit, so that it stays bounded.
import { CellTable, type ColumnKind } from "./cell-table.ts";

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
   * @param limit the most cells before the table folds
   * @param levels the last level, which has no limit
   * @param coarser returns `key` with the detail of a level
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

  /** The position of a key's cell at the present level; valid until the next call. */
  cellOf(key: number): number {
    const cell = this.cells.cellOf(this.level === 0 ? key : this.#coarser(key, this.level));
    if (this.cells.count <= this.#limit || this.level >= this.#levels) return cell;
    this.foldTo(this.level + 1);
    return this.cellOf(key);
  }

  /** Folds to a level if the present level is lower, and further if the limit needs it. */
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
      // This call may fold the table; the values are added to the cell that the key has after that.
      this.cellOf(key);
      this.cells.addFrom(this.level === 0 ? key : this.#coarser(key, this.level), cells, cell);
    }
  }
}
