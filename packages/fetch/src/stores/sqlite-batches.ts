// Collects entries and writes their rows in batches, one transaction each. Removes the oldest rows while the file is too large.
import type { StoredRobots } from "../common/types.ts";
import { type PackedEntry, packedEntryOf } from "./entry-row.ts";
import type { SqliteSession } from "./sqlite-session.ts";

/** A batch is written when it has `batchEntries` entries or `batchBytes` bytes, or `batchMs` milliseconds after its first entry. */
const batchEntries = 256;
const batchMs = 5;

/** Rows removed in one transaction to make room. */
const roomRows = 32;

/** An entry that is not yet in the file, and the promise of its `set`. */
interface Waiting {
  readonly packed: PackedEntry;
  resolve(): void;
  reject(error: unknown): void;
}

export interface BatchLimits {
  /** Largest size of the file, in bytes. */
  readonly fileBytes: number;
  /** A batch of this size is written at once. */
  readonly batchBytes: number;
}

/** The entries that wait to be written. */
export class BatchedWrites {
  /** Largest size of a stored entry: a larger entry would take the space of many other entries. */
  readonly maxEntryBytes: number;
  readonly #session: SqliteSession;
  readonly #limits: BatchLimits;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Entries that wait or are being written, by origin: `get` already returns them. */
  readonly #pending = new Map<string, PackedEntry>();

  constructor(session: SqliteSession, limits: BatchLimits) {
    this.#session = session;
    this.#limits = limits;
    this.maxEntryBytes = limits.fileBytes / 4;
  }

  /** The entry of an origin, if the entry is not yet in the file; otherwise undefined. */
  pendingOf(origin: string): StoredRobots | undefined {
    return this.#pending.get(origin)?.entry;
  }

  /** Resolves when the row is in the file. An entry over `maxEntryBytes` is left out: its promise resolves at once. */
  set(entry: StoredRobots): Promise<void> {
    try {
      this.#session.checkOpen();
    } catch (error) {
      return Promise.reject(error);
    }
    const packed = packedEntryOf(entry);
    if (packed.bytes > this.maxEntryBytes) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ packed, resolve, reject });
      this.#waitingBytes += packed.bytes;
      this.#pending.set(entry.origin, packed);
      if (this.#waiting.length >= batchEntries || this.#waitingBytes >= this.#limits.batchBytes) this.flush();
      else this.#timer ??= setTimeout(() => this.flush(), batchMs);
    });
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const written = this.#session.write((table) => {
      for (const { packed } of batch) table.add(packed, false);
    });
    written.then(
      () => {
        this.#endPending(batch);
        for (const { resolve } of batch) resolve();
        void this.makeRoom(batch.length);
      },
      (error: unknown) => {
        this.#endPending(batch);
        for (const { reject } of batch) reject(error);
      },
    );
  }

  /** Called after rows were added: removes the oldest rows while the file is too large, and returns free pages to the file system. */
  async makeRoom(rows: number): Promise<void> {
    const { fileBytes, batchBytes } = this.#limits;
    try {
      // Removes rows in proportion to the added rows, so that no write waits long when the file is far too large.
      for (let left = Math.max(64, 4 * rows); left > 0; left -= roomRows) {
        const { used, file } = this.#session.read((table) => table.usedBytes());
        if (used <= fileBytes && file <= fileBytes) return;
        await this.#session.write((table) =>
          used > fileBytes ? table.removeOldest(roomRows) : table.shrink(batchBytes),
        );
      }
    } catch {
      // The store was closed, or the next write will get the same error.
    }
  }

  #endPending(batch: readonly Waiting[]): void {
    for (const { packed } of batch) {
      const { origin } = packed.entry;
      // A later `set` of the same origin is still pending.
      if (this.#pending.get(origin) === packed) this.#pending.delete(origin);
    }
  }
}
