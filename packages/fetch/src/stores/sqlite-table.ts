// Implements the operations of the embedded store: each reads or writes rows inside the caller's transaction.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { StoredRobots } from "../common/types.ts";
import { packedOf, unpackedOf } from "./pack.ts";
import { pageBytes } from "./sqlite-open.ts";
import { type BodyRow, type FetchRow, type PackedBody, type PackedEntry, entryOfRow, keyOf } from "./entry-row.ts";
import * as sql from "./sqlite-statements.ts";

/**
 * Called with the origin of each damaged row, which is left out. `isCertain`: whether the row is certainly of this origin, if only one of its
 * values is damaged.
 */
export type OnDamaged = (origin: string, isCertain: boolean) => void;

/** Maximum number of origins that are tried for damaged rows: each takes microseconds. */
const mostTried = 1_000_000;

/** A page of entries, and the id to continue from. */
interface Page {
  readonly entries: readonly StoredRobots[];
  readonly lastId: number;
}

interface Counts {
  readonly fetches: number;
  readonly origins: number;
  readonly bodies: number;
}

/** The columns that are needed to remove a row. */
type Removed = readonly [id: number, origin: number, body: number | null, lastBody: number | null];

/** The rows of one open database. */
export class Table {
  readonly #database: DatabaseSync;
  /** The statements that were executed, by their SQL. */
  readonly #statements = new Map<string, ReturnType<typeof sql.prepare>>();
  #tried = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The newest entry of an origin; undefined if there is none, or if its row is damaged. */
  get(origin: string): StoredRobots | undefined {
    return this.#entryOf(this.#first(sql.getNewest, keyOf(origin), origin));
  }

  /** Whether there is a row of the origin, readable or damaged. */
  knows(origin: string): boolean {
    return this.#first(sql.getOrigin, keyOf(origin), origin) !== undefined;
  }

  /** The entries of an origin, newest first. */
  history(origin: string, limit: number, onDamaged?: OnDamaged): readonly StoredRobots[] {
    return this.#known(origin, Number.MAX_SAFE_INTEGER, limit, onDamaged);
  }

  /** The newest entry fetched at `atMs` or before. */
  at(origin: string, atMs: number): StoredRobots | undefined {
    return this.#known(origin, atMs, 1)[0];
  }

  /** Rows after `afterId` in the order they were written, and the id to continue from; undefined after the last row. */
  page(afterId: number, limit: number, onDamaged?: OnDamaged): Page | undefined {
    return this.#pageOf(this.#all(sql.getPage, afterId, limit), 0, onDamaged);
  }

  /** The newest entries of origins after `afterId`, in the order of the origins' first entries, as `page` returns them. */
  newest(afterId: number, limit: number, onDamaged?: OnDamaged): Page | undefined {
    return this.#pageOf(this.#all(sql.getNewestPage, afterId, limit), sql.afterColumns, onDamaged);
  }

  /**
   * Adds a row and makes it the origin's newest row. With `isOld`, the added row becomes the newest only if the present newest row was not
   * fetched later.
   */
  add({ entry, key, row, body, lastBody }: PackedEntry, isOld: boolean): void {
    const found = this.#first(sql.getOrigin, key, entry.origin) as readonly [id: number, latest: number] | undefined;
    const [origin, latest] = found ?? [this.#run(sql.addOrigin, key, entry.origin)];
    const time = isOld && latest !== undefined ? this.#first(sql.getTime, latest) : undefined;
    const isSuperseded = time !== undefined && (time[0] as number) > entry.fetchedAt;
    const bodies = [this.#bodyIdOf(body), this.#bodyIdOf(lastBody)];
    const id = this.#run(sql.addFetch, origin, ...row.slice(1), ...bodies, isSuperseded ? 1 : null);
    if (isSuperseded || latest === undefined) return;
    this.#run(sql.supersede, latest);
    this.#run(sql.setLatest, id, origin);
  }

  /** Whether a row of this origin, time and checksum exists. */
  has({ key, row }: PackedEntry): boolean {
    const [origin, fetchedAt, , , , , , checksum] = row;
    return this.#first(sql.getSame, key, origin, key, origin, fetchedAt, checksum) !== undefined;
  }

  /** Removes the rows with the lowest ids, at most `limit`; returns their number. */
  removeOldest(limit: number): number {
    return this.#removeAll(this.#all(sql.getOldest, limit));
  }

  /** Removes rows of an origin, at most `limit`; returns their number. */
  removeOrigin(origin: string, limit: number): number {
    const key = keyOf(origin);
    return this.#removeAll(this.#all(sql.getOfOrigin, key, origin, key, origin, limit));
  }

  /** Removes rows fetched before `beforeMs`, at most `limit`; returns their number. */
  removeBefore(beforeMs: number, limit: number): number {
    return this.#removeAll(this.#all(sql.getBefore, beforeMs, limit));
  }

  /** Removes rows that are not their origin's newest, at most `limit`; returns their number. */
  removeSuperseded(limit: number): number {
    return this.#removeAll(this.#all(sql.getSuperseded, limit));
  }

  count(): Counts {
    const [fetches, origins, bodies] = this.#first(sql.counts) as readonly [number, number, number];
    return { fetches, origins, bodies };
  }

  /** Bytes of the pages in use, and of the whole file. */
  usedBytes(): { readonly used: number; readonly file: number } {
    const [pages, free] = this.#first(sql.pages) as readonly [number, number];
    return { used: (pages - free) * pageBytes, file: pages * pageBytes };
  }

  /** Returns free pages to the file system, at most `bytes`. */
  shrink(bytes: number): void {
    // Each step of the statement frees one page.
    this.#database.prepare(`PRAGMA incremental_vacuum(${Math.ceil(bytes / pageBytes)})`).all();
  }

  #bodyIdOf(body: PackedBody | undefined): number | bigint | null {
    if (body === undefined) return null;
    for (const [id, size, packed] of this.#all(sql.getBodies, body.key)) {
      if (size !== body.size || !isSamePacked(packed as Uint8Array, body)) continue;
      this.#run(sql.useBody, id as number);
      return id as number;
    }
    return this.#run(sql.addBody, body.key, body.size, body.packed);
  }

  /**
   * Called after an origin's newest row was removed. Makes the row with the latest remaining fetch the newest, or removes the origin if it
   * has no row.
   */
  #succeed(origin: number): void {
    const [heir] = (this.#first(sql.getHeir, origin) ?? []) as readonly number[];
    if (heir === undefined) this.#run(sql.removeOriginRow, origin);
    else {
      this.#run(sql.restore, heir);
      this.#run(sql.setLatest, heir, origin);
    }
  }

  #entryOf(row: sql.Row | undefined): StoredRobots | undefined {
    const lastBody = row?.[sql.lastBodyAt] ?? null;
    if (row === undefined || row[sql.originAt] === null) return undefined;
    const lastBodyRow = lastBody === null ? undefined : (this.#first(sql.getBody, lastBody) as BodyRow | undefined);
    return entryOfRow(row as FetchRow, lastBodyRow);
  }

  #entriesOf(rows: readonly sql.Row[], onDamaged: OnDamaged | undefined): readonly StoredRobots[] {
    const entries: StoredRobots[] = [];
    for (const row of rows) {
      const entry = this.#entryOf(row);
      if (entry !== undefined) entries.push(entry);
      else if (onDamaged !== undefined) this.#tellDamaged(row, onDamaged);
    }
    return entries;
  }

