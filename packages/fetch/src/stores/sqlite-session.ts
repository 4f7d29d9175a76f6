// Runs reads immediately and writes one after another, each write in its own transaction. A failed read or write gives a `StoreError`.
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../common/errors.ts";
import { closeQuietly, storeErrorOf, withStoreErrors } from "./sqlite-open.ts";
import { Table } from "./sqlite-table.ts";

/** One open database file. */
export class SqliteSession {
  readonly #database: DatabaseSync;
  readonly #busyMs: number;
  /** Undefined once the session is closed. */
  #table: Table | undefined;
  /** Settles when the previous write has ended. */
  #writing: Promise<void> = Promise.resolve();

  /** A write waits at most `busyMs` for other processes. */
  constructor(database: DatabaseSync, busyMs: number) {
    this.#database = database;
    this.#busyMs = busyMs;
    this.#table = new Table(database);
  }

  /** Returns the table of the open session. Throws `ERR_STORE_CLOSED` once the session is closed. */
  checkOpen(): Table {
    if (this.#table === undefined) throw new StoreError("ERR_STORE_CLOSED", "the store is closed");
    return this.#table;
  }

  read<T>(work: (table: Table) => T): T {
    const table = this.checkOpen();
    return withStoreErrors(() => work(table));
  }

  /** Runs `work` in a transaction of its own, after all earlier writes; waits for other processes. */
  write<T>(work: (table: Table) => T): Promise<T> {
    const written = this.#writing.then(async () => {
      const table = this.checkOpen();
      return transact(this.#database, this.#busyMs, () => work(table));
    });
    this.#writing = written.then(
      () => undefined,
      () => undefined,
    );
    return written;
  }

  /** Closes after all earlier writes. Idempotent. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#table === undefined) return;
    this.#table = undefined;
    closeQuietly(this.#database);
  }
}

/** Runs `work` in a transaction. While another process writes, tries again without blocking this process. */
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
