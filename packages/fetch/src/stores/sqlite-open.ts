// Opens the database of the embedded store, for use by several processes, or throws a StoreError.
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { DatabaseSync } from "node:sqlite";
import { StoreError, type StoreErrorCode } from "../common/errors.ts";

/** "Robo": distinguishes a store from other SQLite databases. */
const applicationId = 0x526f_626f;

/** Increased with every change of `schema` or of the content of its columns. */
const schemaVersion = 3;

/** Size of a page. With compressed bodies of 2 KB, a fortieth of each page stays unused. */
export const pageBytes = 16_384;

/** Size of a page of a part: most look-ups read another page than the look-up before. */
const partPageBytes = 4_096;

// One row per fetch. Each body is stored once, with the number of rows that use it. An origin refers to its newest fetch; an index finds
// its other fetches. Origins and bodies are indexed by 32 bits of their hash: an index of numbers is a quarter as large as an index of
// texts.
const schema: Readonly<Record<string, string>> = {
  origins:
    "CREATE TABLE origins (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, latest INTEGER NOT NULL, origin TEXT NOT NULL)",
  fetches:
    "CREATE TABLE fetches (id INTEGER PRIMARY KEY, origin INTEGER NOT NULL, fetched_at INTEGER NOT NULL, " +
    "fresh_for INTEGER NOT NULL, access INTEGER NOT NULL, code TEXT NOT NULL, status INTEGER, body INTEGER, " +
    "last_body INTEGER, checksum INTEGER NOT NULL, superseded INTEGER, rest TEXT)",
  bodies:
    "CREATE TABLE bodies (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, fetches INTEGER NOT NULL, " +
    "size INTEGER NOT NULL, packed BLOB NOT NULL)",
  origins_by_key: "CREATE INDEX origins_by_key ON origins (key)",
  superseded: "CREATE INDEX superseded ON fetches (origin, fetched_at) WHERE superseded = 1",
  bodies_by_key: "CREATE INDEX bodies_by_key ON bodies (key)",
};

// The tables of a part of a snapshot, which nobody changes after it was written. A look-up descends the index and the table of entries, and
// no more: a part is read once for each of many origins. `redirects` has, by the origin to which a robots.txt redirected, its own origin. Of the entries of an origin, one has `older` 0, the newest. Only that entry has
// `newest` 1: the index has `older` alone, so that damage to either is noticed. `part` has one row.
const partSchema: Readonly<Record<string, string>> = {
  entries:
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, older INTEGER NOT NULL, newest INTEGER, origin TEXT NOT NULL, " +
    "fetched_at INTEGER NOT NULL, fresh_for INTEGER NOT NULL, access INTEGER NOT NULL, code TEXT NOT NULL, status INTEGER, " +
    "checksum INTEGER NOT NULL, rest TEXT, size INTEGER, packed BLOB, last_size INTEGER, last_packed BLOB)",
  part:
    "CREATE TABLE part (number INTEGER NOT NULL, parts INTEGER NOT NULL, entries INTEGER NOT NULL, " +
    "keys INTEGER NOT NULL, redirects TEXT NOT NULL, digest TEXT NOT NULL)",
  redirects:
    "CREATE TABLE redirects (to_key INTEGER NOT NULL, origin TEXT NOT NULL, PRIMARY KEY (to_key, origin)) WITHOUT ROWID",
  entries_by_key: "CREATE INDEX entries_by_key ON entries (key, older)",
};

/** Timeout of opening while other processes open the file too, or recover it after a crash. */
const openWaitMs = 5_000;
/** Pause between two attempts to open. */
const openPauseMs = 20;
/** How long one attempt to begin a transaction may block this process; a failed attempt is repeated later. */
const blockMs = 20;

/**
 * Opens or creates the store at `path`. Folders that this function creates get mode 0700, and a new file gets mode 0600. `walBytes` is the
 * size at which SQLite writes the write-ahead log back to the file. With `onOlder`, a store of an earlier version is emptied and `onOlder`
 * is called; without it, such a store is an error. Throws a `StoreError`.
 */
export function openDatabase(path: string, walBytes: number, onOlder?: () => void): DatabaseSync {
  makeFile(path);
  const giveUpAt = performance.now() + openWaitMs;
  for (;;) {
    try {
      return openOnce(path, walBytes, giveUpAt, onOlder);
    } catch (error) {
      // SQLite reports some locks at once, without waiting: those of a connection that switches to WAL or recovers the log.
      if (storeErrorOf(error).code !== "ERR_STORE_BUSY" || performance.now() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openPauseMs);
    }
  }
}

