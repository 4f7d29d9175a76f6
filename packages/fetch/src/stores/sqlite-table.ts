// Implements the operations of the embedded store: each reads or writes rows inside the caller's transaction.
import type { DatabaseSync } from "node:sqlite";
import type { StoredRobots } from "../common/types.ts";
import { packedOf, unpackedOf } from "./pack.ts";
import { pageBytes } from "./sqlite-open.ts";
import { type BodyRow, type FetchRow, type PackedBody, type PackedEntry, entryOfRow, keyOf } from "./entry-row.ts";
import {
  type Statements,
  afterColumns,
  allRows,
  firstRow,
  lastBodyAt,
  originAt,
  prepareStatements,
} from "./sqlite-statements.ts";

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
interface Removed {
  readonly id: number;
  readonly origin: number;
  readonly body: number | null;
  readonly last_body: number | null;
}

/** The rows of one open database. */
export class Table {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  #tried = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepareStatements(database);
  }

  /** The newest entry of an origin; undefined if there is none, or if its row is damaged. */
  get(origin: string): StoredRobots | undefined {
    return this.#entryOf(firstRow(this.#statements.getNewest, keyOf(origin), origin));
  }

  /** Whether there is a row of the origin, readable or damaged. */
  knows(origin: string): boolean {
    return firstRow(this.#statements.getOrigin, keyOf(origin), origin) !== undefined;
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
    return this.#pageOf(allRows(this.#statements.getPage, afterId, limit), 0, onDamaged);
  }

  /** The newest entries of origins after `afterId`, in the order of the origins' first entries, as `page` returns them. */
  newest(afterId: number, limit: number, onDamaged?: OnDamaged): Page | undefined {
    return this.#pageOf(allRows(this.#statements.getNewestPage, afterId, limit), afterColumns, onDamaged);
  }

  /**
   * Adds a row and makes it the origin's newest row. With `isOld`, the added row becomes the newest only if the present newest row was not
   * fetched later.
   */
  add({ entry, key, access, rest, checksum, body, lastBody }: PackedEntry, isOld: boolean): void {
    const { getOrigin, addOrigin, getTime, addFetch, supersede, setLatest } = this.#statements;
    const found = firstRow(getOrigin, key, entry.origin) as unknown as
      | readonly [id: number, latest: number]
      | undefined;
    const [origin, latest] = found ?? [addOrigin.run(key, entry.origin).lastInsertRowid];
    const time = isOld && latest !== undefined ? firstRow(getTime, latest) : undefined;
    const isSuperseded = time !== undefined && (time["fetched_at"] as number) > entry.fetchedAt;
    const { lastInsertRowid: id } = addFetch.run(
      origin,
      entry.fetchedAt,
      entry.freshUntil - entry.fetchedAt,
      access,
      entry.code,
      entry.status ?? null,
      this.#bodyIdOf(body),
      this.#bodyIdOf(lastBody),
      rest,
      checksum,
      isSuperseded ? 1 : null,
    );
    if (isSuperseded || latest === undefined) return;
    supersede.run(latest);
    setLatest.run(id, origin);
  }

  /** Whether a row of this origin, time and checksum exists. */
  has({ entry: { origin, fetchedAt }, key, checksum }: PackedEntry): boolean {
    return this.#statements.getSame.get(key, origin, key, origin, fetchedAt, checksum) !== undefined;
  }

  /** Removes the rows with the lowest ids, at most `limit`; returns their number. */
  removeOldest(limit: number): number {
    return this.#removeAll(allRows(this.#statements.getOldest, limit));
  }

  /** Removes rows of an origin, at most `limit`; returns their number. */
  removeOrigin(origin: string, limit: number): number {
    const key = keyOf(origin);
    return this.#removeAll(allRows(this.#statements.getOfOrigin, key, origin, key, origin, limit));
  }

  /** Removes rows fetched before `beforeMs`, at most `limit`; returns their number. */
  removeBefore(beforeMs: number, limit: number): number {
    return this.#removeAll(allRows(this.#statements.getBefore, beforeMs, limit));
  }

  /** Removes rows that are not their origin's newest, at most `limit`; returns their number. */
  removeSuperseded(limit: number): number {
    return this.#removeAll(allRows(this.#statements.getSuperseded, limit));
  }

  count(): Counts {
    return this.#statements.counts.get() as unknown as Counts;
  }

  /** Bytes of the pages in use, and of the whole file. */
  usedBytes(): { readonly used: number; readonly file: number } {
    const { pages, free } = this.#statements.pages.get() as { readonly pages: number; readonly free: number };
    return { used: (pages - free) * pageBytes, file: pages * pageBytes };
  }

  /** Returns free pages to the file system, at most `bytes`. */
  shrink(bytes: number): void {
    // Each step of the statement frees one page.
    this.#database.prepare(`PRAGMA incremental_vacuum(${Math.ceil(bytes / pageBytes)})`).all();
  }

  #bodyIdOf(body: PackedBody | undefined): number | bigint | null {
    if (body === undefined) return null;
    const { getBodies, useBody, addBody } = this.#statements;
    for (const { id, size, packed } of allRows(getBodies, body.key)) {
      if (size !== body.size || !isSamePacked(packed as Uint8Array, body)) continue;
      useBody.run(id as number);
      return id as number;
    }
    return addBody.run(body.key, body.size, body.packed).lastInsertRowid;
  }

  /**
   * Called after an origin's newest row was removed. Makes the row with the latest remaining fetch the newest, or removes the origin if it
   * has no row.
   */
  #succeed(origin: number): void {
    const { getHeir, removeOriginRow, restore, setLatest } = this.#statements;
    const heir = firstRow(getHeir, origin)?.["id"] as number | undefined;
    if (heir === undefined) removeOriginRow.run(origin);
    else {
      restore.run(heir);
      setLatest.run(heir, origin);
    }
  }

  #entryOf(row: unknown): StoredRobots | undefined {
    if (row === undefined) return undefined;
    const fetched = row as FetchRow;
    if (fetched[originAt] === null) return undefined;
    const lastBody = fetched[lastBodyAt];
    const { getBody } = this.#statements;
    const lastBodyRow = lastBody === null ? undefined : (firstRow(getBody, lastBody) as unknown as BodyRow | undefined);
    return entryOfRow(fetched, lastBodyRow);
  }

  #entriesOf(rows: readonly unknown[], onDamaged: OnDamaged | undefined): readonly StoredRobots[] {
    const entries: StoredRobots[] = [];
    for (const row of rows) {
      const entry = this.#entryOf(row);
      if (entry !== undefined) entries.push(entry);
      else if (onDamaged !== undefined) this.#tellDamaged(row as FetchRow, onDamaged);
    }
    return entries;
  }

  /** Damage may have made the row one of another origin, or of none: it is then whole with the name of its own. */
  #tellDamaged(row: FetchRow, onDamaged: OnDamaged): void {
    const isWith = (origin: unknown): boolean => this.#entryOf(row.with(originAt, origin as string)) !== undefined;
    const named: unknown = row[originAt];
    const shown = typeof named === "string" ? named : "an unknown origin";
    for (const [origin] of this.#statements.getOrigins.iterate() as Iterable<unknown> as Iterable<readonly [unknown]>) {
      if (++this.#tried > mostTried) return onDamaged(shown, false);
      if (isWith(origin)) return onDamaged(String(origin), true);
    }
    onDamaged(shown, shown === named);
  }

  #pageOf(rows: readonly unknown[], idAt: number, onDamaged: OnDamaged | undefined): Page | undefined {
    const last = rows.at(-1) as readonly unknown[] | undefined;
    return last === undefined ? undefined : { entries: this.#entriesOf(rows, onDamaged), lastId: last[idAt] as number };
  }

  #known(origin: string, atMs: number, limit: number, onDamaged?: OnDamaged): readonly StoredRobots[] {
    const key = keyOf(origin);
    return this.#entriesOf(allRows(this.#statements.getKnown, key, origin, key, origin, atMs, limit), onDamaged);
  }

  #removeAll(rows: readonly unknown[]): number {
    const { removeFetch, dropBody, removeBody, getLatest } = this.#statements;
    for (const { id, origin, body, last_body: lastBody } of rows as readonly Removed[]) {
      removeFetch.run(id);
      for (const bodyId of [body, lastBody]) {
        if (bodyId === null) continue;
        dropBody.run(bodyId);
        removeBody.run(bodyId);
      }
      // Checked for each row: removing an earlier row may have made this row the newest.
      if (firstRow(getLatest, origin)?.["latest"] === id) this.#succeed(origin);
    }
    return rows.length;
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
