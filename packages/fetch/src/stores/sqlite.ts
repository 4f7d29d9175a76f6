// A path → a store in one SQLite file, with history: a row for every fetch, bodies once; several processes may share it.
import type { DatabaseSync } from "node:sqlite";
import { UsageError } from "../errors.ts";
import type { RobotsHistory, StoredRobots } from "../types.ts";
import { StoreError } from "./errors.ts";
import { closeQuietly, openDatabase, storeErrorOf } from "./sqlite-open.ts";
import { type PackedEntry, packedEntryOf } from "./sqlite-rows.ts";
import { type Table, createTable } from "./sqlite-table.ts";

export { StoreError, type StoreErrorCode } from "./errors.ts";

/** Options of `createSqliteStore`. */
export interface SqliteStoreOptions {
  /**
   * What the file and its log beside it may take, from 1 MiB on; the rows written longest ago go first. Default 1 GiB.
   */
  readonly maxBytes?: number;
  /** How long a write waits for other processes before it rejects. Default 5,000. */
  readonly busyMs?: number;
  /** Told when the file was of an earlier version, and was emptied. Without it such a file is refused: `ERR_STORE_SCHEMA`. */
  readonly onOlder?: () => void;
}

/** What to remove. */
export interface PruneOptions {
  /** Rows fetched before this, in milliseconds since the epoch. */
  readonly beforeMs?: number;
  /** Rows of these origins. */
  readonly origins?: readonly string[];
  /** Rows that are not the newest of their origin. */
  readonly superseded?: boolean;
  /** The rows written longest ago, until the others fit in. */
  readonly maxBytes?: number;
}

/** What a store holds. */
export interface StoreSize {
  readonly fetches: number;
  readonly origins: number;
  /** Different bodies. */
  readonly bodies: number;
  /** Of the pages in use; the file may have free ones besides. */
  readonly bytes: number;
}

/** The embedded store. Everything throws a `StoreError`, or rejects with one, when the file cannot be used any more. */
export interface SqliteStore extends RobotsHistory {
  /** Resolves when the row is in the file: from then on it outlives the process. */
  set(entry: StoredRobots): Promise<void>;
  get(origin: string): StoredRobots | undefined;
  history(origin: string, options?: { readonly limit?: number }): readonly StoredRobots[];
  at(origin: string, atMs: number): StoredRobots | undefined;
  /** Adds entries of another store, those that are there already left out; gives how many. Newer ones stay the newest. */
  merge(entries: readonly StoredRobots[]): Promise<number>;
  /** Every entry in the order they were written, in batches. */
  entries(): Generator<readonly StoredRobots[]>;
  /** The newest entry of every origin in the order they first came, in batches. */
  newest(): Generator<readonly StoredRobots[]>;
  /** Removes rows; gives how many. Takes its time in steps, so that other processes get their turns. */
  prune(options: PruneOptions): Promise<number>;
  /** Counts what is kept. */
  size(): StoreSize;
  close(): Promise<void>;
}

/** A batch is written when it has so many entries, or is so old; or when it has many bytes. */
const batchEntries = 256;
const batchMs = 5;

const minBytes = 1_048_576;

/** What SQLite's index of the log takes, for logs as long as ours. */
const indexBytes = 65_536;

interface Waiting {
  readonly packed: PackedEntry;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Opens the store in the file at `path`, or makes it: folders with mode 0700, the file with 0600. Throws a `StoreError`
 * when that cannot be, and `ERR_INVALID_OPTION` for a bound that is none.
 */
export function createSqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const { maxBytes = 1024 * 1_048_576, busyMs = 5_000 } = options;
  if (!(maxBytes >= minBytes)) throw new UsageError("ERR_INVALID_OPTION", `maxBytes must be ${minBytes} or more`);
  if (!(busyMs >= 0)) throw new UsageError("ERR_INVALID_OPTION", "busyMs must be 0 or more");
  // Besides the file: its log, which grows to what brings about its writing back and by a transaction or two.
  const walBytes = Math.min(16 * 1_048_576, Math.floor(maxBytes / 8));
  const batchBytes = Math.min(1_048_576, walBytes / 2);
  const fileBytes = maxBytes - 2 * walBytes - batchBytes - indexBytes;
  const maxEntryBytes = fileBytes / 4;
  const database = openDatabase(path, walBytes, options.onOlder);
  let table: Table | undefined = guarded(() => createTable(database), database);
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  // What is on its way is what `get` gives.
  const pending = new Map<string, PackedEntry>();

  function open(): Table {
    if (table === undefined) throw new StoreError("ERR_STORE_CLOSED", "the store is closed");
    return table;
  }

  const read = <T>(work: (table: Table) => T): T => {
    const opened = open();
    try {
      return work(opened);
    } catch (error) {
      throw storeErrorOf(error);
    }
  };

