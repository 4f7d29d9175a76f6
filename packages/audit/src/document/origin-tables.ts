// Makes the tables of a document's origins only when they are read, so that a large document is never in memory as a whole.
import type { AuditCounter } from "../count/counter.ts";
import type { OriginCounts } from "../count/origin-counts.ts";
import { OriginRows } from "./origin-rows.ts";
import { type TableName, type Tables, tableNames } from "./tables.ts";
import type { DocumentRule } from "./types.ts";

/**
 * The maximum number of rows of tables that stay in memory. A table that does not fit is made again when it is read after the tables of
 * another origin.
 */
const mostKeptRows = 100_000;

const memberNames = ["rules", ...tableNames] as const;

/** The members of a document's origin that are made from counts. */
export type OriginTables = Tables & { readonly rules: readonly DocumentRule[] };

/** The tables of the origins of one document. */
export class TablesOfOrigins {
  readonly #counter: AuditCounter;
  #room = mostKeptRows;
  /** The origin whose tables were read last. */
  #last: OriginCounts | undefined;
  #lastRows: OriginRows | undefined;
  /**
   * The tables of the origin `#last` that did not fit, by the positions of their names in `memberNames`. This is an array whose elements
   * are overwritten, not a Map: the old backing store of a cleared Map keeps the rows alive for the young generation's collector, and the
   * heap grows to several times the memory in use.
   */
  readonly #lastTables: (readonly unknown[] | undefined)[] = memberNames.map(() => undefined);

  constructor(counter: AuditCounter) {
    this.#counter = counter;
  }

  /** The tables of an origin as enumerable members. Reading a member makes its table. */
  of(counts: OriginCounts): OriginTables {
    const tables = {};
    for (const name of memberNames) {
      let kept: readonly unknown[] | undefined;
      Object.defineProperty(tables, name, {
        enumerable: true,
        get: () => {
          if (kept !== undefined) return kept;
          const table = this.#tableOf(counts, name);
          if (table.length > this.#room) return table;
          this.#room -= table.length;
          kept = table;
          return table;
        },
      });
    }
    return tables as OriginTables;
  }

  #tableOf(counts: OriginCounts, name: TableName | "rules"): readonly unknown[] {
    if (counts !== this.#last) {
      this.#last = counts;
      this.#lastRows = undefined;
      this.#lastTables.fill(undefined);
    }
    const at = memberNames.indexOf(name);
    const known = this.#lastTables[at];
    if (known !== undefined) return known;
    this.#lastRows ??= new OriginRows(this.#counter, counts);
    const table = name === "rules" ? this.#lastRows.rules : this.#lastRows.tableOf(name);
    if (table.length > this.#room) this.#lastTables[at] = table;
    return table;
  }
}
