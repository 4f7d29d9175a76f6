// The memory store: the contract, and its limit of bytes.
import { describe, expect, test } from "vitest";
import { testStore } from "../../test/contracts.ts";
import type { RobotsStore, StoredRobots } from "../common/types.ts";
import { createMemoryStore } from "./memory.ts";

testStore("memory", () => createMemoryStore(), { describe, test });

// vitest.config.ts starts Node with --expose-gc.
const collect = globalThis.gc!;

function heldBytes(): number {
  collect();
  // `heapUsed` does not include the bodies, which are freed some time later.
  return process.memoryUsage().heapUsed;
}

const entryOf = (origin: string, bytes: number): StoredRobots => ({
  origin,
  fetchedAt: 0,
  freshUntil: 1,
  access: "successful",
  code: "ok",
  body: new Uint8Array(bytes),
  hops: [],
});

describe("the bound", () => {
  test("the least recently used entry is evicted first", async () => {
    const store = createMemoryStore({ maxBytes: 35_000 });
    for (const origin of ["a", "b", "c"]) await store.set(entryOf(origin, 10_000));
    await store.get("a");
    await store.set(entryOf("d", 10_000));
    const kept = await Promise.all(["a", "b", "c", "d"].map(async (origin) => (await store.get(origin))?.origin));
    expect(kept).toEqual(["a", undefined, "c", "d"]);
  });

  test("a replaced entry counts once", async () => {
    const store = createMemoryStore({ maxBytes: 25_000 });
    await store.set(entryOf("a", 10_000));
    for (let i = 0; i < 50; i++) await store.set(entryOf("b", 10_000));
    expect((await store.get("a"))?.origin).toBe("a");
  });

  test("an entry larger than the bound is not kept, and evicts the others", async () => {
    const store = createMemoryStore({ maxBytes: 5_000 });
    await store.set(entryOf("a", 10_000));
    expect(await store.get("a")).toBeUndefined();
    await store.set(entryOf("b", 1_000));
    expect((await store.get("b"))?.origin).toBe("b");
  });

  test.each([0, -1, Number.NaN])("%d is not a valid bound", (maxBytes) => {
    expect(() => createMemoryStore({ maxBytes })).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
  });

  const origins = Array.from({ length: 500 }, (_, i) => `http://n${i}.example`);
  test.each<[what: string, rounds: number, use: (store: RobotsStore, origin: string) => unknown]>([
    ["read", 1_000, (store, origin) => store.get(origin)],
    ["replaced", 200, (store, origin) => store.set(entryOf(origin, 0))],
  ])("entries that are %s often take no more memory", (_what, rounds, use) => {
    const store = createMemoryStore();
    for (const origin of origins) void store.set(entryOf(origin, 1_000));
    const before = heldBytes();
    for (let round = 0; round < rounds; round++) for (const origin of origins) void use(store, origin);
    // The entries take less than 1 MB; the hash tables and entries that V8 kept alive for an iterator took 25 MB.
    expect(heldBytes() - before).toBeLessThan(8_000_000);
    expect(store.get(origins[0]!)).toBeDefined();
  });
});
