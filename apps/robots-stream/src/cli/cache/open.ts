// Opens the store at the place of a cache. A failure of the store causes a warning and makes no load fail, unless the cache is required.
import type { Claim, RobotsStore } from "@robots-stream/fetch";
import { IoError } from "@robots-stream/engine";
import { printableOf, reasonOf } from "@robots-stream/engine/internal";
import { type CachePlace, shownPlace } from "./place.ts";

/** Options for opening a cache. */
export interface OpenOptions {
  /** Maximum size of a cache in a file. */
  readonly maxBytes: number | undefined;
  /** Maximum size of one robots.txt from a cache server. The server is not trusted, so the limit bounds the memory of an entry. */
  readonly maxRobotsBytes: number;
  /**
   * Whether the cache is the only source. If so, the warning about a cache that cannot be opened states that every origin is unreachable.
   */
  readonly isOffline: boolean;
  /** Whether a failure of the cache makes loads fail with an `IoError`, instead of a warning. */
  readonly isRequired: boolean;
  readonly warn: (sentence: string) => void;
}

/**
 * Opens the store at a place. Resolves to undefined without a cache, and, after a warning, when the store cannot be opened. Rejects with an
 * `IoError` if a required cache cannot be opened.
 */
export async function openCache(place: CachePlace, options: OpenOptions): Promise<RobotsStore | undefined> {
  if (place.kind === "none") return undefined;
  const stop = (error: unknown): never => {
    const why = new Error(`${printableOf(reasonOf(error), 300)}; --cache-required ends the run`);
    throw new IoError("input", `cache ${shownPlace(place)}`, why);
  };
  const onFailure = (error: unknown): void => {
    const without = options.isOffline
      ? "; continuing without it and without requests: every origin is unreachable"
      : "; continuing without it";
    options.warn(`cache ${shownPlace(place)}: ${printableOf(reasonOf(error), 300)}${without}`);
  };
  const onReadOnly = (error: unknown): void => {
    options.warn(`cache ${shownPlace(place)}: ${reasonOf(error)}; continuing with its entries; no entry is added`);
  };
  const hooks = options.isRequired ? { onFailure: stop, onReadOnly: stop } : { onFailure, onReadOnly };
  let store: RobotsStore;
  try {
    store = await openStore(place, options);
  } catch (error) {
    hooks.onFailure(error);
    return undefined;
  }
  return createForgivingStore(store, hooks);
}

async function openStore(
  place: Exclude<CachePlace, { kind: "none" }>,
  { maxBytes, maxRobotsBytes, isOffline, warn }: OpenOptions,
): Promise<RobotsStore> {
  if (place.kind === "file") {
    const { createSqliteStore } = await import("@robots-stream/fetch/sqlite");
    const onOlder = (): void => warn(`cache ${shownPlace(place)}: an earlier version wrote it; the cache starts empty`);
    return createSqliteStore(place.path, {
      ...(maxBytes === undefined ? {} : { maxBytes }),
      // Offline, a cache of an older version is not emptied, because its entries could not be fetched again.
      ...(isOffline ? {} : { onOlder }),
    });
  }
  const { createRedisStore } = await import("@robots-stream/fetch/redis");
  const store = createRedisStore(place.url, {
    maxBytes: maxRobotsBytes,
    onUnreadable: (why) => warn(`cache ${shownPlace(place)}: a value is treated as missing: ${why}`),
  });
  // This read opens the connection now, before thousands of origins wait for the connection.
  await store.get("");
  return store;
}

const free: Claim = { release: () => undefined };

/**
 * Callbacks: `onFailure` is called when a store fails, `onReadOnly` when only the store's writes fail. Each is called at most once. An error
 * that a callback throws is the result of the call that failed, and the callback may be called again.
 */
interface FailureHooks {
  readonly onFailure: (error: unknown) => void;
  readonly onReadOnly: (error: unknown) => void;
}

/** Codes of write errors after which reads still work: a full or read-only disk or server, or a locked database. */
const writingCodes: ReadonlySet<unknown> = new Set(["ERR_STORE_FULL", "ERR_STORE_ACCESS", "ERR_STORE_BUSY"]);

/**
 * Wraps a store so that failures do not reach the caller. After a write that failed with a code of `writingCodes`, the store is only read.
 * After any other failure, the store is no longer used, and no entry is found.
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
