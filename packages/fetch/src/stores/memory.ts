// Implements the store in memory: a Map bounded by the bytes of its entries, which evicts the least recently used entry first.
import { type Entry, Ordered } from "../common/ordered.ts";
import { type Checks, readOptions } from "../common/options.ts";
import type { RobotsStore, StoredRobots } from "../common/types.ts";

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** Maximum estimated total size of the entries. An evicted entry is fetched again by the next load. Default 256 MiB. */
  readonly maxBytes?: number;
}

/** Estimated bytes of an entry without its bodies and texts: the object, its hops, its slot in the Map. */
const entryBytes = 600;

const checks: Checks<MemoryStoreOptions> = {
  maxBytes: { must: "be a number above 0", accepts: (value) => typeof value === "number" && value > 0 },
};

/** Creates a store for one process. Throws `ERR_INVALID_OPTION` for an unknown option or an invalid bound. */
export function createMemoryStore(options: MemoryStoreOptions = {}): RobotsStore {
  const { maxBytes = 256 * 1024 * 1024 } = readOptions(options, checks);
  const places = new Map<string, Entry<StoredRobots>>();
  // Reading an entry moves it to the end, so the first entry is the least recently used entry.
  let byUse = new Ordered<StoredRobots>();
  let bytes = 0;

  function remove(place: Entry<StoredRobots>): void {
    byUse.remove(place);
    places.delete(place.value.origin);
    bytes -= sizeOf(place.value);
  }

  return {
    get(origin) {
      const place = places.get(origin);
      if (place === undefined) return undefined;
      byUse.remove(place);
      places.set(origin, byUse.add(place.value));
      return place.value;
    },
    set(entry) {
      const old = places.get(entry.origin);
      if (old !== undefined) remove(old);
      places.set(entry.origin, byUse.add(entry));
      bytes += sizeOf(entry);
      while (bytes > maxBytes && byUse.first !== undefined) remove(byUse.first);
    },
    close() {
      places.clear();
      byUse = new Ordered();
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
