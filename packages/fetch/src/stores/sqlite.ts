// Implements the store in one SQLite file, with history: each fetch has a row, and each body is stored once. Several processes may share
// the file.
import "../common/supported-node.ts";
import { type Checks, aBoolean, aFunction, aNumber, readOptions, texts, wholeNumber } from "../common/options.ts";
import type { RobotsHistory, StoredRobots } from "../common/types.ts";
import { BatchedWrites } from "./sqlite-batches.ts";
import { openDatabase } from "./sqlite-open.ts";
import { packedEntryOf } from "./entry-row.ts";
import { SqliteSession } from "./sqlite-session.ts";
import { pagesOf } from "./sqlite-statements.ts";
import type { Table } from "./sqlite-table.ts";

export { StoreError, type StoreErrorCode } from "../common/errors.ts";

/** Options of `createSqliteStore`. */
export interface SqliteStoreOptions {
  /**
   * Largest size of the file and its log, at least 1 MiB; the rows written longest ago are removed first. Default 1 GiB.
   */
  readonly maxBytes?: number;
  /** How long a write waits for other processes before it rejects. Default 5,000. */
  readonly busyMs?: number;
  /** Called when the file was of an earlier version and was emptied. Without this function, such a file is refused: `ERR_STORE_SCHEMA`. */
  readonly onOlder?: () => void;
}

/** The rows to remove: each row that one of the options selects. */
export interface PruneOptions {
  /** Rows fetched before this time, in milliseconds since the epoch. */
  readonly beforeMs?: number;
  /** Rows of these origins. */
  readonly origins?: readonly string[];
  /** Rows that are not the newest of their origin. */
  readonly superseded?: boolean;
  /** The rows written longest ago, until the other rows fit into this number of bytes. */
  readonly maxBytes?: number;
}

/** The size of a store. */
export interface StoreSize {
  readonly fetches: number;
  readonly origins: number;
  /** Distinct bodies. */
  readonly bodies: number;
  /** Bytes of the pages in use; the file may also have free pages. */
  readonly bytes: number;
}

/** Options for reading many entries. */
export interface ReadOptions {
  /** Called with the origin of each damaged row. Such rows are left out; damage may have changed the origin as well. */
  readonly onDamaged?: (origin: string) => void;
}

/** The embedded store. Every method throws a `StoreError`, or rejects with one, when the file cannot be used any more. */
export interface SqliteStore extends RobotsHistory {
  /** Resolves when the row is in the file: from then on, the entry survives the end of the process. */
  set(entry: StoredRobots): Promise<void>;
  get(origin: string): StoredRobots | undefined;
  history(origin: string, options?: { readonly limit?: number } & ReadOptions): readonly StoredRobots[];
  at(origin: string, atMs: number): StoredRobots | undefined;
  /**
   * Adds the entries of another store, except entries that this store already has; returns the number of added entries. The entry with the
   * latest fetch stays the newest.
   */
  merge(entries: readonly StoredRobots[]): Promise<number>;
  /** Every entry in batches, in the order they were written. */
  entries(options?: ReadOptions): Generator<readonly StoredRobots[]>;
  /** The newest entry of every origin in batches, in the order of the origins' first entries. */
  newest(options?: ReadOptions): Generator<readonly StoredRobots[]>;
  /** Removes rows in steps, so that other processes get their turns; returns their number. */
  prune(options: PruneOptions): Promise<number>;
  /** Counts fetches, origins, bodies and the bytes in use. */
  size(): StoreSize;
  close(): Promise<void>;
}

const minBytes = 1_048_576;

const checks: Checks<SqliteStoreOptions> = {
  maxBytes: { must: `be ${minBytes} or more`, accepts: (value) => typeof value === "number" && value >= minBytes },
  busyMs: aNumber,
  onOlder: aFunction,
};

const pruneChecks: Checks<PruneOptions> = {
  beforeMs: aNumber,
  origins: texts,
  superseded: aBoolean,
  maxBytes: aNumber,
};

const readChecks = { onDamaged: aFunction };
const historyChecks = { limit: wholeNumber(0), ...readChecks };

/** Size of SQLite's index (-shm) for a write-ahead log of at most `walBytes`. */
const indexBytes = 65_536;

/** Entries read at once by `entries` and `newest`. */
const pageEntries = 200;

