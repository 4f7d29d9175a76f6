// The effect of store errors on the use of the cache, and the warnings about them.
import { type RobotsStore, type StoredRobots } from "@robots-stream/fetch";
import { StoreError, type StoreErrorCode } from "@robots-stream/fetch/sqlite";
import { expect, test } from "vitest";
import { createForgivingStore, openCache } from "./open.ts";

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
