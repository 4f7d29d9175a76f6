// The effect of store errors on the use of the cache; and whether a cache entry is used, at the boundary values of each flag.
import type { RobotsStore, StoredRobots, Limits } from "@robots-stream/fetch";
import { StoreError, type StoreErrorCode } from "@robots-stream/fetch/sqlite";
import { expect, test } from "vitest";
import { createForgivingStore, openCache, type ReuseOptions, isOwnDoing, isReusable } from "./open.ts";
import { defaultLimits } from "@robots-stream/fetch/internal";
import { defaultFreshness } from "@robots-stream/fetch/policy";

const entry: StoredRobots = {
  origin: "https://a.example",
  fetchedAt: 1,
  freshUntil: 2,
  access: "unavailable",
  code: "http-404",
  hops: [],
};
const never = new AbortController().signal;

/** A store whose named methods fail. The store counts its calls. */
function failing(methods: readonly string[], code: StoreErrorCode) {
  const asked: string[] = [];
  const ask = async <T>(method: string, value: T): Promise<T> => {
    asked.push(method);
    if (methods.includes(method)) throw new StoreError(code, "no");
    return Promise.resolve(value);
  };
  const store: RobotsStore = {
    get: () => ask("get", entry),
    set: () => ask("set", undefined),
    claim: () => ask("claim", { release: () => ask("release", undefined) }),
    close: () => ask("close", undefined),
  };
  return { store, asked };
}

test.each<[methods: string[], StoreErrorCode, told: string[], reads: number, writes: number]>([
  [["set"], "ERR_STORE_FULL", ["read-only"], 6, 1],
  [["set", "claim", "release"], "ERR_STORE_FULL", ["read-only"], 6, 0],
  [["set", "claim"], "ERR_STORE_ACCESS", ["read-only"], 6, 0],
  [["release"], "ERR_STORE_ACCESS", ["read-only"], 6, 1],
  [["set"], "ERR_STORE_BUSY", ["read-only"], 6, 1],
  [["set"], "ERR_STORE_UNREACHABLE", ["failed"], 2, 1],
  [["set"], "ERR_STORE_DAMAGED", ["failed"], 2, 1],
  [["claim"], "ERR_STORE_UNREACHABLE", ["failed"], 1, 0],
  [["get"], "ERR_STORE_ACCESS", ["failed"], 1, 0],
  [["get", "set", "claim"], "ERR_STORE_UNREACHABLE", ["failed"], 1, 0],
])("the methods %j of a store fail with %s", async (methods, code, told, reads, writes) => {
  const { store, asked } = failing(methods, code);
  const heard: string[] = [];
  const forgiving = createForgivingStore(store, {
    onFailure: () => heard.push("failed"),
    onReadOnly: () => heard.push("read-only"),
  });
  // The calls that a client makes for each origin.
  for (let round = 0; round < 3; round++) {
    await forgiving.get(entry.origin);
    const claim = await forgiving.claim?.(entry.origin, never);
    await forgiving.get(entry.origin);
    await forgiving.set(entry);
    await claim?.release();
  }
  await forgiving.close?.();
  expect([heard, asked.filter((method) => method === "get").length]).toEqual([told, reads]);
  expect(asked.filter((method) => method === "set").length).toBe(writes);
});

test.each(["get", "set", "claim", "release"])(
  "a required store fails at %s with the error of its callback",
  async (method) => {
    const stop = (): never => {
      throw new Error("stopped");
    };
    for (const code of ["ERR_STORE_UNREACHABLE", "ERR_STORE_FULL"] as const) {
      const { store } = failing([method], code);
      const required = createForgivingStore(store, { onFailure: stop, onReadOnly: stop });
      const used = async (): Promise<void> => {
        await required.get(entry.origin);
        const claim = await required.claim?.(entry.origin, never);
        await required.set(entry);
        await claim?.release();
      };
      await expect(used()).rejects.toThrow("stopped");
      // Later calls fail, too: no load may continue without the store.
      await expect(used()).rejects.toThrow("stopped");
    }
  },
);

