// Reads the embedded store's file without changing it: newest entries by origin, for programs that decide from an existing cache.
import { type Stats, existsSync, statSync } from "node:fs";
import { StoreError } from "../common/errors.ts";
import type { StoredRobots } from "../common/types.ts";
import { openToRead } from "./sqlite-open.ts";
import { SqliteSession } from "./sqlite-session.ts";
import { pagesOf } from "./sqlite-statements.ts";
import type { OnDamaged } from "./sqlite-table.ts";

/** An existing store, open for reading. Its methods throw a `StoreError` when the file cannot be used any more. */
export interface SqliteReader {
  /** The newest entry of an origin; undefined if there is none. Throws for a damaged row. */
  get(origin: string): StoredRobots | undefined;
  /** Every entry in batches, in the order they were written. */
  entries(onDamaged: OnDamaged): Generator<readonly StoredRobots[]>;
  /** Number of origins. */
  readonly origins: number;
  /** Closes the file. Idempotent. */
  close(): void;
}

/** Entries read at once. */
const pageEntries = 200;

/**
 * Opens the store in the file at `path` for reading. Without a write-ahead log beside the file, only the file is read, without locks: every
 * read then checks that the file was not changed since it was opened. With a log, another process may be writing: the file is then read
 * together with its log and with locks. Throws a `StoreError`.
 */
export function openSqliteReader(path: string): SqliteReader {
  const hasLog = isLogInUse(path);
  const opened = statSync(path);
  const session = new SqliteSession(openToRead(path, { isImmutable: !hasLog, isPart: false }), 0);
  const check = (): void => {
    if (!hasLog && (isLogInUse(path) || !isSame(opened, statSync(path)))) {
      throw new StoreError("ERR_STORE_BUSY", "another process changed it while it was read");
    }
  };
  return {
    get(origin) {
      const entry = session.read((table) => table.get(origin));
      const isDamaged = entry === undefined && session.read((table) => table.knows(origin));
      check();
      if (isDamaged) throw new StoreError("ERR_STORE_DAMAGED", "the row of an origin is damaged");
      return entry;
    },
    *entries(onDamaged) {
      const pages = pagesOf((after) => {
        const page = session.read((table) => table.page(after, pageEntries, onDamaged));
        check();
        return page;
      });
      for (const page of pages) yield page.entries;
    },
    origins: session.read((table) => table.count().origins),
    close: () => void session.close(),
  };
}

/** Whether there is a write-ahead log or a rollback journal with content. */
function isLogInUse(path: string): boolean {
  return ["-wal", "-journal"].some((ending) => existsSync(path + ending) && statSync(path + ending).size > 0);
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.size === other.size && one.mtimeMs === other.mtimeMs;
}
