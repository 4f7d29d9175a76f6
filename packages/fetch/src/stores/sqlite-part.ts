// Writes and reads a part of a snapshot: a SQLite file that is written once, and never changes afterwards.
import crypto from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { parseTarget } from "@robots-stream/url";
import { StoreError } from "../common/errors.ts";
import type { StoredRobots } from "../common/types.ts";
import { closeQuietly, createPart, openToRead, storeErrorOf, withStoreErrors } from "./sqlite-open.ts";
import {
  type BodyRow,
  entryOfRow,
  type FetchRow,
  keyOf,
  type PackedBody,
  type PackedEntry,
  packedEntryOf,
} from "./entry-row.ts";
import { type Row, allRows, firstRow, pagesOf, prepare } from "./sqlite-statements.ts";

/** What a part says of itself, besides its rows. */
export interface PartFacts {
  /** From 1. */
  readonly number: number;
  readonly parts: number;
  readonly entries: number;
  /** SHA-256 of the content, in hexadecimal digits. It does not depend on the order in which entries of different times were added. */
  readonly digest: string;
}

/** A part that is being written. */
export interface PartWriter {
  /** Number of origins and of entries so far. An entry that was added twice counts once. */
  readonly origins: number;
  readonly entries: number;
  /**
   * Adds an entry, and returns true; false for an entry of more than `mostEntryBytes`. Of entries with the latest time, the one that was added
   * last is the newest. Throws a `StoreError`.
   */
  add(entry: StoredRobots): boolean;
  /** Ends the content of the file, and returns its facts. Throws a `StoreError`. */
  finish(number: number, parts: number): PartFacts;
  /** Closes the file. Idempotent. */
  close(): void;
}

/** A part that is open for reading. */
export interface PartReader {
  readonly facts: PartFacts;
  /** The newest entry of an origin; undefined if there is none. Throws a `StoreError` for damage. */
  get(origin: string): StoredRobots | undefined;
  /** Every entry of an origin, and the number of its damaged rows. Throws a `StoreError` for a damaged index. */
  entriesOf(origin: string): { readonly entries: readonly StoredRobots[]; readonly damaged: number };
  /**
   * The origins whose robots.txt redirected to a target of `origin` other than /robots.txt, and perhaps others, whose keys are equal. Throws a
   * `StoreError` for damage.
   */
  redirectingTo(origin: string): readonly string[];
  /** Every entry in batches, or only the newest entry of each origin, and the origins of damaged rows. */
  entries(
    only?: "newest",
  ): Generator<{ readonly entries: readonly StoredRobots[]; readonly damaged: readonly string[] }>;
  /** Closes the file. Idempotent. */
  close(): void;
}

/** Size of the largest entry, packed: enough for two robots.txt files of the largest size that a run reads. */
const mostEntryBytes = 64 * 1_048_576;

/** Bytes that compressing a body must save. */
const leastSaved = 256;

/** Entries read at once. */
const pageEntries = 200;

/** The columns of a row. */
const columns =
  "id, origin, fetched_at, fresh_for, access, code, status, rest, checksum, size, packed, last_size, last_packed";
const originAt = 1;
const lastSizeAt = 11;

/**
 * A number that a change of any entry of the index changes. A look-up in a damaged index could find nothing although there is an entry; see
 * `checkIndex`.
 */
const keySum =
  "SELECT ifnull(sum((key * 31 + older * 7 + id * 17) % 1000003), 0) AS keys FROM entries INDEXED BY entries_by_key " +
  "WHERE key IS NOT NULL";

/** SHA-256 of the redirects: a look-up in a damaged table could find too few. */
function redirectsDigestOf(database: DatabaseSync): string {
  const hash = crypto.createHash("sha256");
  const rows = database.prepare("SELECT to_key AS key, origin FROM redirects ORDER BY to_key, origin").iterate();
  for (const { key, origin } of rows) hash.update(`${String(key)} ${String(origin)}\n`);
  return hash.digest("hex");
}