test("a required cache that cannot be opened is an error", async () => {
  const place = { kind: "redis", url: "redis://user:secret@127.0.0.1:1/0" } as const;
  const warned: string[] = [];
  const warn = (sentence: string): void => void warned.push(sentence);
  const options = { maxBytes: undefined, maxRobotsBytes: 1_000, isOffline: false, warn };
  await expect(openCache(place, { ...options, isRequired: true })).rejects.toMatchObject({
    code: "ERR_IO",
    message: expect.stringMatching(/^cache redis:..127.*ECONNREFUSED; --cache-required ends the run$/) as string,
  });
  expect(warned).toEqual([]);
});

const hour = 3_600_000;
const at = 1_000 * hour;
const good: StoredRobots = {
  origin: "https://a.example",
  fetchedAt: at,
  freshUntil: at + 24 * hour,
  access: "successful",
  code: "ok",
  status: 200,
  body: new Uint8Array(100),
  hops: [],
};
const failed: StoredRobots = { ...good, access: "unreachable", code: "timeout", freshUntil: at + hour / 12 };
const slowToConnect: StoredRobots = { ...failed, code: "connect-timeout" };
const { body: _body, status: _status, ...without } = good;
const withoutFile: StoredRobots = { ...without, access: "unavailable" };
const hops = (length: number): StoredRobots["hops"] =>
  Array.from({ length }, (_, i) => ({ url: `https://a.example/${i}`, status: 301 }));
const limited = (limits: Partial<Limits>): Partial<ReuseOptions> => ({ limits: { ...defaultLimits, ...limits } });
const usual = { maxAgeMs: undefined, isOffline: false, isRefreshed: false };
const offline = { ...usual, isOffline: true };
const refreshed = { ...usual, isRefreshed: true };
const aged = (maxAgeMs: number): ReuseOptions["cache"] => ({ ...usual, maxAgeMs });

