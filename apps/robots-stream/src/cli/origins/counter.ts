// Counts by origin in, each origin once with the sum of its counts out. Counts may come in any order and several times per origin; memory
// is bounded: counts beyond a limit go into a temporary database, which adds them up and sorts them.
import type { DatabaseSync } from "node:sqlite";
import { IoError } from "@robots-stream/engine";
import { hashOf } from "@robots-stream/engine/internal";
import { sqliteModule } from "@robots-stream/fetch/archives";

interface OriginCount {
  readonly origin: string;
  readonly count: number;
}

interface OriginCounterOptions {
  /**
   * The order in which the origins are returned. "name": by the bytes of the origin. "hash": by a hash of the origin, and then by its
   * bytes. Neighbours then mostly belong to different operators, so a program that requests the origins in this order spreads its load.
   */
  readonly order: "name" | "hash";
  /** Maximum number of origins in memory, 100,000 by default; further ones go into a temporary file. */
  readonly mostOrigins?: number;
}

/** Maximum of a sum. A larger sum becomes this number. */
const mostCount = 2 ** 48 - 1;

/** Maximum length of an origin in characters: the keys of snapshots have a limited length. */
export const longestCounted = 8_192;

/** Adds up counts by origin. At most `mostOrigins` origins are in memory. */
export class OriginCounter {
  readonly #isByHash: boolean;
  readonly #mostOrigins: number;
  readonly #counts = new Map<string, number>();
  /** Undefined before the first origins leave the memory. */
  #database: DatabaseSync | undefined;

  constructor({ order, mostOrigins = 100_000 }: OriginCounterOptions) {
    this.#isByHash = order === "hash";
    this.#mostOrigins = mostOrigins;
  }

  /**
   * Adds `count` to the sum of an origin, which has at most `longestCounted` characters. Throws an `IoError` when the temporary file cannot
   * be written.
   */
  add(origin: string, count: number): void {
    const before = this.#counts.get(origin);
    this.#counts.set(origin, Math.min((before ?? 0) + count, mostCount));
    if (before === undefined && this.#counts.size === this.#mostOrigins) this.#store();
  }

  /** Every origin once with its sum, in the order that the option `order` names. Call once. Throws as `add` does. */
  *origins(): Generator<OriginCount> {
    const database = this.#store();
    try {
      // The sum of integers could overflow; that of doubles is exact up to the limit.
      const sums = database.prepare(
        `SELECT origin, CAST(min(total(count), ${mostCount}) AS INTEGER) AS count
         FROM counts GROUP BY hash, origin ORDER BY hash, origin`,
      );
      for (const { origin, count } of sums.iterate()) yield { origin: String(origin), count: Number(count) };
    } catch (error) {
      throw spillError(error);
    }
  }

  /** Removes the temporary file. Idempotent. */
  close(): void {
    this.#counts.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  /** Moves the sums in memory into the database. */
  #store(): DatabaseSync {
    try {
      const database = (this.#database ??= openTemporary());
      const insert = database.prepare("INSERT INTO counts VALUES (?, ?, ?)");
      database.exec("BEGIN");
      for (const [origin, count] of this.#counts) insert.run(this.#isByHash ? hashOf(origin) : 0, origin, count);
      database.exec("COMMIT");
      this.#counts.clear();
      return database;
    } catch (error) {
      throw spillError(error);
    }
  }
}

/** A database without a name: SQLite removes its file at once, and writes to it what exceeds a few megabytes. */
function openTemporary(): DatabaseSync {
  const database = new (sqliteModule().DatabaseSync)("");
  database.exec("PRAGMA journal_mode = OFF; CREATE TABLE counts (hash INTEGER, origin TEXT, count INTEGER)");
  return database;
}

function spillError(error: unknown): unknown {
  const isSqlite = (error as { readonly code?: unknown }).code === "ERR_SQLITE_ERROR";
  return isSqlite ? new IoError("spill", "the temporary file of counts", error) : error;
}
