// Holds the sums of one period and one group of origins while origins are counted.
import { hashTextOf, SmallestKeys } from "@robots-stream/audit/internal";
import type { FileFacts } from "./file-facts.ts";
import { cellCount, type Result, results } from "./states.ts";
import { mostKeys, type TableName, tableNames } from "./tables.ts";

/** The content of `BoundedCounts`. */
export interface CountList {
  readonly entries: readonly (readonly [key: string, count: number])[];
  readonly other: number;
  readonly below: string | null;
}

/**
 * Counts by key. Of more than `mostKeys` keys, those with the smallest hashes are kept; their counts are exact in any order of additions, and
 * `other` is the sum of all other keys.
 */
export class BoundedCounts {
  other = 0;
  readonly #keys = new SmallestKeys<number>(mostKeys, hashTextOf, (_key, count) => (this.other += count));

  add(key: string, count: number): void {
    const known = this.#keys.get(key, () => 0);
    if (known === undefined) this.other += count;
    else this.#keys.set(key, known + count);
  }

  /** Keys with this hash or a larger one are in `other`; null while every key is kept. */
  get below(): string | null {
    return this.#keys.threshold ?? null;
  }

  /** Adds the counts of another list. */
  addAll({ entries, other, below }: CountList): void {
    if (below !== null) this.#keys.dropFrom(below);
    for (const [key, count] of entries) this.add(key, count);
    this.other += other;
  }

  /** The counts, as `addAll` takes them. */
  list(): CountList {
    return { entries: this.entries(), other: this.other, below: this.below };
  }

  /** The kept keys with a count other than 0, sorted. */
  entries(): CountList["entries"] {
    return this.#keys.entries().filter(([, count]) => count !== 0);
  }
}

/** The changes that are counted between an origin's last known robots.txt and the one of a period. */
export const changes = ["closed", "opened", "first-named"] as const;
/** A change between an origin's last known robots.txt and the one of a period. */
export type Change = (typeof changes)[number];

/**
 * The sums of a period and a group. The first three members are *stocks*: how many origins have something at the end of the period. While
 * origins are counted, they hold only the differences from the period before. The others are *flows*: what happened in the period.
 */
export class Slice {
  readonly results: Float64Array = new Float64Array(results.length);
  /** By crawler and pair of state and ground: `crawler * cellCount + cell`. */
  readonly cells: Float64Array;
  readonly tables: Readonly<Record<TableName, BoundedCounts>>;
  /** Origins with a capture in the period. */
  captured = 0;
  /** Origins whose first known robots.txt is that of this period. */
  entered = 0;
  /** By crawler and change: `crawler * changes.length + change`. */
  readonly changes: Float64Array;

  constructor(crawlers: number) {
    this.cells = new Float64Array(crawlers * cellCount);
    this.changes = new Float64Array(crawlers * changes.length);
    this.tables = Object.fromEntries(tableNames.map((name) => [name, new BoundedCounts()])) as never;
  }

  /** Adds an origin with a result and, if it has a file, the facts about the file; `count` is -1 to take it out again. */
  addOrigin(result: Result, facts: FileFacts | undefined, count: 1 | -1): void {
    this.results[results.indexOf(result)]! += count;
    if (facts === undefined) return;
    for (let crawler = 0; crawler < facts.cells.length; crawler++) {
      this.cells[crawler * cellCount + facts.cells[crawler]!]! += count;
    }
    for (const { table, key } of facts.keys) this.tables[table].add(key, count);
  }

  /** Adds the stocks of another slice. */
  addStocks(other: Slice): void {
    addAll(this.results, other.results);
    addAll(this.cells, other.cells);
    for (const name of tableNames) this.tables[name].addAll(other.tables[name].list());
  }

  /** Adds the flows of another slice. */
  addFlows(other: Slice): void {
    this.captured += other.captured;
    this.entered += other.entered;
    addAll(this.changes, other.changes);
  }
}

function addAll(to: Float64Array, from: Float64Array): void {
  for (let at = 0; at < to.length; at++) to[at]! += from[at]!;
}
