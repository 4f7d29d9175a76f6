// Entries in a Map, bounded by the bytes they hold: the one used longest ago is evicted first.
import { type Check, type Checks, readOptions } from "../options.ts";
import type { RobotsStore, StoredRobots } from "../types.ts";

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** Bytes of all entries, estimated. An evicted entry is fetched again when asked for. Default 256 MiB. */
  readonly maxBytes?: number;
}

/** Bytes of an entry without its bodies and texts: the object, its hops, its slot in the Map. An estimate. */
const entryBytes = 600;

const aboveZero: Check = {
  must: "be a number above 0",
  accepts: (value: unknown): boolean => typeof value === "number" && value > 0,
};

const checks: Checks<MemoryStoreOptions> = { maxBytes: aboveZero };

/** Creates a store for one process. Throws `ERR_INVALID_OPTION` for an unknown option or an invalid bound. */
export function createMemoryStore(options: MemoryStoreOptions = {}): RobotsStore {
  const { maxBytes = 256 * 1024 * 1024 } = readOptions(options, checks);
  // A Map keeps the order of insertion, and an entry that is read moves to the end: so the first entry was used longest ago.
  const entries = new Map<string, StoredRobots>();
  // Kept over evictions: each entry that it yields is evicted. A new iterator would walk over the slots of all earlier evictions.
  const oldestFirst = entries.values();
  let bytes = 0;

  function remove(entry: StoredRobots): void {
    entries.delete(entry.origin);
    bytes -= sizeOf(entry);
  }

  return {
    get(origin) {
      const entry = entries.get(origin);
      if (entry !== undefined) {
        entries.delete(origin);
        entries.set(origin, entry);
      }
      return entry;
    },
    set(entry) {
      const old = entries.get(entry.origin);
      if (old !== undefined) remove(old);
      entries.set(entry.origin, entry);
      bytes += sizeOf(entry);
      while (bytes > maxBytes && entries.size > 0) {
        const oldest = oldestFirst.next().value;
        if (oldest === undefined) break;
        remove(oldest);
      }
    },
    close() {
      entries.clear();
      bytes = 0;
    },
  };
}

function sizeOf(entry: StoredRobots): number {
  const bodies = (entry.body?.byteLength ?? 0) + (entry.lastCopy?.body?.byteLength ?? 0);
  const texts = entry.hops.reduce((sum, { url }) => sum + url.length, entry.origin.length);
  const headers = Object.values(entry.headers ?? {}).reduce((sum, value) => sum + value.length, 0);
  return entryBytes + bodies + texts + headers;
}
