// Entries one at a time → rows written in batches, a transaction for each; and the oldest rows removed while there are too many.
import type { StoredRobots } from "../types.ts";
import { type PackedEntry, packedEntryOf } from "./sqlite-rows.ts";
import type { SqliteSession } from "./sqlite-session.ts";

/** A batch is written when it has so many entries, or is so old; or when it has many bytes. */
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

/** Bounds of the writes. */
export interface BatchLimits {
  /** What the file may take. */
  readonly fileBytes: number;
  /** A batch of so many bytes is written at once. */
  readonly batchBytes: number;
}

/** The entries that wait to be written. */
export class BatchedWrites {
  /** A longer entry is not kept: it would take the room of all others. */
  readonly maxEntryBytes: number;
  readonly #session: SqliteSession;
  readonly #limits: BatchLimits;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Entries that wait or are being written, by origin: `get` gives them already. */
  readonly #pending = new Map<string, PackedEntry>();

  constructor(session: SqliteSession, limits: BatchLimits) {
    this.#session = session;
    this.#limits = limits;
    this.maxEntryBytes = limits.fileBytes / 4;
  }

  /** The entry of an origin that is not yet in the file. */
  pendingOf(origin: string): StoredRobots | undefined {
    return this.#pending.get(origin)?.entry;
  }

  /** Resolves when the row is in the file. */
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

  /** Writes what waits. */
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

  /** After so many rows were added: removes the oldest while there are too many, and gives back what the file has too much. */
  async makeRoom(rows: number): Promise<void> {
    const { fileBytes, batchBytes } = this.#limits;
    try {
      // In proportion to what was added, so that no write waits long when there is much too much.
      for (let left = Math.max(64, 4 * rows); left > 0; left -= roomRows) {
        const { used, file } = this.#session.read((table) => table.usedBytes());
        if (used <= fileBytes && file <= fileBytes) return;
        await this.#session.write((table) =>
          used > fileBytes ? table.removeOldest(roomRows) : table.shrink(batchBytes),
        );
      }
    } catch {
      // Closed meanwhile, or an error that the next write will meet too.
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
