// Holds the sums of one period and one group of origins while origins are counted, or documents merged.
import { hashTextOf, SmallestKeys } from "@robots-stream/audit/internal";
import type { CensusSlice, CensusTable, CountRow } from "./document.ts";
import type { FileFacts } from "./file-facts.ts";
import {
  type CountedTable,
  countedTables,
  isOfCrawlers,
  mostKeys,
  type Result,
  type Total,
  totalNames,
} from "./tables.ts";

/**
 * Counts by key, the JSON text of its parts. Of more keys than `most`, those with the smallest hashes are kept; their counts are exact in
 * any order of additions, and `other` is the sum of all other keys.
 */
export class BoundedCounts {
  #other = 0;
  readonly #keys: SmallestKeys<number>;

  constructor(most: number) {
    this.#keys = new SmallestKeys<number>(most, hashTextOf, (_key, count) => (this.#other += count));
  }

  add(key: string, count: number): void {
    const known = this.#keys.get(key, () => 0);
    if (known === undefined) this.#other += count;
    else this.#keys.set(key, known + count);
  }

  addTable({ rows, other, below }: CensusTable): void {
    if (below !== null) this.#keys.dropFrom(below);
    for (const row of rows) this.add(JSON.stringify(row.slice(0, -1)), row.at(-1) as number);
    this.#other += other;
  }

  /** The table of the keys with a count other than 0, sorted. */
  table(): CensusTable {
    const entries = this.#keys.entries().filter(([, count]) => count !== 0);
    const rows = entries.map(([key, count]) => [...(JSON.parse(key) as string[]), count] as unknown as CountRow);
    return { rows, other: this.#other, below: this.#keys.threshold ?? null };
  }
}

function emptyTable(name: CountedTable): BoundedCounts {
  return new BoundedCounts(isOfCrawlers(name) ? Infinity : mostKeys);
}

/**
 * The sums of a period and a group. `captured`, `entered` and the changes are *flows*: they count what happened in the period. All others are
 * *stocks*: how many origins have something at its end. While origins are counted, stocks hold the differences from the period before.
 */
export class Slice {
  readonly totals = Object.fromEntries(totalNames.map((name) => [name, 0])) as Record<Total, number>;
  readonly tables = Object.fromEntries(countedTables.map((name) => [name, emptyTable(name)])) as Record<
    CountedTable,
    BoundedCounts
  >;
  #lastCapture: number | null = null;

  /** Adds an origin with a result and, if it has a file, the facts about the file; `count` is -1 to take it out again. */
  addOrigin(result: Result, facts: FileFacts | undefined, count: 1 | -1): void {
    this.totals[result] += count;
    for (const { table, key } of facts?.keys ?? []) this.tables[table].add(key, count);
  }

  /** Takes the time of a capture. */
  addCapture(atSeconds: number | null): void {
    if (atSeconds !== null) this.#lastCapture = Math.max(this.#lastCapture ?? atSeconds, atSeconds);
  }

  /** Adds the sums of another slice. */
  add({ lastCapture, totals, tables }: CensusSlice): void {
    for (const name of totalNames) this.totals[name] += totals[name];
    for (const name of countedTables) this.tables[name].addTable(tables[name]);
    this.addCapture(lastCapture);
  }

  /** Begins the next period: keeps the stocks. */
  clearFlows(): void {
    this.totals.captured = 0;
    this.totals.entered = 0;
    this.tables.changes = emptyTable("changes");
  }

  /** The sums as plain data. */
  plain(group: string | null, period: string): CensusSlice {
    const tables = countedTables.map((name) => [name, this.tables[name].table()]);
    const { totals } = this;
    const members = { totals: { ...totals }, tables: Object.fromEntries(tables) as CensusSlice["tables"] };
    return { group, period, lastCapture: this.#lastCapture, ...members };
  }
}
