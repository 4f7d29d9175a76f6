// Makes the tables of a document's origins only when they are read, so that a large document is never in memory as a whole.
import type { AuditCounter } from "../count/counter.ts";
import type { OriginCounts } from "../count/origin-counts.ts";
import { OriginRows, actorColumnsOf } from "./origin-rows.ts";
import { type Row, type TableName, type Tables, tableNames } from "./tables.ts";
import type { DocumentOrigin } from "./types.ts";

/** Returns the rows of a table. */
type RowSource = <Name extends TableName>(name: Name) => Iterable<Row<Name>>;

const sources = new WeakMap<object, RowSource>();

/** Makes `tableRowsOf` read the rows of `origin` from `source`. These rows must equal the rows of the origin's members. */
function setRowSource(origin: DocumentOrigin, source: RowSource): void {
  sources.set(origin, source);
}

/** The source of the rows of an origin; undefined for a value that has none. */
export function rowSourceOf(origin: object): RowSource | undefined {
  return sources.get(origin);
}

/**
 * The rows of a table, in the order of the member `name`. A loop over these rows holds one row at a time; the member is an array of all
 * rows, which a large counted document makes again when it is read again.
 */
export function tableRowsOf<Name extends TableName>(origin: DocumentOrigin, name: Name): Iterable<Row<Name>> {
  const source = sources.get(origin);
  return source === undefined ? (origin as Tables)[name] : source(name);
}

/**
 * The maximum number of cells of a document whose tables stay in memory. The tables of a larger document are made again when they are read
 * again.
 */
const mostKeptCells = 20_000;

type MemberName = TableName | "rules";

const memberNames: readonly MemberName[] = ["rules", ...tableNames];

/** The tables of the origins of one document. */
export class TablesOfOrigins {
  readonly #actorColumns: ReturnType<typeof actorColumnsOf>;
  /** The tables of all origins, if the document is small. */
  readonly #kept: Map<OriginCounts, MadeTables> | undefined;
  /** The origin whose tables were read last, and these tables. */
  #last: OriginCounts | undefined;
  #lastTables: MadeTables | undefined;

  constructor(counter: AuditCounter) {
    this.#actorColumns = actorColumnsOf(counter.crawlers);
    this.#kept = counter.cellCount > mostKeptCells ? undefined : new Map<OriginCounts, MadeTables>();
  }

  /** Adds the tables of an origin to `heading` as enumerable members. Reading a member makes its table. */
  addTo(heading: Omit<DocumentOrigin, MemberName>, counts: OriginCounts): DocumentOrigin {
    for (const name of memberNames) {
      Object.defineProperty(heading, name, { enumerable: true, get: () => this.#tablesOf(counts).memberOf(name) });
    }
    const origin = heading as DocumentOrigin;
    const source: RowSource = (name) => this.#tablesOf(counts).rowsOf(name);
    setRowSource(origin, source);
    return origin;
  }

  #tablesOf(counts: OriginCounts): MadeTables {
    if (counts === this.#last) return this.#lastTables!;
    let tables = this.#kept?.get(counts);
    if (tables === undefined) {
      tables = new MadeTables(new OriginRows(counts, this.#actorColumns));
      this.#kept?.set(counts, tables);
    }
    this.#last = counts;
    this.#lastTables = tables;
    return tables;
  }
}

/** The tables of one origin. A table that was read as a member stays in memory. */
class MadeTables {
  readonly #rows: OriginRows;
  readonly #tables = new Map<TableName, readonly unknown[]>();

  constructor(rows: OriginRows) {
    this.#rows = rows;
  }

  memberOf(name: MemberName): readonly unknown[] {
    if (name === "rules") return this.#rows.rules;
    let table = this.#tables.get(name);
    if (table === undefined) this.#tables.set(name, (table = [...this.#rows.rowsOf(name)]));
    return table;
  }

  rowsOf: RowSource = (name) => (this.#tables.get(name) as never) ?? this.#rows.rowsOf(name);
}
