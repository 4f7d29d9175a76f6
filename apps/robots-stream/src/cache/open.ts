// A place → the store there, made forgiving: a cache that cannot be used costs a warning, never an answer.
import type { Claim, RobotsStore } from "@robots-stream/fetch";
import { printableOf } from "../text.ts";
import { type CachePlace, shownPlace } from "./place.ts";

/** How a cache is opened. */
export interface OpenOptions {
  readonly maxBytes: number | undefined;
  /** Nobody else can be asked: without the cache nothing is known about any origin, which is told. */
  readonly isOffline: boolean;
  readonly warn: (sentence: string) => void;
}

/** The store at a place; undefined when there is none to be had, which is told. */
export async function openCache(place: CachePlace, options: OpenOptions): Promise<RobotsStore | undefined> {
  if (place.kind === "none") return undefined;
  const onFailure = (error: unknown): void => {
    const without = options.isOffline
      ? "; going on without it, and nobody is asked: nothing is known"
      : "; going on without it";
    options.warn(`cache ${shownPlace(place)}: ${reasonOf(error)}${without}`);
  };
  try {
    return createForgivingStore(await openStore(place, options), onFailure);
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

async function openStore(
  place: Exclude<CachePlace, { kind: "none" }>,
  { maxBytes }: OpenOptions,
): Promise<RobotsStore> {
  if (place.kind === "file") {
    const { createSqliteStore } = await import("@robots-stream/fetch/sqlite");
    return createSqliteStore(place.path, maxBytes === undefined ? {} : { maxBytes });
  }
  const { createRedisStore } = await import("@robots-stream/fetch/redis");
  const store = createRedisStore(place.url);
  // Connects: better now than with a thousand origins waiting.
  await store.get("");
  return store;
}

/** What went wrong, fit for a terminal. */
function reasonOf(error: unknown): string {
  return printableOf(error instanceof Error ? error.message : String(error), 300);
}

const free: Claim = { release: () => undefined };

/** A store that fails once is not asked again: what it would have known is asked of the network. */
function createForgivingStore(store: RobotsStore, onFailure: (error: unknown) => void): RobotsStore {
  let isBroken = false;
  const fail = (error: unknown): undefined => {
    if (!isBroken) onFailure(error);
    isBroken = true;
    return undefined;
  };
  return {
    get(origin) {
      if (isBroken) return undefined;
      try {
        const entry = store.get(origin);
        return entry instanceof Promise ? entry.catch(fail) : entry;
      } catch (error) {
        return fail(error);
      }
    },
    async set(entry) {
      if (isBroken) return;
      try {
        await store.set(entry);
      } catch (error) {
        fail(error);
      }
    },
    async claim(origin, signal) {
      if (isBroken || store.claim === undefined) return free;
      try {
        const claim = await store.claim(origin, signal);
        return {
          async release() {
            try {
              await claim.release();
            } catch (error) {
              fail(error);
            }
          },
        };
      } catch (error) {
        signal.throwIfAborted();
        fail(error);
        return free;
      }
    },
    async close() {
      try {
        await store.close?.();
      } catch (error) {
        fail(error);
      }
    },
  };
}
