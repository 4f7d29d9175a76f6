// Holds the sums of one period and one group of origins while origins are counted, or documents merged.
import { SmallestCounts } from "@robots-stream/audit/internal";
import type { CensusSlice, CountRow } from "./document.ts";
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

/** Counts by the JSON text of a key's parts. */
function emptyTable(name: CountedTable): SmallestCounts {
  return new SmallestCounts(isOfCrawlers(name) ? Infinity : mostKeys);
}

/**
 * The sums of a period and a group. `captured`, `entered` and the changes are *flows*: they count what happened in the period. All others are
 * *stocks*: how many origins have something at its end. While origins are counted, stocks hold the differences from the period before.
 */
export class Slice {
  readonly totals = Object.fromEntries(totalNames.map((name) => [name, 0])) as Record<Total, number>;
  readonly tables = Object.fromEntries(countedTables.map((name) => [name, emptyTable(name)])) as Record<
    CountedTable,
    SmallestCounts
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
    for (const name of countedTables) {
      const { rows, other, below } = tables[name];
      if (below !== null) this.tables[name].dropFrom(below);
      for (const row of rows) this.tables[name].add(JSON.stringify(row.slice(0, -1)), row.at(-1) as number);
      this.tables[name].other += other;
    }
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
    const tables = countedTables.map((name) => {
      const counts = this.tables[name];
      const kept = counts.entries().filter(([, count]) => count !== 0);
      const rows = kept.map(([key, count]) => [...(JSON.parse(key) as string[]), count] as unknown as CountRow);
      return [name, { rows, other: counts.other, below: counts.below }];
    });
    const { totals } = this;
    const members = { totals: { ...totals }, tables: Object.fromEntries(tables) as CensusSlice["tables"] };
    return { group, period, lastCapture: this.#lastCapture, ...members };
  }
}
