// Packed entries in, rows written and read: the statements of the embedded store, all of them within the caller's transaction.
import type { DatabaseSync } from "node:sqlite";
import type { StoredRobots } from "../types.ts";
import { pageBytes } from "./sqlite-open.ts";
import { type FetchRow, type PackedBody, type PackedEntry, entryOfRow } from "./sqlite-rows.ts";

/** The statements of one open database. */
export interface Table {
  /** The newest entry of an origin. */
  get(origin: string): StoredRobots | undefined;
  /** The newest first, from `beforeId` on; broken rows are left out. */
  history(origin: string, limit: number): readonly StoredRobots[];
  /** The newest one of those fetched at `atMs` or before. */
  at(origin: string, atMs: number): StoredRobots | undefined;
  /** Rows after `afterId` in the order they were written, and the id to go on from; undefined after the last one. */
  page(
    afterId: number,
    limit: number,
  ): { readonly entries: readonly StoredRobots[]; readonly lastId: number } | undefined;
  /** Names of origins after `after`, in order. */
  origins(after: string, limit: number): readonly string[];
  /** Adds a row. It becomes the origin's newest; with `isOld` only if none that was fetched later is there. */
  add(packed: PackedEntry, isOld: boolean): void;
  /** Whether a row of this origin and time is there that has the same checksum. */
  has(packed: PackedEntry): boolean;
  /** Removes the rows with the lowest ids, at most `limit`; gives how many. */
  removeOldest(limit: number): number;
  /** Removes rows of an origin, at most `limit`; gives how many. */
  removeOrigin(origin: string, limit: number): number;
  /** Removes rows fetched before `beforeMs`, at most `limit` of those with an id above `afterId`. */
  removeBefore(beforeMs: number, limit: number): number;
  /** Removes rows that are not their origin's newest, at most `limit`. */
  removeSuperseded(limit: number): number;
  count(): { readonly fetches: number; readonly origins: number; readonly bodies: number };
  /** Bytes of the pages in use, and of the whole file. */
  usedBytes(): { readonly used: number; readonly file: number };
  /** Gives pages that are free back to the file system, at most so many bytes. */
  shrink(bytes: number): void;
}

const selected =
  "SELECT f.id, o.origin, f.fetched_at, f.fresh_until, f.access, f.code, f.status, f.rest, f.checksum, " +
  "b.size, b.packed, l.size AS last_size, l.packed AS last_packed FROM ";
const joined = " LEFT JOIN bodies b ON b.id = f.body LEFT JOIN bodies l ON l.id = f.last_body ";

/** The row that is removed, as far as removing needs it. */
interface Removed {
  readonly id: number;
  readonly origin: number;
  readonly body: number | null;
  readonly last_body: number | null;
}

