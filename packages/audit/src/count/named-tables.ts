// Keeps tables of cells by name, such as a directory. The names of a table with too many cells are folded: they lose detail.
import { CellTable, type ColumnKind } from "./cell-table.ts";
import { Examples, mostExamples, mostWhenFolded } from "./examples.ts";
import { Names, foldedName } from "./names.ts";

/** The form of a table. Its keys are `name * room + rest`: the number of a name, and the other parts with `room` values together. */
export interface NamedForm {
  readonly room: number;
  readonly kinds: readonly ColumnKind[];
  /** Whether cells have examples. Default: false. */
  readonly hasExamples?: boolean;
}

/** A table with the examples of its cells, if it has any. */
export interface NamedTable {
  readonly cells: CellTable;
  readonly examples: Examples | undefined;
}

/** Returns a name folded to a level. */
type CoarserName = (name: string, level: number) => string;

type TablesOf<Table extends string> = Readonly<Record<Table, NamedTable>>;

/** Tables that share their names. Folding changes the numbers of names. The last level of folding has one name, `…`. */
export class NamedTables<Table extends string> {
  names: Names = new Names();
  level = 0;
  tables: TablesOf<Table>;
  readonly #forms: Readonly<Record<Table, NamedForm>>;
  readonly #lastLevel: number;
  readonly #coarser: CoarserName;
  readonly #withValues: boolean;
  /** The number of the name `…`; -1 until it is needed. */
  #folded = -1;

  /** `withValues`: whether examples contain the values of parameters. */
  constructor(
    forms: Readonly<Record<Table, NamedForm>>,
    lastLevel: number,
    coarser: CoarserName,
    withValues: boolean = false,
  ) {
    this.#forms = forms;
    this.#lastLevel = lastLevel;
    this.#coarser = coarser;
    this.#withValues = withValues;
    this.tables = this.#emptyTables();
  }

  /** The number of the name `…`. */
  foldedNumber(): number {
    if (this.#folded < 0) this.#folded = this.names.numberOfText(foldedName);
    return this.#folded;
  }

  /** The number of a name that is given as a text, after folding. */
  numberOf(name: string): number {
    // At the last level all names are one.
    if (this.level >= this.#lastLevel) return this.foldedNumber();
    return this.names.numberOfText(this.#coarser(name, this.level));
  }

  /** Folds the names to `level`, if the present level is lower. */
  foldTo(level: number): void {
    if (level <= this.level) return;
    const { names, tables } = this;
    this.level = level;
    this.names = new Names();
    this.#folded = -1;
    this.tables = this.#emptyTables();
    this.#addTables(names, tables);
  }

  /** Folds the names until no limit is exceeded, or to the last level. Folding makes earlier numbers of names invalid. */
  keepWithinLimits(): void {
    while (this.level < this.#lastLevel && this.exceedsLimits()) this.foldTo(this.level + 1);
  }

  /** Whether a limit is exceeded. */
  protected exceedsLimits(): boolean {
    return false;
  }

  /** Adds the counts of another origin. What else than the name is in a key must mean the same for both origins. */
  addAll(other: NamedTables<Table>): void {
    this.foldTo(other.level);
    this.#addTables(other.names, other.tables);
    this.keepWithinLimits();
  }

  #emptyTables(): TablesOf<Table> {
    const most = this.level === 0 ? mostExamples : mostWhenFolded;
    const made = Object.entries<NamedForm>(this.#forms).map(([name, { kinds, hasExamples = false }]) => [
      name,
      { cells: new CellTable(kinds), examples: hasExamples ? new Examples(this.#withValues, most) : undefined },
    ]);
    return Object.fromEntries(made) as TablesOf<Table>;
  }

  #addTables(names: Names, tables: TablesOf<Table>): void {
    const isWhole = this.level >= this.#lastLevel;
    // The texts are not needed if all names are one.
    const numbers = Array.from({ length: names.count }, (_, number) =>
      isWhole ? this.foldedNumber() : this.numberOf(names.textOf(number)),
    );
    for (const table of Object.keys(tables) as Table[]) {
      const { room } = this.#forms[table];
      const to = this.tables[table];
      const { cells, examples } = tables[table];
      for (let cell = 0; cell < cells.count; cell++) {
        const key = cells.keyOf(cell);
        const number = Math.floor(key / room);
        const added = to.cells.addFrom(numbers[number]! * room + (key - number * room), cells, cell);
        for (const example of examples?.of(cell) ?? []) to.examples!.addExample(added, example);
      }
    }
  }
}
