// Converts the counts of one origin to sorted rows of names and numbers. Cells are sorted as numbers, and rows are made one by one.
import { type CellTable, FoldingTable } from "../count/cell-table.ts";
import { exampleCellOf } from "../count/examples.ts";
import { actorRoom, graceRoom, secondsOfBucket, splitKey, statusRoom, verificationRoom } from "../count/keys.ts";
import type { Names } from "../count/names.ts";
import type { OriginCounts } from "../count/origin-counts.ts";
import { type Outcome, firstOutcome } from "../count/outcomes.ts";
import type { AuditCrawler } from "../states/judge.ts";
import { directions, methodNames, stateCodes, statusClasses, verifications } from "../states/states.ts";
import { secondsPerDay, secondsPerMinute } from "../time.ts";
import { type CellTableName, type KeyedTable, type PartName, keyParts, keyedTableOf, roomsOf } from "./table-keys.ts";
import { type Cell, type ColumnName, type Row, type TableName, compareRows, flips, tableColumns } from "./tables.ts";
import type { DocumentRule } from "./types.ts";

/** A column that a part of a key gives. */
interface KeyColumn {
  /** The cell for each value of the part, or the function that makes it. */
  readonly cells: readonly Cell[] | ((part: number) => Cell);
  /** For each value of the part, a number below `size` that sorts like its cell. Undefined: the part itself is this number. */
  readonly ranks: readonly number[] | undefined;
  readonly size: number;
}

/** A column of names: `names` has the name for each value of the part. */
function namesColumn<Name extends string | boolean>(names: readonly Name[]): KeyColumn {
  const sorted = [...new Set(names)].toSorted((one, other) => (one < other ? -1 : 1));
  const rankOf = new Map(sorted.map((name, rank) => [name, rank]));
  return { cells: names, ranks: names.map((name) => rankOf.get(name)!), size: sorted.length };
}

/** A column of numbers that sort like the part. */
function numbersColumn(size: number, cells: (part: number) => Cell = (part) => part): KeyColumn {
  return { cells, ranks: undefined, size };
}

/** More than the quarters of an hour until `lastSecond`. */
const bucketRoom = 2 ** 25;

type KeyColumns = Readonly<Partial<Record<ColumnName, KeyColumn>>>;

/** The columns of the parts that are equal for all origins and audits. */
const columnsOfParts: Readonly<Partial<Record<PartName, KeyColumns>>> = {
  bucket: { time: numbersColumn(bucketRoom, secondsOfBucket) },
  day: { time: numbersColumn(bucketRoom, (day) => day * secondsPerDay) },
  state: { state: namesColumn(stateCodes) },
  answer: { statusClass: namesColumn(statusClasses) },
  method: { method: namesColumn(methodNames) },
  status: { status: numbersColumn(statusRoom, (part) => part - 1) },
  flip: { flip: namesColumn(flips) },
};

/** The columns about the crawlers of a counter, which the rows of all origins share. */
export function actorColumnsOf(crawlers: readonly AuditCrawler[]): KeyColumns {
  const actors = Array.from({ length: (crawlers.length + 1) * verificationRoom }, (_, actor) => actor);
  return {
    crawler: namesColumn(actors.map((actor) => crawlers[Math.floor(actor / verificationRoom) - 1]?.productToken ?? "")),
    verification: namesColumn(actors.map((actor) => verifications[actor % verificationRoom]!)),
  };
}

const noOutcome: Outcome = { interval: 0, rule: -1, state: 0, direction: 0, proven: false, disputed: false };

/** Makes the rules and tables of one origin. */
export class OriginRows {
  /** The rules that decided counted requests, sorted. */
  readonly rules: readonly DocumentRule[];
  readonly #counts: OriginCounts;
  readonly #actorColumns: KeyColumns;
  readonly #intervals: number;
  readonly #outcomeColumns: KeyColumns;
  /** The columns of names; made when a table first needs them. */
  readonly #nameColumns = new Map<Names, KeyColumn>();

