// Implements the store on a Redis or Valkey server, which many processes on many machines share. Only one process at a time fetches an
// origin, unless a process loses its claim (`claimMs`).
import "../common/supported-node.ts";
import { FetchError, StoreError } from "../common/errors.ts";
import { type Checks, aFunction, aText, readOptions, wholeNumber } from "../common/options.ts";
import type { Claim, RobotsStore, StoredRobots } from "../common/types.ts";
import { createClaims } from "./redis-claims.ts";
import { type RedisConnection, RedisReplyError, connectRedis } from "./redis-connection.ts";
import { bytesOfEntry, entryOfBytes, isOfThisVersion, isTooLarge } from "./redis-value.ts";

export { StoreError, type StoreErrorCode } from "../common/errors.ts";

/** Options of `createRedisStore`. */
export interface RedisStoreOptions {
  /** Prefix of every key. Default "robots-stream:1:"; 1 is the version of the keys, values have a version of their own. */
  readonly prefix?: string;
  /**
   * Largest robots.txt that is read, in bytes. An entry that may contain a larger file is treated as missing and not decompressed. Default
   * 268,435,456, the largest possible `limits.maxBytes`; a client with a smaller limit should set this to its limit.
   */
  readonly maxBytes?: number;
  /** How long the server keeps an entry. Default 40 days, longer than any built-in policy uses a copy from before an outage. */
  readonly keepMs?: number;
  /**
   * How long the claim of a dead process blocks other processes; a living process renews its claims. Default 10,000. A process
   * that is suspended for longer loses its claim, and the origin may be fetched twice. No process waits longer than this for a
   * claim that is not renewed, so all processes that share a server should have the same value.
   */
  readonly claimMs?: number;
  /** Longest time for connecting, and for the reply to a command. Default 5,000. */
  readonly timeoutMs?: number;
  /**
   * Called once, with the reason, for the first key whose value is damaged or not of this store's type. Such a key is treated as missing,
   * and replaced when its origin is fetched.
   */
  readonly onUnreadable?: (why: string) => void;
}

const checks: Checks<RedisStoreOptions> = {
  prefix: aText,
  maxBytes: wholeNumber(1, 268_435_456),
  keepMs: wholeNumber(1),
  claimMs: wholeNumber(1),
  timeoutMs: wholeNumber(1),
  onUnreadable: aFunction,
};

/** A store on a server. Its methods reject with a `StoreError` when the server fails. */
export interface RedisStore extends RobotsStore {
  get(origin: string): Promise<StoredRobots | undefined>;
  set(entry: StoredRobots): Promise<void>;
  /** See `RobotsStore.claim`. */
  claim(origin: string, signal: AbortSignal): Promise<Claim>;
  close(): Promise<void>;
}

/**
 * Creates a store at `redis://[user[:password]@]host[:port][/database]`, or `rediss:` for TLS. Needs the package `@redis/client`; the
 * first use loads it and connects. Throws `ERR_INVALID_OPTION` for an invalid URL, without quoting the URL.
 */
export function createRedisStore(url: string, options: RedisStoreOptions = {}): RedisStore {
  const {
    prefix = "robots-stream:1:",
    maxBytes = 268_435_456,
    keepMs = 40 * 86_400_000,
    claimMs = 10_000,
    timeoutMs = 5_000,
    onUnreadable,
  } = readOptions(options, checks);
  checkRedisUrl(url);
  let connecting: Promise<RedisConnection> | undefined;
  let closing: Promise<void> | undefined;

  async function command(...parts: readonly (string | Buffer)[]): Promise<unknown> {
    if (closing !== undefined) throw new StoreError("ERR_STORE_CLOSED", "the store is closed");
    connecting ??= connectRedis(url, timeoutMs);
    return (await connecting).command(parts);
  }

  const claims = createClaims({ command, claimMs });

  let isTold = false;
  function tellUnreadable(why: string): undefined {
    if (!isTold) onUnreadable?.(why);
    isTold = true;
    return undefined;
  }

  async function shut(): Promise<void> {
    const connection = await connecting?.catch(() => undefined);
    // Releases the claims, so that other processes need not wait until they expire.
    await Promise.allSettled(claims.end().map(async (release) => connection?.command(release)));
    await connection?.close();
  }

  return {
    async get(origin) {
      const value = await command("GET", `${prefix}robots:${origin}`).catch((error: unknown) => {
        if (error instanceof RedisReplyError && error.word === "WRONGTYPE")
          return tellUnreadable("the key is of another type");
        throw error;
      });
      if (!Buffer.isBuffer(value) || isTooLarge(value, maxBytes)) return undefined;
      const entry = entryOfBytes(value);
      if (entry === undefined && isOfThisVersion(value)) tellUnreadable("the value is damaged");
      // The value may belong to another origin; it is then treated as missing.
      return entry?.origin === origin ? entry : undefined;
    },
    async set(entry) {
      await command("SET", `${prefix}robots:${entry.origin}`, bytesOfEntry(entry), "PX", String(keepMs));
    },
    async claim(origin, signal) {
      return claims.take(`${prefix}claim:${origin}`, signal);
    },
    close() {
      closing ??= shut();
      return closing;
    },
  };
}

function checkRedisUrl(url: string): void {
  if (isRedisUrl(url)) return;
  throw new FetchError("ERR_INVALID_OPTION", "the store's address must look like redis://host:6379/0");
}

/** Whether a text is the URL of a Redis server. Refuses "@" in query and fragment: a part of a password could be there. */
function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname, pathname, search, hash } = new URL(text);
  if (!/^rediss?:$/.test(protocol) || hostname === "" || !/^\/?\d*$/.test(pathname)) return false;
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return !`${search}${hash}`.includes("@");
}
