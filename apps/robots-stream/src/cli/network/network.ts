// Loads robots.txt files from the cache or through @robots-stream/fetch from the network; offline, from the cache alone.
import type { Hop, LoadedRobots, RobotsClient, RobotsStore, StoredRobots, Transport } from "@robots-stream/fetch";
import { defaultLimits, limitsOf } from "@robots-stream/fetch/internal";
import { type FreshnessRules, defaultFreshness } from "@robots-stream/fetch/policy";
import { openCache, type ReuseOptions, isOwnDoing, isReusable } from "../cache/open.ts";
import { type CachePlace, cachePlaceOf, type CacheSettings } from "../cache/settings.ts";
import { UsageError, IoError } from "@robots-stream/engine";
import { type RobotsSource, type SourcedRobots, sourcedOf } from "@robots-stream/engine/internal";
import {
  type ClientMore,
  type ClientSettings,
  type ClientSurroundings,
  limitsOfFlags,
  needsCheck,
  openClient,
  isPrivateOrigin,
  privateOriginsSentence,
} from "./client.ts";

export interface CachedSettings extends ClientSettings {
  readonly cache: CacheSettings;
}

/** A source that can also load the whole cache entry of an origin. */
export interface NetworkSource extends RobotsSource {
  /** Loads the entry from which `load` makes its result. Rejects for the same reasons as `load`. */
  loadEntry(origin: string, signal: AbortSignal): Promise<StoredRobots>;
}

/**
 * Creates a source that loads each origin from the cache or fetches it. The client and the cache (undici and SQLite) are not imported
 * before the first load or check that needs them, because the import takes time. Throws a `UsageError` for an invalid cache location. A
 * load rejects with an `IoError` when this machine has no file descriptors, ports or memory left, and when its network is down.
 */
export function createNetworkSource(settings: CachedSettings, surroundings: ClientSurroundings): NetworkSource {
  const place = placeOf(settings.cache, surroundings.env);
  const watch = createNetworkWatch();
  let opening: Promise<Opened> | undefined;
  let hasPrivate = false;
  let tellWaiting: ((loads: number) => void) | undefined;
  const onWaiting = (loads: number): void => tellWaiting?.(loads);
  // The signal is not passed on, because adding or removing a listener is linear in the number of listeners and thousands of loads
  // may run. `close` ends the loads instead.
  const loadedOf = async (
    origin: string,
    signal: AbortSignal,
  ): Promise<{ loaded: LoadedRobots; sourced: SourcedRobots }> => {
    opening ??= open(settings, place, surroundings, onWaiting);
    const { client } = await opening;
    signal.throwIfAborted();
    const loaded = await client.load(origin);
    const sourced = sourcedOf(origin, loaded);
    if (sourced.fetched) watch.take(loaded.stored.code);
    hasPrivate ||= isPrivateOrigin(loaded.stored);
    return { loaded, sourced };
  };
  return {
    isRemote: true,
    onWaiting(listener) {
      tellWaiting = listener;
    },
    async check() {
      if (needsCheck(settings, surroundings.env)) await (opening ??= open(settings, place, surroundings, onWaiting));
    },
    async loadEntry(origin, signal) {
      return (await loadedOf(origin, signal)).loaded.stored;
    },
    async load(origin, signal) {
      const { loaded, sourced } = await loadedOf(origin, signal);
      const { stored } = loaded;
      return {
        ...sourced,
        exchange: {
          status: stored.status,
          ms: loaded.exchangeMs,
          endedAt: stored.fetchedAt,
          bytes: stored.body?.length ?? 0,
          urls: stored.hops.map(({ url }) => url),
        },
        isDowngraded: isDowngraded(stored.hops),
        freshUntil: expiryOf(stored, settings.cache),
      };
    },
    async close() {
      if (hasPrivate) surroundings.say(privateOriginsSentence);
      hasPrivate = false;
      const opened = await opening?.catch(() => undefined);
      await opened?.client.close();
      await opened?.store?.close?.();
    },
  };
}

/** The place of the cache. Throws a `UsageError` when `--offline` or `--cache-required` is given without a cache, or `--cache-max-bytes` with a cache server. */
function placeOf({ text, isOffline, isRequired, maxBytes }: CacheSettings, env: ClientSurroundings["env"]): CachePlace {
  const place = cachePlaceOf(text, env);
  const needs = isOffline ? "offline" : isRequired ? "cache-required" : undefined;
  if (place.kind === "none" && needs !== undefined) {
    throw new UsageError("wrong-value", `--${needs} needs a cache, and there is none`, "for example: --cache DIR");
  }
  if (place.kind === "redis" && maxBytes !== undefined) {
    throw new UsageError("wrong-value", "--cache-max-bytes needs a folder; a server has its own memory limit");
  }
  return place;
}

