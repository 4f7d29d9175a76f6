// Bounds the size of a cell table: when the table has more cells than its limit, its keys lose detail.
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
