// Robots.txt files over the network, through @robots-stream/fetch and the cache, or from the cache alone.
import type { RobotsClient, RobotsStore, Transport } from "@robots-stream/fetch";
import { openCache } from "../cache/open.ts";
import { type CachePlace, cachePlaceOf } from "../cache/place.ts";
import { isReusable } from "../cache/reuse.ts";
import type { CacheSettings } from "../cache/settings.ts";
import { UsageError } from "../exit.ts";
import { type ClientMore, type NetworkOptions, checkAsked, openClient } from "./client.ts";
import type { RobotsSource } from "./types.ts";

/** The flags that speak about the network and the cache. */
interface CachedOptions extends NetworkOptions {
  readonly cache: CacheSettings;
}

/**
 * Asks each origin, unless the cache knows. Client and cache, with undici and SQLite behind them, are loaded with the
 * first origin: that takes its time. Throws a `UsageError` for a place that no cache can be at. A load rejects with an
 * `IoError` when this machine has nothing left to ask with, or when only the cache may answer and cannot.
 */
export function createNetworkSource(
  options: CachedOptions,
  env: NodeJS.ProcessEnv,
  say: (sentence: string) => void,
): RobotsSource {
  const place = placeOf(options.cache, env);
  let opening: Promise<Opened> | undefined;
  return {
    isRemote: true,
    async load(origin, signal) {
      opening ??= open(options, place, say);
      const { client } = await opening;
      const loaded = await client.load(origin, { signal });
      const { access, fetched, stored } = loaded;
      checkAsked(stored);
      return { access, fetched, code: stored.code, matcherOf: (tokens, reading) => loaded.matcherOf(tokens, reading) };
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.client.close();
      await opened?.store?.close?.();
    },
  };
}

/** Where the cache is. Throws a `UsageError` where flags need one and there is none. */
function placeOf({ text, isOffline, maxBytes }: CacheSettings, env: NodeJS.ProcessEnv): CachePlace {
  const place = cachePlaceOf(text, env);
  if (place.kind === "none" && isOffline) {
    throw new UsageError("wrong-value", "--offline needs a cache, and there is none", "for example: --cache DIR");
  }
  if (place.kind === "redis" && maxBytes !== undefined) {
    throw new UsageError("wrong-value", "--cache-max-bytes is for a folder; of a server's memory the server disposes");
  }
  return place;
}

interface Opened {
  readonly client: RobotsClient;
  readonly store: RobotsStore | undefined;
}

async function open(options: CachedOptions, place: CachePlace, say: (sentence: string) => void): Promise<Opened> {
  const { cache } = options;
  const store = await openCache(place, { maxBytes: cache.maxBytes, isOffline: cache.isOffline, warn: say });
  const reuse = { ...options, startedAt: Date.now() };
  const more: ClientMore = {
    ...(store === undefined ? {} : { store }),
    isUsable: (stored, now) => isReusable(stored, now, reuse),
    ...(cache.isOffline ? { transport: nobody } : {}),
  };
  return { client: await openClient(options, say, more), store };
}

/** The transport of `--offline`: asks nobody. */
const nobody: Transport = {
  exchange(url) {
    const now = Date.now();
    const failure = { code: "not-cached", message: "not in the cache, and nobody is asked", url } as const;
    return Promise.resolve({ hops: [], startedAt: now, endedAt: now, failure });
  },
};