interface Opened {
  readonly client: RobotsClient;
  readonly store: RobotsStore | undefined;
}

async function open(
  settings: CachedSettings,
  place: CachePlace,
  surroundings: ClientSurroundings,
  onWaiting: (loads: number) => void,
): Promise<Opened> {
  const { cache, network } = settings;
  const limits = limitsOf(limitsOfFlags(settings));
  const freshness = freshnessWithin(cache.maxFreshMs);
  const store = await openCache(place, {
    maxBytes: cache.maxBytes,
    maxRobotsBytes: Math.max(limits.maxBytes, defaultLimits.maxBytes),
    isOffline: cache.isOffline,
    isRequired: cache.isRequired,
    warn: surroundings.say,
  });
  const reuse: ReuseOptions = {
    cache,
    ...network,
    limits,
    usualLimits: defaultLimits,
    freshness,
    startedAt: Date.now(),
  };
  const more: ClientMore = {
    onWaiting,
    freshness,
    ...(store === undefined
      ? {}
      : { store: network.insecureTls ? unwritten(store) : writtenIf(store, (entry) => !isOwnDoing(entry, reuse)) }),
    isUsable: (stored, now) => isReusable(stored, now, reuse),
    ...(cache.isOffline ? { transport: offlineTransport } : {}),
  };
  return { client: await openClient(settings, surroundings, more), store };
}

/**
 * The freshness rules with `maxMs` as the limit of freshness, with and without a server's max-age; undefined: the default limit. The rules
 * for unreachable origins are the default ones.
 */
function freshnessWithin(maxMs: number = defaultFreshness.maxMs): FreshnessRules {
  const { defaultMs, minMs } = defaultFreshness;
  return { ...defaultFreshness, maxMs, defaultMs: Math.min(defaultMs, maxMs), minMs: Math.min(minMs, maxMs) };
}

/**
 * The time until which a result is used for decisions; undefined: a result is always used. `isReusable` applies the same rule to cache
 * entries.
 */
function expiryOf(
  { fetchedAt, freshUntil, access }: StoredRobots,
  { isOffline, maxAgeMs }: CacheSettings,
): number | undefined {
  if (isOffline) return undefined;
  if (maxAgeMs === undefined) return freshUntil;
  const oldest = fetchedAt + maxAgeMs;
  return access === "unreachable" ? Math.min(oldest, freshUntil) : oldest;
}

function isDowngraded(hops: readonly Hop[]): boolean {
  return hops.some(({ url }, at) => url.startsWith("http:") && hops[at - 1]?.url.startsWith("https:") === true);
}

/**
 * Wraps a store so that nothing is written. Used when certificates are not checked: a response may then be forged, and other runs would
 * trust the stored response.
 */
function unwritten(store: RobotsStore): RobotsStore {
  return { get: (origin) => store.get(origin), set: () => undefined };
}

function writtenIf(store: RobotsStore, isKept: (entry: StoredRobots) => boolean): RobotsStore {
  const { claim } = store;
  return {
    get: (origin) => store.get(origin),
    set: (entry) => (isKept(entry) ? store.set(entry) : undefined),
    ...(claim === undefined ? {} : { claim: (origin, signal) => claim.call(store, origin, signal) }),
  };
}

/** The transport of `--offline`: every exchange fails. */
const offlineTransport: Transport = {
  exchange(url) {
    const now = Date.now();
    const failure = { code: "not-cached", message: "not in the cache, and no request is sent", url } as const;
    return Promise.resolve({ hops: [], startedAt: now, endedAt: now, failure });
  },
};

/**
 * Number of consecutive origins with a suspicious code after which the network is considered down. While the network is up, so many of
 * these origins in a row are not expected in any log.
 */
const maxInARow = 100;

/** Codes that origins get when packets do not leave this machine or no name server answers. */
const suspicious: ReadonlySet<string> = new Set(["network-unreachable", "dns-failed", "dns-timeout"]);

/** Creates the watch of one run. Any response and any failure with another code show that the network is up. */
export function createNetworkWatch() {
  let inARow = 0;
  const codes = new Set<string>();
  return {
    /** Takes the code of an origin that was just fetched. Throws an `IoError` when the network is down. */
    take(code: string): void {
      if (!suspicious.has(code)) {
        inARow = 0;
        codes.clear();
        return;
      }
      codes.add(code);
      if (++inARow < maxInARow) return;
      const why = `none of the last ${inARow} origins could be reached (${[...codes].join(", ")}); is this machine connected?`;
      throw new IoError("input", "network", new Error(why));
    },
  };
}