  /** Runs `work` in a transaction of its own, after all that came before; waits for other processes. */
  function write<T>(work: (table: Table) => T): Promise<T> {
    const written = writing.then(async () => {
      const opened = open();
      return transact(database, busyMs, () => work(opened));
    });
    writing = written.then(
      () => undefined,
      () => undefined,
    );
    return written;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    waitingBytes = 0;
    const written = write((opened) => {
      for (const { packed } of batch) opened.add(packed, false);
    });
    const forget = (): void => {
      for (const { packed } of batch) {
        if (pending.get(packed.entry.origin) === packed) pending.delete(packed.entry.origin);
      }
    };
    written.then(
      () => {
        forget();
        for (const { resolve } of batch) resolve();
        void makeRoom(batch.length);
      },
      (error: unknown) => {
        forget();
        for (const { reject } of batch) reject(error);
      },
    );
  }

  /** After so many rows came: removes the oldest while there is too much, and gives back what the file has too much. */
  async function makeRoom(rows: number): Promise<void> {
    try {
      // In proportion to what came: nobody waits long when there is much too much.
      for (let left = Math.max(64, 4 * rows); left > 0; left -= roomStep) {
        const { used, file } = read((opened) => opened.usedBytes());
        if (used <= fileBytes && file <= fileBytes) return;
        await write((opened) => (used > fileBytes ? opened.removeOldest(roomStep) : opened.shrink(batchBytes)));
      }
    } catch {
      // Closed meanwhile, or something that the next write will hear of too.
    }
  }

  function* inBatches(
    next: (opened: Table) => readonly StoredRobots[] | undefined,
  ): Generator<readonly StoredRobots[]> {
    for (;;) {
      const batch = read(next);
      if (batch === undefined) return;
      yield batch;
    }
  }

  async function removeAll(remove: (opened: Table) => number): Promise<number> {
    let removed = 0;
    for (;;) {
      const step = await write(remove);
      removed += step;
      if (step < pruneStep) return removed;
    }
  }

  return {
    get(origin) {
      return pending.get(origin)?.entry ?? read((opened) => opened.get(origin));
    },
    set(entry) {
      try {
        open();
      } catch (error) {
        return Promise.reject(error);
      }
      const packed = packedEntryOf(entry);
      // One that takes the room of all others is not worth it.
      if (packed.bytes > maxEntryBytes) return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiting.push({ packed, resolve, reject });
        waitingBytes += packed.bytes;
        pending.set(entry.origin, packed);
        if (waiting.length >= batchEntries || waitingBytes >= batchBytes) flush();
        else timer ??= setTimeout(flush, batchMs);
      });
    },
    history(origin, { limit = Number.MAX_SAFE_INTEGER } = {}) {
      return read((opened) => opened.history(origin, limit));
    },
    at(origin, atMs) {
      return read((opened) => opened.at(origin, atMs));
    },
    merge(entries) {
      flush();
      const merged = write((opened) => {
        let added = 0;
        for (const entry of entries) {
          const packed = packedEntryOf(entry);
          if (packed.bytes > maxEntryBytes || opened.has(packed)) continue;
          opened.add(packed, true);
          added++;
        }
        return added;
      });
      return merged.finally(() => void makeRoom(entries.length));
    },
    entries() {
      let after = 0;
      return inBatches((opened) => {
        const page = opened.page(after, 200);
        after = page?.lastId ?? after;
        return page?.entries;
      });
    },
    newest() {
      let after = 0;
      return inBatches((opened) => {
        const page = opened.newest(after, 200);
        after = page?.lastId ?? after;
        return page?.entries;
      });
    },
    async prune({ beforeMs, origins = [], superseded = false, maxBytes: keptBytes }) {
      flush();
      let removed = 0;
      for (const origin of origins) removed += await removeAll((opened) => opened.removeOrigin(origin, pruneStep));
      if (beforeMs !== undefined) removed += await removeAll((opened) => opened.removeBefore(beforeMs, pruneStep));
      if (superseded) removed += await removeAll((opened) => opened.removeSuperseded(pruneStep));
      if (keptBytes !== undefined) {
        removed += await removeAll((opened) =>
          opened.usedBytes().used > keptBytes ? opened.removeOldest(pruneStep) : 0,
        );
      }
      // What is free goes back to the file system.
      for (let left = Infinity; ;) {
        const free = await write((opened) => {
          opened.shrink(8 * 1_048_576);
          const { used, file } = opened.usedBytes();
          return file - used;
        });
        if (free === 0 || free >= left) return removed;
        left = free;
      }
    },
    size() {
      return read((opened) => ({ ...opened.count(), bytes: opened.usedBytes().used }));
    },
    async close() {
      flush();
      await writing;
      if (table === undefined) return;
      table = undefined;
      closeQuietly(database);
    },
  };
}

/** Rows removed in one transaction, when asked to and to make room. */
const pruneStep = 500;
const roomStep = 32;

function guarded<T>(work: () => T, database: DatabaseSync): T {
  try {
    return work();
  } catch (error) {
    closeQuietly(database);
    throw storeErrorOf(error);
  }
}

/** Runs `work` in a transaction. While another process writes, tries again without blocking this one. */
async function transact<T>(database: DatabaseSync, busyMs: number, work: () => T): Promise<T> {
  const giveUpAt = performance.now() + busyMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    } catch (error) {
      const failure = storeErrorOf(error);
      if (failure.code !== "ERR_STORE_BUSY" || performance.now() >= giveUpAt) throw failure;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs * (0.5 + Math.random()));
    });
  }
}
