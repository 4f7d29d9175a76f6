// Packed entries in, rows written and read: the statements of the embedded store, all of them within the caller's transaction.
import type { DatabaseSync } from "node:sqlite";
import type { StoredRobots } from "../types.ts";
import { packedOf, unpackedOf } from "./pack.ts";
import { pageBytes } from "./sqlite-open.ts";
import { type BodyRow, type FetchRow, type PackedBody, type PackedEntry, entryOfRow, keyOf } from "./sqlite-rows.ts";

/** Some entries, and the id to go on from. */
interface Page {
  readonly entries: readonly StoredRobots[];
  readonly lastId: number;
}

/** The statements of one open database. */
export interface Table {
  /** The newest entry of an origin. */
  get(origin: string): StoredRobots | undefined;
  /** The newest first; broken rows are left out. */
  history(origin: string, limit: number): readonly StoredRobots[];
  /** The newest one of those fetched at `atMs` or before. */
  at(origin: string, atMs: number): StoredRobots | undefined;
  /** Rows after `afterId` in the order they were written, and the id to go on from; undefined after the last one. */
  page(afterId: number, limit: number): Page | undefined;
  /** The newest entries of origins after `afterId` in the order they first came, as `page` gives them. */
  newest(afterId: number, limit: number): Page | undefined;
  /** Adds a row. It becomes the origin's newest; with `isOld` only if none that was fetched later is there. */
  add(packed: PackedEntry, isOld: boolean): void;
  /** Whether a row of this origin and time is there that has the same checksum. */
  has(packed: PackedEntry): boolean;
  /** Removes the rows with the lowest ids, at most `limit`; gives how many. */
  removeOldest(limit: number): number;
  /** Removes rows of an origin, at most `limit`; gives how many. */
  removeOrigin(origin: string, limit: number): number;
  /** Removes rows fetched before `beforeMs`, at most `limit`; gives how many. */
  removeBefore(beforeMs: number, limit: number): number;
  /** Removes rows that are not their origin's newest, at most `limit`; gives how many. */
  removeSuperseded(limit: number): number;
  count(): { readonly fetches: number; readonly origins: number; readonly bodies: number };
  /** Bytes of the pages in use, and of the whole file. */
  usedBytes(): { readonly used: number; readonly file: number };
  /** Gives pages that are free back to the file system, at most so many bytes. */
  shrink(bytes: number): void;
}

/** In the order of `FetchRow`. */
const columns =
  "f.id, o.origin, f.fetched_at, f.fresh_for, f.access, f.code, f.status, f.rest, f.checksum, b.size, b.packed, f.last_body";
const lastBodyAt = 11;
const afterColumns = 12;
const withBody = "LEFT JOIN bodies b ON b.id = f.body";
const isOrigin = "o.key = ? AND o.origin = ?";
// Two places say which fetch is the newest: where a damaged one leads to an older fetch, there is none.
const newest = "origins o JOIN fetches f ON f.id = o.latest AND f.origin = o.id AND f.superseded IS NULL";
const older = "origins o JOIN fetches f ON f.origin = o.id AND f.superseded = 1";

/** All rows of an origin; its key and name are asked for twice. */
const allOf = (what: string): string =>
  `SELECT ${what} FROM ${newest} ${withBody} WHERE ${isOrigin} UNION ALL ` +
  `SELECT ${what} FROM ${older} ${withBody} WHERE ${isOrigin}`;

/** The row that is removed, as far as removing needs it. */
interface Removed {
  readonly id: number;
  readonly origin: number;
  readonly body: number | null;
  readonly last_body: number | null;
}

/** Whether a body is the one that is kept so. An earlier version may have packed it otherwise. */
function isSamePacked(kept: Uint8Array, { size, packed }: PackedBody): boolean {
  if (Buffer.compare(kept, packed) === 0) return true;
  const bytes = unpackedOf(kept, size);
  return bytes !== undefined && Buffer.compare(packedOf(bytes), packed) === 0;
}