/** Prepares the statements. */
export function createTable(database: DatabaseSync): Table {
  const prepare = (sql: string): ReturnType<DatabaseSync["prepare"]> => database.prepare(sql);
  const getNewest = prepare(
    `${selected} origins o JOIN fetches f ON f.id = o.latest AND f.origin = o.id ${joined} WHERE o.origin = ?`,
  );
  const ofOrigin = `${selected} origins o JOIN fetches f ON f.origin = o.id ${joined} WHERE o.origin = ?`;
  const getHistory = prepare(`${ofOrigin} ORDER BY f.fetched_at DESC, f.id DESC LIMIT ?`);
  const getAt = prepare(`${ofOrigin} AND f.fetched_at <= ? ORDER BY f.fetched_at DESC, f.id DESC LIMIT 1`);
  const getPage = prepare(
    `${selected} fetches f JOIN origins o ON o.id = f.origin ${joined} WHERE f.id > ? ORDER BY f.id LIMIT ?`,
  );
  const getOrigins = prepare("SELECT origin FROM origins WHERE origin > ? ORDER BY origin LIMIT ?");
  const getOrigin = prepare("SELECT id, latest FROM origins WHERE origin = ?");
  const addOrigin = prepare("INSERT INTO origins (origin, latest) VALUES (?, 0)");
  const addFetch = prepare(
    "INSERT INTO fetches (origin, fetched_at, fresh_until, access, code, status, body, last_body, rest, checksum) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const setLatest = prepare("UPDATE origins SET latest = ? WHERE id = ?");
  const getTime = prepare("SELECT fetched_at FROM fetches WHERE id = ?");
  const getBodies = prepare("SELECT id, hash FROM bodies WHERE key = ?");
  const addBody = prepare("INSERT INTO bodies (key, size, hash, packed) VALUES (?, ?, ?, ?)");
  const getSame = prepare(
    "SELECT 1 FROM origins o JOIN fetches f ON f.origin = o.id WHERE o.origin = ? AND f.fetched_at = ? AND f.checksum = ?",
  );
  const removable = "SELECT f.id, f.origin, f.body, f.last_body FROM fetches f ";
  const getOldest = prepare(`${removable} ORDER BY f.id LIMIT ?`);
  const getOfOrigin = prepare(`${removable} JOIN origins o ON o.id = f.origin WHERE o.origin = ? LIMIT ?`);
  const getBefore = prepare(`${removable} WHERE f.fetched_at < ? ORDER BY f.id LIMIT ?`);
  const getSuperseded = prepare(
    `${removable} JOIN origins o ON o.id = f.origin WHERE o.latest <> f.id ORDER BY f.id LIMIT ?`,
  );
  const removeFetch = prepare("DELETE FROM fetches WHERE id = ?");
  const removeBody = prepare(
    "DELETE FROM bodies WHERE id = ? AND NOT EXISTS (SELECT 1 FROM fetches WHERE body = bodies.id) " +
      "AND NOT EXISTS (SELECT 1 FROM fetches WHERE last_body = bodies.id)",
  );
  const moveLatest = prepare(
    "UPDATE origins SET latest = (SELECT id FROM fetches WHERE origin = origins.id ORDER BY fetched_at DESC, id DESC LIMIT 1) " +
      "WHERE id = ? AND latest = ? AND EXISTS (SELECT 1 FROM fetches WHERE origin = origins.id)",
  );
  const removeOriginRow = prepare(
    "DELETE FROM origins WHERE id = ? AND NOT EXISTS (SELECT 1 FROM fetches WHERE origin = origins.id)",
  );
  const counts = prepare(
    "SELECT (SELECT count(*) FROM fetches) AS fetches, (SELECT count(*) FROM origins) AS origins, " +
      "(SELECT count(*) FROM bodies) AS bodies",
  );
  const pages = prepare(
    "SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count, pragma_freelist_count",
  );

  function bodyIdOf(body: PackedBody | undefined): number | bigint | null {
    if (body === undefined) return null;
    for (const row of getBodies.all(body.key)) {
      if (Buffer.compare(row["hash"] as Uint8Array, body.hash) === 0) return row["id"] as number;
    }
    return addBody.run(body.key, body.size, body.hash, body.packed).lastInsertRowid;
  }

  function removeAll(rows: readonly unknown[]): number {
    for (const { id, origin, body, last_body: lastBody } of rows as readonly Removed[]) {
      removeFetch.run(id);
      if (body !== null) removeBody.run(body);
      if (lastBody !== null && lastBody !== body) removeBody.run(lastBody);
      // Only where the row was the newest is there something left to do.
      moveLatest.run(origin, id);
      removeOriginRow.run(origin);
    }
    return rows.length;
  }

  return {
    get: (origin) => entryOf(getNewest.get(origin)),
    history: (origin, limit) => entriesOf(getHistory.all(origin, limit)),
    at: (origin, atMs) => entryOf(getAt.get(origin, atMs)),
    page(afterId, limit) {
      const rows = getPage.all(afterId, limit);
      const last = rows.at(-1);
      return last === undefined ? undefined : { entries: entriesOf(rows), lastId: last["id"] as number };
    },
    origins: (after, limit) => getOrigins.all(after, limit).map(({ origin }) => origin as string),
    add({ entry, access, rest, checksum, body, lastBody }, isOld) {
      const known = getOrigin.get(entry.origin);
      const origin = (known?.["id"] as number | undefined) ?? addOrigin.run(entry.origin).lastInsertRowid;
      const { lastInsertRowid: id } = addFetch.run(
        origin,
        entry.fetchedAt,
        entry.freshUntil,
        access,
        entry.code,
        entry.status ?? null,
        bodyIdOf(body),
        bodyIdOf(lastBody),
        rest,
        checksum,
      );
      const newest = known === undefined ? undefined : getTime.get(known["latest"] as number);
      if (isOld && newest !== undefined && (newest["fetched_at"] as number) > entry.fetchedAt) return;
      setLatest.run(id, origin);
    },
    has: ({ entry: { origin, fetchedAt }, checksum }) => getSame.get(origin, fetchedAt, checksum) !== undefined,
    removeOldest: (limit) => removeAll(getOldest.all(limit)),
    removeOrigin: (origin, limit) => removeAll(getOfOrigin.all(origin, limit)),
    removeBefore: (beforeMs, limit) => removeAll(getBefore.all(beforeMs, limit)),
    removeSuperseded: (limit) => removeAll(getSuperseded.all(limit)),
    count: () => counts.get() as { readonly fetches: number; readonly origins: number; readonly bodies: number },
    usedBytes() {
      const { pages: all, free } = pages.get() as { readonly pages: number; readonly free: number };
      return { used: (all - free) * pageBytes, file: all * pageBytes };
    },
    // Each step of it frees one page.
    shrink: (bytes) => void database.prepare(`PRAGMA incremental_vacuum(${Math.ceil(bytes / pageBytes)})`).all(),
  };
}

function entryOf(row: unknown): StoredRobots | undefined {
  return row === undefined ? undefined : entryOfRow(row as FetchRow);
}

function entriesOf(rows: readonly unknown[]): readonly StoredRobots[] {
  return rows.map(entryOf).filter((entry) => entry !== undefined);
}