/** Makes a part in the empty file at `path`. `cacheBytes` limits the memory for its pages. Throws a `StoreError`. */
export function createPartWriter(path: string, cacheBytes: number): PartWriter {
  const database = createPart(path, cacheBytes);
  const find = database.prepare("SELECT id, fetched_at AS at FROM entries WHERE key = ? AND older = 0 AND origin = ?");
  const findSame = database.prepare(
    "SELECT 1 FROM entries WHERE key = ? AND origin = ? AND fetched_at = ? AND checksum = ?",
  );
  const insert = database.prepare(
    "INSERT INTO entries (key, older, newest, origin, fetched_at, fresh_for, access, code, status, rest, checksum, size, packed, " +
      "last_size, last_packed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const supersede = database.prepare("UPDATE entries SET older = 1, newest = NULL WHERE id = ?");
  const insertRedirect = database.prepare("INSERT OR IGNORE INTO redirects (to_key, origin) VALUES (?, ?)");
  const digest = new Uint32Array(8);
  let [origins, entries] = [0, 0];
  const addPacked = (packed: PackedEntry): void => {
    const { entry, key, row, body, lastBody } = packed;
    const [origin, fetchedAt, , access, code, status, rest, checksum] = row;
    const newest = find.get(key, origin) as { readonly id: number; readonly at: number } | undefined;
    if (newest !== undefined && findSame.get(key, origin, fetchedAt, checksum) !== undefined) return;
    const older = newest !== undefined && newest.at > fetchedAt ? 1 : 0;
    insert.run(key, older, older === 0 ? 1 : null, ...row, ...columnsOf(body), ...columnsOf(lastBody));
    if (newest !== undefined && older === 0) supersede.run(newest.id);
    for (const { url } of entry.hops.slice(1)) {
      const to = parseTarget(url);
      if (to !== undefined && to.target !== "/robots.txt") insertRedirect.run(keyOf(to.origin), origin);
    }
    if (newest === undefined) origins++;
    entries++;
    const text = [origin, fetchedAt, entry.freshUntil, access, code, status, rest, entry.body?.length];
    addTo(digest, JSON.stringify(text), entry.body, entry.lastCopy?.body);
    // Of equal times, the order decides which entry is the newest.
    if (newest?.at === fetchedAt) addTo(digest, JSON.stringify([origin, fetchedAt, checksum]));
  };
  return {
    get origins() {
      return origins;
    },
    get entries() {
      return entries;
    },
    add(entry) {
      const packed = packedEntryOf(entry, leastSaved);
      if (packed.bytes > mostEntryBytes) return false;
      withStoreErrors(() => addPacked(packed));
      return true;
    },
    finish(number, parts) {
      const sum = crypto.createHash("sha256").update(digest).digest("hex");
      withStoreErrors(() => {
        const { keys } = database.prepare(keySum).get() as { readonly keys: number };
        const addFacts = "INSERT INTO part (number, parts, entries, keys, redirects, digest) VALUES (?, ?, ?, ?, ?, ?)";
        database.prepare(addFacts).run(number, parts, entries, keys, redirectsDigestOf(database), sum);
        database.exec("COMMIT");
      });
      return { number, parts, entries, digest: sum };
    },
    close: () => closeQuietly(database),
  };
}

function columnsOf(body: PackedBody | undefined): BodyRow {
  return body === undefined ? [null, null] : [body.size, body.packed];
}

/** Adds the SHA-256 of the values to the sum: the order of additions does not change it. */
function addTo(sum: Uint32Array, text: string, ...bodies: readonly (Uint8Array | undefined)[]): void {
  const hash = crypto.createHash("sha256").update(text);
  for (const body of bodies) if (body !== undefined) hash.update(body);
  const bytes = hash.digest();
  for (let at = 0; at < sum.length; at++) sum[at]! += bytes.readUInt32LE(at * 4);
}

/**
 * Opens the part in the file at `path`. `cacheBytes` limits the memory for its pages. No statement waits, because nobody changes the file.
 * Throws a `StoreError`.
 */
export function openPartReader(path: string, cacheBytes: number): PartReader {
  const database = openToRead(path, { isImmutable: true, isPart: true });
  try {
    database.exec(`PRAGMA cache_size = ${-Math.ceil(cacheBytes / 1_024)}`);
    return readerOf(database);
  } catch (error) {
    closeQuietly(database);
    throw storeErrorOf(error);
  }
}

function readerOf(database: DatabaseSync): PartReader {
  const statementOf = (sql: string): ReturnType<typeof prepare> => prepare(database, sql);
  const getNewest = statementOf(
    `SELECT ${columns} FROM entries WHERE key = ? AND older = 0 AND newest = 1 AND origin = ? LIMIT 2`,
  );
  const getAll = statementOf(`SELECT ${columns} FROM entries WHERE key = ?`);
  const countRows = statementOf("SELECT count(*) FROM entries INDEXED BY entries_by_key WHERE key = ?");
  const getPage = statementOf(`SELECT ${columns} FROM entries WHERE id > ? ORDER BY id LIMIT ?`);
  const getNewestPage = statementOf(`SELECT ${columns} FROM entries WHERE id > ? AND newest = 1 ORDER BY id LIMIT ?`);
  const getRedirects = statementOf("SELECT origin FROM redirects WHERE to_key = ?");
  const { keys, redirects, ...facts } = (database
    .prepare("SELECT number, parts, entries, keys, redirects, digest FROM part")
    .get() ?? {}) as unknown as PartFacts & { readonly keys: number; readonly redirects: string };
  let isIndexChecked = false;
  let areRedirectsChecked = false;
  /** Reads the index through, the first time: entries that look-ups do not find are certainly missing. */
  const checkIndex = (): void => {
    if (isIndexChecked) return;
    if (database.prepare(keySum).get()!["keys"] !== keys)
      throw new StoreError("ERR_STORE_DAMAGED", "the checksum of its index does not match");
    isIndexChecked = true;
  };
  /** The rows of a key. Each one that the index names is found: look-ups in a damaged index could find too few. */
  const rowsOf = (key: number): readonly Row[] => {
    checkIndex();
    const rows = allRows(getAll, key);
    if (rows.length !== firstRow(countRows, key)?.[0]) fail();
    return rows;
  };
  /** As `PartReader.entriesOf`. Damage may have changed the origin of a row, or may have led to a row of another key. */
  const entriesOf = (origin: string): ReturnType<PartReader["entriesOf"]> => {
    const key = keyOf(origin);
    const read = rowsOf(key).map((row) => entryOf(row));
    const entries = read.filter((entry) => entry !== undefined);
    if (entries.some((entry) => entry.origin !== origin && keyOf(entry.origin) !== key)) fail();
    return { entries: entries.filter((entry) => entry.origin === origin), damaged: read.length - entries.length };
  };
  return {
    facts,
    get: (origin) =>
      withStoreErrors(() => {
        const [row, other] = allRows(getNewest, keyOf(origin), origin);
        if (row !== undefined && other === undefined) return entryOf(row) ?? fail();
        // Of several entries, none is certainly the newest. A damaged row of the key may have been the origin's.
        const { entries, damaged } = entriesOf(origin);
        if (entries.length > 0 || damaged > 0) fail();
        return undefined;
      }),
    entriesOf: (origin) => withStoreErrors(() => entriesOf(origin)),
    redirectingTo: (origin) =>
      withStoreErrors(() => {
        if (!areRedirectsChecked && redirectsDigestOf(database) !== redirects)
          throw new StoreError("ERR_STORE_DAMAGED", "the checksum of its redirects does not match");
        areRedirectsChecked = true;
        return allRows(getRedirects, keyOf(origin)).map(([from]) => from as string);
      }),
    *entries(only) {
      const page = only === "newest" ? getNewestPage : getPage;
      const pages = pagesOf((after) => {
        const rows = withStoreErrors(() => allRows(page, after, pageEntries));
        const lastId = rows.at(-1)?.[0] as number | undefined;
        return lastId === undefined ? undefined : { lastId, rows };
      });
      for (const { rows } of pages) {
        const read = rows.map((row) => entryOf(row) ?? String(row[originAt]));
        yield {
          entries: read.filter((each) => typeof each !== "string"),
          damaged: read.filter((each) => typeof each === "string"),
        };
      }
    },
    close: () => closeQuietly(database),
  };
}

function entryOf(row: Row): StoredRobots | undefined {
  const hasLast = row[lastSizeAt] !== null;
  return entryOfRow(row as unknown as FetchRow, hasLast ? (row.slice(lastSizeAt) as unknown as BodyRow) : undefined);
}

function fail(): never {
  throw new StoreError("ERR_STORE_DAMAGED", "the checksum of an entry does not match its content");
}
