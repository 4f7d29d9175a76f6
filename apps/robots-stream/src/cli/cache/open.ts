// Opens the store of the cache, and decides whether a run uses an entry of it or fetches the origin (RFC 9309 §2.4). A failure of the store
// causes a warning and makes no load fail, unless the cache is required.
import type { Claim, RobotsStore, FailureCode, Limits, StoredRobots } from "@robots-stream/fetch";
import { isWithinLimits } from "@robots-stream/fetch/internal";
import { type FreshnessRules, isFresh } from "@robots-stream/fetch/policy";
import { IoError } from "@robots-stream/engine";
import { printableOf, reasonOf } from "@robots-stream/engine/internal";
import { type CachePlace, shownPlace, type CacheSettings } from "./settings.ts";

interface OpenOptions {
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

/** The settings on which the reuse of an entry depends. */
export interface ReuseOptions {
  readonly cache: Pick<CacheSettings, "maxAgeMs" | "isOffline" | "isRefreshed">;
  /** Limits of this run (`limits`), and limits of a run without flags (`usualLimits`). */
  readonly limits: Limits;
  readonly usualLimits: Limits;
  readonly allowPrivate: boolean | readonly string[];
  readonly caPath: string | undefined;
  readonly insecureTls: boolean;
  readonly freshness: FreshnessRules;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Whether an entry is used at `now`. Offline, every entry is used. Otherwise, an entry with a time in the future is not used, because a
 * clock was wrong.
 */
export function isReusable(stored: StoredRobots, now: number, options: ReuseOptions): boolean {
  const { maxAgeMs, isOffline, isRefreshed } = options.cache;
  if (isOffline) return true;
  if (stored.fetchedAt > now) return false;
  // With --refresh, only an entry that was fetched after this run began is used; another process of the same run may have stored the entry.
  if (isRefreshed) return stored.fetchedAt >= options.startedAt && isFresh(stored, now, options.freshness);
  if (wasAskedOtherwise(stored, options)) return false;
  if (maxAgeMs === undefined) return isFresh(stored, now, options.freshness);
  // --max-age does not prolong the use of a failure beyond its own freshness.
  return (
    now < stored.fetchedAt + maxAgeMs && (stored.access !== "unreachable" || isFresh(stored, now, options.freshness))
  );
}

/** Whether a fetch with the settings of this run could give a different result from the stored entry. */
function wasAskedOtherwise(stored: StoredRobots, options: ReuseOptions): boolean {
  const { limits, usualLimits, allowPrivate, caPath, insecureTls } = options;
  const { code, body, truncated } = stored;
  if (code === "blocked-address" && allowPrivate !== false) return true;
  if (code.startsWith("tls-") && (caPath !== undefined || insecureTls)) return true;
  // The origin may be reachable through another proxy or without one.
  if (code === "proxy-refused") return true;
  const bounds = boundsOf(code);
  if (bounds.some((name) => limits[name] > usualLimits[name])) return true;
  // A robots.txt that was too long for its access policy is stored without a body, so the size limit with which it was fetched is unknown.
  return (truncated === true && body === undefined) || !isWithinLimits(stored, limits);
}

function boundsOf(code: string): readonly (keyof Limits)[] {
  return Object.hasOwn(boundsOfCodes, code) ? (boundsOfCodes[code as FailureCode] ?? []) : [];
}

const boundsOfCodes: Readonly<Partial<Record<FailureCode, readonly (keyof Limits)[]>>> = {
  timeout: ["deadlineMs", "headersTimeoutMs"],
  "dns-timeout": ["deadlineMs", "connectTimeoutMs"],
  "connect-timeout": ["deadlineMs", "connectTimeoutMs"],
  "tls-timeout": ["deadlineMs", "connectTimeoutMs"],
  "headers-too-large": ["maxHeaderBytes"],
  "redirect-limit": ["maxRedirects"],
};

/**
 * Whether the flags of this run caused the result in an entry: a limit below the default, or the certificates of `--ca`. Such an entry is
 * not stored, because other runs would get a wrong result from it.
 */
export function isOwnDoing(
  { code }: Pick<StoredRobots, "code">,
  { limits, usualLimits, caPath }: Pick<ReuseOptions, "limits" | "usualLimits" | "caPath">,
): boolean {
  if (code.startsWith("tls-") && code !== "tls-timeout" && caPath !== undefined) return true;
  return boundsOf(code).some((name) => limits[name] < usualLimits[name]);
}