/** Rows removed, and bytes returned, in one transaction of `prune`. */
const pruneRows = 500;
const pruneBytes = 8 * 1_048_576;

/**
 * Opens the store in the file at `path`, or creates it: folders with mode 0700, the file with 0600. Throws a `StoreError` when
 * that fails, and `ERR_INVALID_OPTION` for an unknown option or an invalid bound.
 */
export function createSqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const { maxBytes = 1024 * 1_048_576, busyMs = 5_000, onOlder } = readOptions(options, checks);
  // `maxBytes` includes the write-ahead log, which grows to the size at which SQLite writes it back, plus one or two transactions.
  const walBytes = Math.min(16 * 1_048_576, Math.floor(maxBytes / 8));
  const batchBytes = Math.min(1_048_576, walBytes / 2);
  const fileBytes = maxBytes - 2 * walBytes - batchBytes - indexBytes;
  const session = new SqliteSession(openDatabase(path, walBytes, onOlder), busyMs);
  const batches = new BatchedWrites(session, { fileBytes, batchBytes });
  return {
    get: (origin) => batches.pendingOf(origin) ?? session.read((table) => table.get(origin)),
    set: (entry) => batches.set(entry),
    history(origin, given) {
      const { limit = Number.MAX_SAFE_INTEGER, onDamaged } = readOptions(given, historyChecks);
      return session.read((table) => table.history(origin, limit, onDamaged));
    },
    at: (origin, atMs) => session.read((table) => table.at(origin, atMs)),
    merge: (entries) => mergeEntries(entries, session, batches),
    entries(given) {
      const { onDamaged } = readOptions(given, readChecks);
      return entriesOf((after) => session.read((table) => table.page(after, pageEntries, onDamaged)));
    },
    newest(given) {
      const { onDamaged } = readOptions(given, readChecks);
      return entriesOf((after) => session.read((table) => table.newest(after, pageEntries, onDamaged)));
    },
    async prune(given) {
      const pruning = readOptions(given, pruneChecks);
      batches.flush();
      const removed = await removeRows(session, pruning);
      await giveBackFreePages(session);
      return removed;
    },
    size: () => session.read((table) => ({ ...table.count(), bytes: table.usedBytes().used })),
    async close() {
      batches.flush();
      await session.close();
    },
  };
}

function mergeEntries(
  entries: readonly StoredRobots[],
  session: SqliteSession,
  batches: BatchedWrites,
): Promise<number> {
  batches.flush();
  const merged = session.write((table) => {
    let added = 0;
    for (const entry of entries) {
      const packed = packedEntryOf(entry);
      if (packed.bytes > batches.maxEntryBytes || table.has(packed)) continue;
      table.add(packed, true);
      added++;
    }
    return added;
  });
  return merged.finally(() => void batches.makeRoom(entries.length));
}

function* entriesOf(readPage: (after: number) => ReturnType<Table["page"]>): Generator<readonly StoredRobots[]> {
  for (const { entries } of pagesOf(readPage)) yield entries;
}

/** Removes the rows; returns their number. */
async function removeRows(session: SqliteSession, options: PruneOptions): Promise<number> {
  const { beforeMs, origins = [], superseded = false, maxBytes } = options;
  let removed = 0;
  const removeAll = async (remove: (table: Table) => number): Promise<void> => {
    for (let rows = pruneRows; rows >= pruneRows;) {
      rows = await session.write(remove);
      removed += rows;
    }
  };
  for (const origin of origins) await removeAll((table) => table.removeOrigin(origin, pruneRows));
  if (beforeMs !== undefined) await removeAll((table) => table.removeBefore(beforeMs, pruneRows));
  if (superseded) await removeAll((table) => table.removeSuperseded(pruneRows));
  if (maxBytes !== undefined) {
    await removeAll((table) => (table.usedBytes().used > maxBytes ? table.removeOldest(pruneRows) : 0));
  }
  return removed;
}

/** Returns free pages to the file system until there are none, or until no page can be returned. */
async function giveBackFreePages(session: SqliteSession): Promise<void> {
  for (let before = Infinity; ;) {
    const free = await session.write((table) => {
      table.shrink(pruneBytes);
      const { used, file } = table.usedBytes();
      return file - used;
    });
    if (free === 0 || free >= before) return;
    before = free;
  }
}