export interface ReadingOptions {
  /** Whether nobody changes the file while it is open: SQLite then reads it without locks, and reads no log beside it. */
  readonly isImmutable: boolean;
  /** Whether the file is a part of a snapshot. */
  readonly isPart: boolean;
}

/** Opens the store at `path` only for reading. Throws a `StoreError` when the file is not a store, or a part, of this version. */
export function openToRead(path: string, { isImmutable, isPart }: ReadingOptions): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "ro");
  if (isImmutable) url.searchParams.set("immutable", "1");
  return openWith(url, { readOnly: true, timeout: openWaitMs }, (database) => {
    database.exec(distrust);
    if (pragmaOf(database, "application_id") === 0 && objectsOf(database).length === 0) {
      throw new StoreError("ERR_STORE_SCHEMA", "it is an empty database");
    }
    checkHead(database, false);
    checkSchema(database, isPart ? partSchema : schema);
  });
}

/**
 * Makes the tables of a part of a snapshot in the empty file at `path`, for one writer without readers: a transaction is open, nothing is
 * written before its end but pages beyond `cacheBytes`, and a file whose writer does not finish is worthless. Throws a `StoreError`.
 */
export function createPart(path: string, cacheBytes: number): DatabaseSync {
  return openWith(path, {}, (database) => {
    database.exec(`PRAGMA page_size = ${partPageBytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF`);
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = ${-Math.ceil(cacheBytes / 1_024)}; BEGIN`);
    for (const statement of Object.values(partSchema)) database.exec(statement);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
  });
}

/** One attempt to open. Waits for locks until `giveUpAt`, a time of `performance.now()`. */
function openOnce(path: string, walBytes: number, giveUpAt: number, onOlder: (() => void) | undefined): DatabaseSync {
  const timeout = Math.max(blockMs, Math.ceil(giveUpAt - performance.now()));
  return openWith(path, { timeout }, (database) => {
    database.exec(distrust);
    database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL`);
    // Reads the file's header, and throws when the file is not a database. The reads are in one transaction, because another process may
    // create its tables between two statements.
    database.exec("BEGIN");
    checkHead(database, onOlder !== undefined);
    database.exec("COMMIT");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${walBytes}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${Math.max(16, Math.floor(walBytes / pageBytes))}`);
    if (makeSchema(database, onOlder !== undefined)) onOlder?.();
    checkSchema(database, schema);
    database.exec(`PRAGMA busy_timeout = ${blockMs}`);
  });
}

/** The file's content is untrusted data; damaged cells are found before they are read. */
const distrust = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0";

/** Opens a database and prepares it. Throws a `StoreError`, and closes the database, when that fails. */
function openWith(
  place: string | URL,
  options: { readonly readOnly?: boolean; readonly timeout?: number },
  prepare: (database: DatabaseSync) => void,
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new (sqliteModule().DatabaseSync)(place, options);
    prepare(database);
    return database;
  } catch (error) {
    closeQuietly(database);
    throw storeErrorOf(error);
  }
}

/** `node:sqlite`, loaded without the warning that Node 22 then writes to stderr. */
export function sqliteModule(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Creates the file when it is missing. Throws a `StoreError` when it is not a regular file of this user. */
function makeFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    makeUnlessThere(path);
    for (const each of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) checkFile(each);
    checkJournal(`${path}-journal`);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
    throw new StoreError(isFull ? "ERR_STORE_FULL" : "ERR_STORE_ACCESS", (error as Error).message, { cause: error });
  }
}

function makeUnlessThere(path: string): void {
  // An existing file is never opened: a process that closes a second descriptor of a file loses the locks that it holds on the file.
  if (lstatOf(path) !== undefined) return;
  try {
    // SQLite would create the file with a mode that depends on the umask.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function checkFile(path: string): void {
  const stats = lstatOf(path);
  if (stats === undefined) return;
  if (!stats.isFile()) throw new StoreError("ERR_STORE_ACCESS", `${path} is not a regular file`);
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && stats.uid !== uid) {
    throw new StoreError("ERR_STORE_ACCESS", `${path} belongs to another user`);
  }
}

/** The last bytes of a rollback journal with a super-journal (https://sqlite.org/fileformat.html#the_rollback_journal). */
const superJournalMagic = Buffer.from("d9d505f920a163d7", "hex");

/**
 * Throws for a journal that names a super-journal. Some versions of SQLite delete the named file, in any folder, after they rolled the
 * journal back. This store never writes such a journal, because it attaches no second database.
 */
function checkJournal(path: string): void {
  const end = Buffer.alloc(superJournalMagic.length);
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    // Usually there is no journal; or another process has deleted its journal after creating the tables.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    const start = fstatSync(file).size - end.length;
    if (start >= 0) readSync(file, end, 0, end.length, start);
  } finally {
    closeSync(file);
  }
  if (end.equals(superJournalMagic)) throw new StoreError("ERR_STORE_ACCESS", `${path} names another file`);
}

function lstatOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function pragmaOf(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/**
 * Throws unless the file is empty, a store of this version, or a store of an earlier version that may be emptied. Returns whether
 * the store is of an earlier version.
 */
function checkHead(database: DatabaseSync, mayBeOlder: boolean): boolean {
  const id = pragmaOf(database, "application_id");
  const version = pragmaOf(database, "user_version");
  if (id === applicationId && version === schemaVersion) return false;
  if (id === applicationId && version > 0 && version < schemaVersion && mayBeOlder) return true;
  if (id === 0 && version === 0 && objectsOf(database).length === 0) return false;
  if (id !== applicationId) throw new StoreError("ERR_STORE_SCHEMA", "it is a database of another program");
  const age = version > schemaVersion ? "a newer" : "an older";
  throw new StoreError("ERR_STORE_SCHEMA", `${age} version wrote it (${version}, this one needs ${schemaVersion})`);
}

/** Creates missing tables; returns whether tables of an earlier version were emptied. */
function makeSchema(database: DatabaseSync, mayBeOlder: boolean): boolean {
  if (pragmaOf(database, "user_version") === schemaVersion) return false;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have created the tables while this process waited.
    const isOlder = checkHead(database, mayBeOlder);
    if (objectsOf(database).length === 0) for (const statement of Object.values(schema)) database.exec(statement);
    // Checked before the first change, so that the database of another program is not changed. Earlier versions had the same tables.
    checkSchema(database, schema);
    if (isOlder) for (const table of ["origins", "fetches", "bodies"]) database.exec(`DELETE FROM ${table}`);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    database.exec("COMMIT");
    return isOlder;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Throws unless the tables are exactly those of this version: no triggers, no views, nothing more. */
function checkSchema(database: DatabaseSync, expected: Readonly<Record<string, string>>): void {
  const objects = objectsOf(database);
  const isWhole =
    objects.length === Object.keys(expected).length && objects.every(({ name, sql }) => expected[String(name)] === sql);
  if (!isWhole) throw new StoreError("ERR_STORE_SCHEMA", "its tables are not those of this version");
}

function objectsOf(database: DatabaseSync): readonly Record<string, unknown>[] {
  return database.prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
}

/** Closes the database. When closing fails, the next opening recovers the database. */
export function closeQuietly(database: DatabaseSync | undefined): void {
  try {
    database?.close();
  } catch {
    // The database is already closed, or was never opened.
  }
}

/** SQLite's primary result codes. */
const codes: ReadonlyMap<number, StoreErrorCode> = new Map([
  [3, "ERR_STORE_ACCESS"], // PERM
  [5, "ERR_STORE_BUSY"],
  [6, "ERR_STORE_BUSY"], // LOCKED
  [8, "ERR_STORE_ACCESS"], // READONLY
  [10, "ERR_STORE_ACCESS"], // IOERR, also for a file beyond a size limit of the system
  [11, "ERR_STORE_DAMAGED"], // CORRUPT
  [13, "ERR_STORE_FULL"],
  [14, "ERR_STORE_ACCESS"], // CANTOPEN
  [15, "ERR_STORE_BUSY"], // PROTOCOL: too many processes open the file at once
  [23, "ERR_STORE_ACCESS"], // AUTH
  [26, "ERR_STORE_SCHEMA"], // NOTADB
]);

/** Returns the result of `work`. Throws a `StoreError` for an error of node:sqlite. */
export function withStoreErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeErrorOf(error);
  }
}

/** Converts an error of node:sqlite to a StoreError. An unknown error becomes `ERR_STORE_DAMAGED`. */
export function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { errcode, message } = error as { readonly errcode?: unknown; readonly message?: string };
  const code = typeof errcode === "number" ? codes.get(errcode & 0xff) : undefined;
  return new StoreError(code ?? "ERR_STORE_DAMAGED", message ?? String(error), { cause: error });
}