/** Prepares the statements. */
export function createTable(database: DatabaseSync): Table {
  const prepare = (sql: string): ReturnType<DatabaseSync["prepare"]> => database.prepare(sql);
  /** Rows as arrays: half of what a row costs as an object are its names. */
  const prepareRows = (sql: string): ReturnType<DatabaseSync["prepare"]> => {
    const statement = prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const getNewest = prepareRows(`SELECT ${columns} FROM ${newest} ${withBody} WHERE ${isOrigin}`);
  const getKnown = prepareRows(
    `SELECT * FROM (${allOf(columns)}) WHERE fetched_at <= ? ORDER BY fetched_at DESC, id DESC LIMIT ?`,
  );
  const getPage = prepareRows(
    `SELECT ${columns} FROM fetches f JOIN origins o ON o.id = f.origin ${withBody} WHERE f.id > ? ORDER BY f.id LIMIT ?`,
  );
  const getNewestPage = prepareRows(
    `SELECT ${columns}, o.id FROM ${newest} ${withBody} WHERE o.id > ? ORDER BY o.id LIMIT ?`,
  );
  const getBody = prepareRows("SELECT size, packed FROM bodies WHERE id = ?");
  const getOrigin = prepareRows(`SELECT id, latest FROM origins o WHERE ${isOrigin}`);
  // SQLite gives the row that is added next this id.
  const addOrigin = prepare(
    "INSERT INTO origins (key, latest, origin) VALUES (?, (SELECT ifnull(max(id), 0) + 1 FROM fetches), ?)",
  );
  const addFetch = prepare(
    "INSERT INTO fetches (origin, fetched_at, fresh_for, access, code, status, body, last_body, rest, checksum, superseded) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const supersede = prepare("UPDATE fetches SET superseded = 1 WHERE id = ?");
  const restore = prepare("UPDATE fetches SET superseded = NULL WHERE id = ?");
  const setLatest = prepare("UPDATE origins SET latest = ? WHERE id = ?");
  const getTime = prepare("SELECT fetched_at FROM fetches WHERE id = ?");
  const getBodies = prepare("SELECT id, size, packed FROM bodies WHERE key = ?");
  const addBody = prepare("INSERT INTO bodies (key, fetches, size, packed) VALUES (?, 1, ?, ?)");
  const useBody = prepare("UPDATE bodies SET fetches = fetches + 1 WHERE id = ?");
  const dropBody = prepare("UPDATE bodies SET fetches = fetches - 1 WHERE id = ?");
  const getSame = prepare(
    `SELECT 1 FROM (${allOf("f.fetched_at, f.checksum")}) WHERE fetched_at = ? AND checksum = ? LIMIT 1`,
  );
  const removed = "f.id, f.origin, f.body, f.last_body";
  const getOldest = prepare(`SELECT ${removed} FROM fetches f ORDER BY f.id LIMIT ?`);
  const getOfOrigin = prepare(`${allOf(removed)} LIMIT ?`);
  const getBefore = prepare(`SELECT ${removed} FROM fetches f WHERE f.fetched_at < ? ORDER BY f.id LIMIT ?`);
  const getSuperseded = prepare(`SELECT ${removed} FROM fetches f WHERE f.superseded = 1 LIMIT ?`);
  const getLatest = prepare("SELECT latest FROM origins WHERE id = ?");
  const getHeir = prepare(
    "SELECT id FROM fetches WHERE origin = ? AND superseded = 1 ORDER BY fetched_at DESC, id DESC LIMIT 1",
  );
  const removeFetch = prepare("DELETE FROM fetches WHERE id = ?");
  const removeBody = prepare("DELETE FROM bodies WHERE id = ? AND fetches < 1");
  const removeOriginRow = prepare("DELETE FROM origins WHERE id = ?");
  const counts = prepare(
    "SELECT (SELECT count(*) FROM fetches) AS fetches, (SELECT count(*) FROM origins) AS origins, " +
      "(SELECT count(*) FROM bodies) AS bodies",
  );
  const pages = prepare(
    "SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count, pragma_freelist_count",
  );

  function bodyIdOf(body: PackedBody | undefined): number | bigint | null {
    if (body === undefined) return null;
    for (const { id, size, packed } of getBodies.all(body.key)) {
      if (size !== body.size || !isSamePacked(packed as Uint8Array, body)) continue;
      useBody.run(id as number);
      return id as number;
    }
    return addBody.run(body.key, body.size, body.packed).lastInsertRowid;
  }

  /** After an origin's newest row has gone: the one before it is the newest, or the origin goes too. */
  function succeed(origin: number): void {
    const heir = getHeir.get(origin)?.["id"] as number | undefined;
    if (heir === undefined) removeOriginRow.run(origin);
    else {
      restore.run(heir);
      setLatest.run(heir, origin);
    }
  }

  function entryOf(row: unknown): StoredRobots | undefined {
    if (row === undefined) return undefined;
    const fetched = row as FetchRow;
    const lastBody = fetched[lastBodyAt];
    return entryOfRow(
      fetched,
      lastBody === null ? undefined : (getBody.get(lastBody) as unknown as BodyRow | undefined),
    );
  }

  function entriesOf(rows: readonly unknown[]): readonly StoredRobots[] {
    return rows.map(entryOf).filter((entry) => entry !== undefined);
  }

  function pageOf(rows: readonly unknown[], idAt: number): Page | undefined {
    const last = rows.at(-1) as readonly unknown[] | undefined;
    return last === undefined ? undefined : { entries: entriesOf(rows), lastId: last[idAt] as number };
  }

  function known(origin: string, atMs: number, limit: number): readonly StoredRobots[] {
    const key = keyOf(origin);
    return entriesOf(getKnown.all(key, origin, key, origin, atMs, limit));
  }

  function removeAll(rows: readonly unknown[]): number {
    for (const { id, origin, body, last_body: lastBody } of rows as readonly Removed[]) {
      removeFetch.run(id);
      for (const bodyId of [body, lastBody]) {
        if (bodyId === null) continue;
        dropBody.run(bodyId);
        removeBody.run(bodyId);
      }
      // Asked now: a row before it may have made it the newest.
      if (getLatest.get(origin)?.["latest"] === id) succeed(origin);
    }
    return rows.length;
  }

  return {
    get: (origin) => entryOf(getNewest.get(keyOf(origin), origin)),
    history: (origin, limit) => known(origin, Number.MAX_SAFE_INTEGER, limit),
    at: (origin, atMs) => known(origin, atMs, 1)[0],
    page: (afterId, limit) => pageOf(getPage.all(afterId, limit), 0),
    newest: (afterId, limit) => pageOf(getNewestPage.all(afterId, limit), afterColumns),
    add({ entry, key, access, rest, checksum, body, lastBody }, isOld) {
      const found = getOrigin.get(key, entry.origin) as unknown as readonly [id: number, latest: number] | undefined;
      const [origin, latest] = found ?? [addOrigin.run(key, entry.origin).lastInsertRowid];
      const time = isOld && latest !== undefined ? getTime.get(latest) : undefined;
      const isSuperseded = time !== undefined && (time["fetched_at"] as number) > entry.fetchedAt;
      const { lastInsertRowid: id } = addFetch.run(
        origin,
        entry.fetchedAt,
        entry.freshUntil - entry.fetchedAt,
        access,
        entry.code,
        entry.status ?? null,
        bodyIdOf(body),
        bodyIdOf(lastBody),
        rest,
        checksum,
        isSuperseded ? 1 : null,
      );
      if (isSuperseded || latest === undefined) return;
      supersede.run(latest);
      setLatest.run(id, origin);
    },
    has: ({ entry: { origin, fetchedAt }, key, checksum }) =>
      getSame.get(key, origin, key, origin, fetchedAt, checksum) !== undefined,
    removeOldest: (limit) => removeAll(getOldest.all(limit)),
    removeOrigin(origin, limit) {
      const key = keyOf(origin);
      return removeAll(getOfOrigin.all(key, origin, key, origin, limit));
    },
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
