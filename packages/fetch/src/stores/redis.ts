// The URL of a Redis or Valkey server → a store that many processes on many machines share, each origin fetched by one of them.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "../errors.ts";
import type { Claim, RobotsStore, StoredRobots } from "../types.ts";
import { StoreError } from "./errors.ts";
import { type RedisConnection, connectRedis } from "./redis-connection.ts";
import { bytesOfEntry, entryOfBytes } from "./redis-value.ts";

export { StoreError, type StoreErrorCode } from "./errors.ts";

/** Options of `createRedisStore`. */
export interface RedisStoreOptions {
  /** Before every key. Default "robots-stream:1:"; 1 is the version of the keys, a value says its own. */
  readonly prefix?: string;
  /** How long the server keeps an entry. Default 40 days: longer than any policy falls back on a copy. */
  readonly keepMs?: number;
  /**
   * How long a claim outlives a process that died with it; a living one renews it. Default 10,000. A process that
   * stands still for longer loses its claim, and the origin may be asked twice.
   */
  readonly claimMs?: number;
  /** How long to wait for the server's answer. Default 5,000. */
  readonly timeoutMs?: number;
}

/** A store on a server. Its methods reject with a `StoreError` when the server does not do its part. */
export interface RedisStore extends RobotsStore {
  get(origin: string): Promise<StoredRobots | undefined>;
  set(entry: StoredRobots): Promise<void>;
  /** See `RobotsStore.claim`. */
  claim(origin: string, signal: AbortSignal): Promise<Claim>;
  close(): Promise<void>;
}

/** Gives up, and renews, only what is still this process's own. */
const releaseScript = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
const renewScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0";

/** The pauses between two tries to get a claim grow up to this. */
const maxPauseMs = 250;

/**
 * Makes a store at `redis://[user[:password]@]host[:port][/database]`, or `rediss:` for TLS. Needs the package
 * `@redis/client`, which is loaded, and connected, with the first use. Throws `ERR_INVALID_OPTION` for what is no such
 * URL, without quoting it.
 */
export function createRedisStore(url: string, options: RedisStoreOptions = {}): RedisStore {
  const { prefix = "robots-stream:1:", keepMs = 40 * 86_400_000, claimMs = 10_000, timeoutMs = 5_000 } = options;
  for (const [name, value] of Object.entries({ keepMs, claimMs, timeoutMs })) {
    if (!Number.isInteger(value) || value < 1) {
      throw new UsageError("ERR_INVALID_OPTION", `${name} must be a whole number from 1`);
    }
  }
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol) || new URL(url).hostname === "") {
    throw new UsageError("ERR_INVALID_OPTION", "the store's address must look like redis://host:6379/0");
  }
  const token = randomUUID();
  const claims = new Set<string>();
  let renewing: NodeJS.Timeout | undefined;
  let connecting: Promise<RedisConnection> | undefined;
  let closing: Promise<void> | undefined;

  async function command(...parts: readonly (string | Buffer)[]): Promise<unknown> {
    if (closing !== undefined) throw new StoreError("ERR_STORE_CLOSED", "the store is closed");
    connecting ??= connectRedis(url, timeoutMs);
    return (await connecting).command(parts);
  }

  /** One timer for all claims of this process. */
  function renewAll(): void {
    for (const key of claims) {
      // Nobody to tell: the next command of whoever works for this claim fails too.
      command("EVAL", renewScript, "1", key, token, String(claimMs)).catch(() => undefined);
    }
  }

  async function release(key: string): Promise<void> {
    claims.delete(key);
    if (claims.size === 0) {
      clearInterval(renewing);
      renewing = undefined;
    }
    await command("EVAL", releaseScript, "1", key, token);
  }

  async function shut(): Promise<void> {
    const held = [...claims];
    const connection = await connecting?.catch(() => undefined);
    clearInterval(renewing);
    claims.clear();
    // Those who wait for them need not wait until they expire.
    await Promise.allSettled(held.map(async (key) => connection?.command(["EVAL", releaseScript, "1", key, token])));
    await connection?.close();
  }

  return {
    async get(origin) {
      const value = await command("GET", `${prefix}robots:${origin}`);
      const entry = Buffer.isBuffer(value) ? entryOfBytes(value) : undefined;
      // A value of another origin is none of ours.
      return entry?.origin === origin ? entry : undefined;
    },
    async set(entry) {
      await command("SET", `${prefix}robots:${entry.origin}`, bytesOfEntry(entry), "PX", String(keepMs));
    },
    async claim(origin, signal) {
      const key = `${prefix}claim:${origin}`;
      for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
        signal.throwIfAborted();
        if ((await command("SET", key, token, "NX", "PX", String(claimMs))) !== null) break;
        await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted());
      }
      claims.add(key);
      renewing ??= setInterval(renewAll, Math.max(1, Math.floor(claimMs / 3))).unref();
      return { release: async () => release(key) };
    },
    close() {
      closing ??= shut();
      return closing;
    },
  };
}