test.each<[what: string, StoredRobots, now: number, Partial<ReuseOptions>, expected: boolean]>([
  ["fresh", good, at, {}, true],
  ["fresh to the last millisecond", good, at + 24 * hour - 1, {}, true],
  ["stale", good, at + 24 * hour, {}, false],
  ["stored as fresh for years", { ...good, freshUntil: at + 9_000 * hour }, at + 24 * hour, {}, false],
  [
    "stored as fresh for years, with --max-age",
    { ...good, freshUntil: at + 9_000 * hour },
    at + 24 * hour,
    { cache: aged(168 * hour) },
    true,
  ],
  ["a failure stored as fresh for years", { ...failed, freshUntil: at + 9_000 * hour }, at + hour, {}, false],
  [
    "a failure stored as fresh for years, with --max-age",
    { ...failed, freshUntil: at + 9_000 * hour },
    at + hour,
    { cache: aged(168 * hour) },
    false,
  ],
  ["fetched in the future", good, at - 1, {}, false],
  ["fetched in the future, with --max-age", good, at - 1, { cache: aged(hour) }, false],
  ["a failure, fresh", failed, at + 1, {}, true],
  ["a failure, stale", failed, at + hour / 12, {}, false],
  ["younger than --max-age", good, at + hour - 1, { cache: aged(hour) }, true],
  ["as old as --max-age", good, at + hour, { cache: aged(hour) }, false],
  ["stale, but younger than --max-age", good, at + 100 * hour, { cache: aged(168 * hour) }, true],
  ["--max-age 0", good, at, { cache: aged(0) }, false],
  ["a failure is not used longer than it is fresh", failed, at + hour / 12, { cache: aged(168 * hour) }, false],
  ["a failure is used for a shorter time with --max-age", failed, at + 60_000, { cache: aged(60_000) }, false],
  ["offline, stale", good, at + 9_000 * hour, { cache: offline }, true],
  ["offline, fetched in the future", good, at - 9 * hour, { cache: offline }, true],
  ["offline, a failure", failed, at + 9 * hour, { cache: offline }, true],
  ["--refresh, fetched before the run", good, at + 1, { cache: refreshed, startedAt: at + 1 }, false],
  ["--refresh, fetched by another process during this run", good, at + 1, { cache: refreshed, startedAt: at }, true],
  ["blocked then, allowed now", { ...failed, code: "blocked-address" }, at, { allowPrivate: true }, false],
  ["blocked then and now", { ...failed, code: "blocked-address" }, at, {}, true],
  ["blocked then, a list allowed now", { ...failed, code: "blocked-address" }, at, { allowPrivate: ["::1"] }, false],
  ["not trusted then, other certificates now", { ...failed, code: "tls-untrusted" }, at, { caPath: "ca.pem" }, false],
  ["not trusted then, any certificate now", { ...failed, code: "tls-expired" }, at, { insecureTls: true }, false],
  ["not trusted then and now", { ...failed, code: "tls-expired" }, at, {}, true],
  ["truncated at a lower limit than now", { ...good, truncated: true }, at, limited({ maxBytes: 101 }), false],
  ["truncated at the same limit", { ...good, truncated: true }, at, limited({ maxBytes: 100 }), true],
  ["longer than the size limit now", good, at, limited({ maxBytes: 99 }), false],
  ["too long for a policy", { ...withoutFile, status: 200, code: "too-large", truncated: true }, at, {}, false],
  ["more redirects than are followed now", { ...good, hops: hops(3) }, at, limited({ maxRedirects: 1 }), false],
  ["as many redirects as are followed now", { ...good, hops: hops(3) }, at, limited({ maxRedirects: 2 }), true],
  [
    "gave up after fewer redirects than allowed now",
    { ...withoutFile, code: "redirect-limit", hops: hops(1) },
    at,
    {},
    false,
  ],
  [
    "gave up after as many redirects as allowed now",
    { ...withoutFile, code: "redirect-limit", hops: hops(6) },
    at,
    {},
    true,
  ],
  [
    "gave up after more redirects than allowed now",
    { ...withoutFile, code: "redirect-limit", hops: hops(8) },
    at,
    {},
    false,
  ],
  ["too slow for the default limit", failed, at, {}, true],
  ["too slow for the default limit, lower limit now", failed, at, limited({ deadlineMs: 1_000 }), true],
  ["too slow for the default limit, higher limit now", failed, at, limited({ deadlineMs: 60_000 }), false],
  ["too slow to connect, more time to connect now", slowToConnect, at, limited({ connectTimeoutMs: 60_000 }), false],
  ["too slow to connect, more time to answer now", slowToConnect, at, limited({ headersTimeoutMs: 60_000 }), true],
  [
    "headers too large, higher limit now",
    { ...failed, code: "headers-too-large" },
    at,
    limited({ maxHeaderBytes: 99_999 }),
    false,
  ],
  ["refused by a proxy", { ...failed, code: "proxy-refused" }, at, {}, false],
  ["a code of another version", { ...failed, code: "constructor" }, at, {}, true],
])("%s", (_what, stored, now, options, expected) => {
  const asking = { allowPrivate: false, caPath: undefined, insecureTls: false };
  const limits = { limits: defaultLimits, usualLimits: defaultLimits };
  const defaults: ReuseOptions = { cache: usual, ...limits, startedAt: 0, freshness: defaultFreshness, ...asking };
  expect(isReusable(stored, now, { ...defaults, ...options })).toBe(expected);
});

test.each<[code: string, limits: Partial<Limits>, caPath: string | undefined, expected: boolean]>([
  ["timeout", {}, undefined, false],
  ["timeout", { deadlineMs: 1_000 }, undefined, true],
  ["timeout", { headersTimeoutMs: 1_000 }, undefined, true],
  ["timeout", { deadlineMs: 60_000 }, undefined, false],
  ["connect-timeout", { connectTimeoutMs: 1 }, undefined, true],
  ["dns-timeout", { connectTimeoutMs: 1 }, undefined, true],
  ["tls-timeout", { connectTimeoutMs: 1 }, undefined, true],
  ["tls-timeout", {}, "ca.pem", false],
  ["headers-too-large", { maxHeaderBytes: 256 }, undefined, true],
  ["redirect-limit", { maxRedirects: 0 }, undefined, true],
  ["redirect-limit", { maxRedirects: 9 }, undefined, false],
  ["tls-untrusted", {}, "ca.pem", true],
  ["tls-untrusted", {}, undefined, false],
  ["http-404", { deadlineMs: 1, maxRedirects: 0 }, "ca.pem", false],
  ["ok", { deadlineMs: 1, maxRedirects: 0 }, "ca.pem", false],
])("%s with the limits %j and certificates %s: caused by the run's own flags: %s", (code, limits, caPath, expected) => {
  const options = { limits: { ...defaultLimits, ...limits }, usualLimits: defaultLimits, caPath };
  expect(isOwnDoing({ code }, options)).toBe(expected);
});