  /** Damage may have made the row one of another origin, or of none: it is then whole with the name of its own. */
  #tellDamaged(row: sql.Row, onDamaged: OnDamaged): void {
    const isWith = (origin: SQLOutputValue): boolean => this.#entryOf(row.with(sql.originAt, origin)) !== undefined;
    const named = row[sql.originAt];
    const shown = typeof named === "string" ? named : "an unknown origin";
    for (const [origin] of this.#statement(sql.getOrigins).iterate() as Iterable<unknown> as Iterable<
      [SQLOutputValue]
    >) {
      if (++this.#tried > mostTried) return onDamaged(shown, false);
      if (isWith(origin)) return onDamaged(String(origin), true);
    }
    onDamaged(shown, shown === named);
  }

  #pageOf(rows: readonly sql.Row[], idAt: number, onDamaged: OnDamaged | undefined): Page | undefined {
    const last = rows.at(-1);
    return last === undefined ? undefined : { entries: this.#entriesOf(rows, onDamaged), lastId: last[idAt] as number };
  }

  #known(origin: string, atMs: number, limit: number, onDamaged?: OnDamaged): readonly StoredRobots[] {
    const key = keyOf(origin);
    return this.#entriesOf(this.#all(sql.getKnown, key, origin, key, origin, atMs, limit), onDamaged);
  }

  #removeAll(rows: readonly sql.Row[]): number {
    for (const [id, origin, body, lastBody] of rows as readonly unknown[] as readonly Removed[]) {
      this.#run(sql.removeFetch, id);
      for (const bodyId of [body, lastBody]) {
        if (bodyId === null) continue;
        this.#run(sql.dropBody, bodyId);
        this.#run(sql.removeBody, bodyId);
      }
      // Checked for each row: removing an earlier row may have made this row the newest.
      if (this.#first(sql.getLatest, origin)?.[0] === id) this.#succeed(origin);
    }
    return rows.length;
  }

  #statement(text: string): ReturnType<typeof sql.prepare> {
    let statement = this.#statements.get(text);
    if (statement === undefined) this.#statements.set(text, (statement = sql.prepare(this.#database, text)));
    return statement;
  }

  #all(text: string, ...values: SQLInputValue[]): readonly sql.Row[] {
    return sql.allRows(this.#statement(text), ...values);
  }

  #first(text: string, ...values: SQLInputValue[]): sql.Row | undefined {
    return sql.firstRow(this.#statement(text), ...values);
  }

  /** Executes a statement without rows; returns the id of the row that it inserted. */
  #run(text: string, ...values: SQLInputValue[]): number | bigint {
    return this.#statement(text).run(...values).lastInsertRowid;
  }
}

/** Whether these packed bytes contain the body. An earlier version may have packed it differently. */
function isSamePacked(kept: Uint8Array, { size, packed }: PackedBody): boolean {
  // In a damaged row, the column may contain a value of any type.
  if (!(kept instanceof Uint8Array)) return false;
  if (Buffer.compare(kept, packed) === 0) return true;
  const bytes = unpackedOf(kept, size);
  return bytes !== undefined && Buffer.compare(packedOf(bytes), packed) === 0;
}
