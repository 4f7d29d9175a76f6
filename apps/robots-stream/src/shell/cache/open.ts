// A place → the store there, made forgiving: a cache that cannot be used costs a warning, never an answer.
import type { Claim, RobotsStore } from "@robots-stream/fetch";
import { printableOf, reasonOf } from "@robots-stream/engine/internal";
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
    options.warn(`cache ${shownPlace(place)}: ${printableOf(reasonOf(error), 300)}${without}`);
  };
  const onReadOnly = (error: unknown): void => {
    options.warn(`cache ${shownPlace(place)}: ${reasonOf(error)}; going on with what is in it, nothing is added`);
  };
  try {
    return createForgivingStore(await openStore(place, options), { onFailure, onReadOnly });
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

async function openStore(
  place: Exclude<CachePlace, { kind: "none" }>,
  { maxBytes, isOffline, warn }: OpenOptions,
): Promise<RobotsStore> {
  if (place.kind === "file") {
    const { createSqliteStore } = await import("@robots-stream/fetch/sqlite");
    const onOlder = (): void => warn(`cache ${shownPlace(place)}: an earlier version wrote it; it begins anew`);
    return createSqliteStore(place.path, {
      ...(maxBytes === undefined ? {} : { maxBytes }),
      // Without the network what is in it could not be fetched again.
      ...(isOffline ? {} : { onOlder }),
    });
  }
  const { createRedisStore } = await import("@robots-stream/fetch/redis");
  const store = createRedisStore(place.url, {
    onUnreadable: (why) => warn(`cache ${shownPlace(place)}: a value counts as not there: ${why}`),
  });
  // Connects: better now than with a thousand origins waiting.
  await store.get("");
  return store;
}

const free: Claim = { release: () => undefined };

/** Who is told, each once, when a store fails: altogether, or only in writing. */
interface FailureHooks {
  readonly onFailure: (error: unknown) => void;
  readonly onReadOnly: (error: unknown) => void;
}

/** Codes of what can be read all the same: a full disk or server, a read-only one, one that others are writing to. */
const writingCodes: ReadonlySet<unknown> = new Set(["ERR_STORE_FULL", "ERR_STORE_ACCESS", "ERR_STORE_BUSY"]);

/**
 * A store that fails once is not asked again: what it would have known is asked of the network. One that only takes
 * nothing more is read from, and written to no more.
 */
export function createForgivingStore(store: RobotsStore, { onFailure, onReadOnly }: FailureHooks): RobotsStore {
  let isBroken = false;
  let isReadOnly = false;
  const fail = (error: unknown): undefined => {
    if (!isBroken) onFailure(error);
    isBroken = true;
    return undefined;
  };
  const failWriting = (error: unknown): void => {
    if (!writingCodes.has((error as { readonly code?: unknown }).code)) return fail(error);
    if (!isReadOnly && !isBroken) onReadOnly(error);
    isReadOnly = true;
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
      if (isBroken || isReadOnly) return;
      try {
        await store.set(entry);
      } catch (error) {
        failWriting(error);
      }
    },
    async claim(origin, signal) {
      if (isBroken || isReadOnly || store.claim === undefined) return free;
      try {
        const claim = await store.claim(origin, signal);
        return {
          async release() {
            try {
              await claim.release();
            } catch (error) {
              failWriting(error);
            }
          },
        };
      } catch (error) {
        signal.throwIfAborted();
        failWriting(error);
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
