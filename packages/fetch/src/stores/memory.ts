// Entries in a Map, bounded by the bytes they hold: the one used longest ago goes first.
import { UsageError } from "../errors.ts";
import type { RobotsStore, StoredRobots } from "../types.ts";

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** Bytes of all entries, estimated. An entry that goes is fetched again when asked for. Default 256 MiB. */
  readonly maxBytes?: number;
}

/** What an entry takes besides its bodies and texts: the object, its hops, its place in the Map. An estimate. */
const entryBytes = 600;

/** A store for one process. Throws `ERR_INVALID_OPTION` for a bound that is none. */
export function createMemoryStore(options: MemoryStoreOptions = {}): RobotsStore {
  const maxBytes = options.maxBytes ?? 256 * 1024 * 1024;
  if (!(maxBytes > 0)) throw new UsageError("ERR_INVALID_OPTION", "maxBytes must be above 0");
  // A Map keeps the order of insertion: an entry that is read moves to the end.
  const entries = new Map<string, StoredRobots>();
  // Every entry is ahead of it: what it gives is evicted. A new iterator for each would walk over the places of all evicted before.
  const oldestFirst = entries.values();
  let bytes = 0;

  function remove(entry: StoredRobots): void {
    entries.delete(entry.origin);
    bytes -= bytesOf(entry);
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
      bytes += bytesOf(entry);
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

function bytesOf(entry: StoredRobots): number {
  const bodies = (entry.body?.byteLength ?? 0) + (entry.lastCopy?.body?.byteLength ?? 0);
  const texts = entry.hops.reduce((sum, { url }) => sum + url.length, entry.origin.length);
  const headers = Object.values(entry.headers ?? {}).reduce((sum, value) => sum + value.length, 0);
  return entryBytes + bodies + texts + headers;
}