  /** `actorColumns`: from `actorColumnsOf`. */
  constructor(counts: OriginCounts, actorColumns: KeyColumns) {
    this.#actorColumns = actorColumns;
    this.#counts = counts;
    const { outcomes, decisions, history } = counts;
    // Only rules and lines of counted requests are included: a request may have been judged and then not counted.
    const used = new Map<number, Map<string, number>>();
    for (let cell = 0; cell < decisions.count; cell++) {
      const { rule, interval } = outcomes.of(Math.floor(decisions.keyOf(cell) / (actorRoom * statusRoom)));
      const version = history?.intervals[interval]?.version ?? "";
      const line = outcomes.rules[rule]!.lines.get(version);
      const lines = used.get(rule) ?? new Map<string, number>();
      if (line !== undefined) lines.set(version, line);
      used.set(rule, lines);
    }
    const sorted = [...used]
      .map(([position, lines]) => {
        const { tokens, directive, pattern, dialect } = outcomes.rules[position]!;
        const known = { tokens, directive, pattern, lines: Object.fromEntries(lines) };
        const rule = dialect === "" ? known : { ...known, dialect };
        return { position, key: [directive, pattern, tokens.join("\n"), dialect], rule };
      })
      .toSorted((one, other) => compareRows(one.key, other.key));
    this.rules = sorted.map(({ rule }) => rule);
    const positions = new Map(sorted.map(({ position }, at) => [position, at]));
    // Numbers below `firstOutcome` are no outcomes.
    const list = [...Array.from({ length: firstOutcome }, () => noOutcome), ...outcomes.list];
    const numbers = (size: number, each: readonly number[]): KeyColumn => ({ cells: each, ranks: each, size });
    this.#intervals = history?.intervals.length ?? 0;
    this.#outcomeColumns = {
      interval: numbers(
        this.#intervals,
        list.map(({ interval }) => interval),
      ),
      // An outcome whose rule has no position belongs to no counted request.
      rule: numbers(
        sorted.length,
        list.map(({ rule }) => positions.get(rule) ?? 0),
      ),
      state: namesColumn(list.map(({ state }) => stateCodes[state]!)),
      direction: namesColumn(list.map(({ direction }) => directions[direction]!)),
      proven: namesColumn(list.map(({ proven }) => proven)),
      disputed: namesColumn(list.map(({ disputed }) => disputed)),
    };
  }

  /** The rows of a table, sorted. Each row of a large table is made when it is read. */
  rowsOf<Name extends TableName>(name: Name): Iterable<Row<Name>> {
    return this.#rowsOf(name) as Iterable<Row<Name>>;
  }

  #rowsOf(name: TableName): Iterable<readonly Cell[]> {
    if (name === "graceMinutes") return this.#graceMinuteRows();
    if (name === "pace") return this.#paceRows();
    if (name === "referrals") return [...this.#counts.referrals].toSorted(compareRows);
    return this.#keyedRows(name);
  }

  *#keyedRows(name: CellTableName): Generator<readonly Cell[], void, undefined> {
    const keyed = keyedTableOf(this.#counts, name);
    const table = keyed.table instanceof FoldingTable ? keyed.table.cells : keyed.table;
    const rooms = roomsOf(name).toReversed();
    const parts = new Array<number>(rooms.length + 1).fill(0);
    const given = keyParts[name].map((part) => this.#columnsOf(part, keyed));
    const columns: readonly ColumnName[] = tableColumns[name];
    const ordered = columns.flatMap((column) => {
      const at = given.findIndex((known) => known[column] !== undefined);
      return at < 0 ? [] : [{ at, ...given[at]![column]! }];
    });
    const width = columns.length;
    const rowAt = (cell: number): readonly Cell[] => {
      splitKey(parts, table.keyOf(cell), rooms);
      const row = new Array<Cell>(width);
      for (let column = 0; column < ordered.length; column++) {
        const { at, cells } = ordered[column]!;
        row[column] = typeof cells === "function" ? cells(parts[at]!) : cells[parts[at]!]!;
      }
      for (let value = 0; value < table.kinds.length; value++) {
        row[ordered.length + value] = valueOf(table, cell, value);
      }
      if (keyed.examples !== undefined) row[width - 1] = keyed.examples.of(cell).map(exampleCellOf);
      return row;
    };
    // The first columns are compared as one number, as many of them as a number has room for.
    let room = 1;
    const ranked = ordered.filter(({ size }) => (room *= size) <= Number.MAX_SAFE_INTEGER);
    const places = new Float64Array(table.count);
    const cells = new Uint32Array(table.count);
    for (let cell = 0; cell < table.count; cell++) {
      splitKey(parts, table.keyOf(cell), rooms);
      let place = 0;
      for (const { at, ranks, size } of ranked) place = place * size + (ranks?.[parts[at]!] ?? parts[at]!);
      places[cell] = place;
      cells[cell] = cell;
    }
    cells.sort((one, other) => places[one]! - places[other]! || compareRows(rowAt(one), rowAt(other)));
    for (let at = 0; at < cells.length; at++) yield rowAt(cells[at]!);
  }

  #columnsOf(part: PartName, { named }: KeyedTable): KeyColumns {
    if (part === "actor") return this.#actorColumns;
    if (part === "interval") return { interval: numbersColumn(this.#intervals) };
    if (part === "outcome") return this.#outcomeColumns;
    return part === "name" ? this.#nameColumnsOf(named!.names) : columnsOfParts[part]!;
  }

  #nameColumnsOf(names: Names): KeyColumns {
    let column = this.#nameColumns.get(names);
    if (column === undefined) {
      column = namesColumn(Array.from({ length: names.count }, (_, number) => names.textOf(number)));
      this.#nameColumns.set(names, column);
    }
    return { directory: column, parameter: column };
  }

  #graceMinuteRows(): readonly (readonly Cell[])[] {
    return [...this.#counts.graceMinutes]
      .flatMap(([key, minutes]) => {
        const [interval, actor, flags] = splitKey([0, 0, 0], key, [graceRoom, actorRoom]);
        return Array.from({ length: minutes.count }, (_, cell) => [
          minutes.keyOf(cell) * secondsPerMinute,
          ...this.#actorCellsOf(actor!),
          interval!,
          flags! >= 2,
          flags! % 2 === 1,
          minutes.valueOf(cell, 0),
        ]);
      })
      .toSorted(compareRows);
  }

  /** The rows of the sample of minutes. */
  #paceRows(): readonly (readonly Cell[])[] {
    return [...this.#counts.pace]
      .flatMap(([actor, minutes]) =>
        minutes
          .entries()
          .map(([minute, requests]) => [minute * secondsPerMinute, ...this.#actorCellsOf(actor), requests]),
      )
      .toSorted(compareRows);
  }

  #actorCellsOf(actor: number): readonly Cell[] {
    const { crawler, verification } = this.#actorColumns;
    return [crawler, verification].map((column) => (column!.cells as readonly Cell[])[actor]!);
  }
}

/** A value of a cell; null for the minimum or maximum of no instant (±Infinity). */
function valueOf(table: CellTable, cell: number, column: number): number | null {
  const value = table.valueOf(cell, column);
  return Number.isFinite(value) ? value : null;
}
