// The store on a Redis server that has keys of other clients, or is full, read-only, loading or slow: every call settles, and other keys
// still work.
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@redis/client";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type StoredRobots, createRobotsClient } from "@robots-stream/fetch";
import { type RedisStore, type RedisStoreOptions, createRedisStore } from "@robots-stream/fetch/redis";
import { type RedisServer, hasRedis, startRedis, whyNoRedis } from "@robots-stream/raw-servers/redis";

const entryOf = (origin: string): StoredRobots => ({
  origin,
  fetchedAt: 1,
  freshUntil: 2,
  access: "unavailable",
  code: "http-404",
  status: 404,
  hops: [{ url: `${origin}/robots.txt`, status: 404 }],
});
const [a, b, c] = ["https://a.example", "https://b.example", "https://c.example"] as const;
const never = new AbortController().signal;
const codeOf = (code: string): unknown => expect.objectContaining({ name: "StoreError", code });

const stores: RedisStore[] = [];
let server: RedisServer;
let count = 0;
function open(options: RedisStoreOptions = {}): { readonly store: RedisStore; readonly prefix: string } {
  const prefix = `faults${count++}:`;
  const store = createRedisStore(`redis://127.0.0.1:${server.port}`, { prefix, ...options });
  stores.push(store);
  return { store, prefix };
}
afterEach(async () => {
  await Promise.all(stores.splice(0).map(async (store) => store.close()));
});

/** Sends commands as another client. */
async function tell(...commands: readonly (readonly string[])[]): Promise<void> {
  const client = createClient({ url: `redis://127.0.0.1:${server.port}` });
  await client.connect();
  for (const command of commands) await client.sendCommand(command);
  client.destroy();
}

describe.skipIf(!hasRedis)(`keys set by other clients${whyNoRedis}`, () => {
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => server.stop());

  const types: readonly (readonly [type: string, command: (key: string) => readonly string[]])[] = [
    ["text without an expiry", (key) => ["SET", key, "x"]],
    ["text that expires in a day", (key) => ["SET", key, "x", "EX", "86400"]],
    ["a list", (key) => ["RPUSH", key, "x"]],
    ["a hash", (key) => ["HSET", key, "x", "y"]],
    ["a set", (key) => ["SADD", key, "x"]],
    ["a sorted set", (key) => ["ZADD", key, "1", "x"]],
    ["a stream", (key) => ["XADD", key, "*", "x", "y"]],
  ];

  test.each(types)("a claim that is %s: the origin is requested anyway", async (_what, command) => {
    const { store, prefix } = open({ claimMs: 300 });
    await tell(command(`${prefix}claim:${a}`));
    const client = createRobotsClient({
      store,
      transport: {
        exchange: (url) =>
          Promise.resolve({
            hops: [{ url, status: 404 }],
            startedAt: 0,
            endedAt: 0,
            response: { status: 404, headers: {}, body: new Uint8Array(0), truncated: false },
          }),
      },
    });
    const loaded = await Promise.all([a, b].map(async (origin) => client.load(origin)));
    expect(loaded.map(({ stored }) => stored.code)).toEqual(["http-404", "http-404"]);
    expect((await store.get(a))?.code).toBe("http-404");
    // The store has not removed the key, which belongs to another client.
    const other = createClient({ url: `redis://127.0.0.1:${server.port}` });
    await other.connect();
    expect(await other.exists(`${prefix}claim:${a}`)).toBe(1);
    other.destroy();
    await client.close();
  });

  test("a claim can be released after another client has replaced its key", async () => {
    const { store, prefix } = open({ claimMs: 100 });
    const claim = await store.claim(a, never);
    await tell(["DEL", `${prefix}claim:${a}`], ["RPUSH", `${prefix}claim:${a}`, "x"]);
    await sleep(150);
    await claim.release();
    expect(await store.get(a)).toBeUndefined();
  });

  test.each(types.slice(2))("a value that is %s counts as missing, and is replaced", async (_what, command) => {
    const told: string[] = [];
    const { store, prefix } = open({ onUnreadable: (why) => told.push(why) });
    await store.set(entryOf(c));
    await tell(command(`${prefix}robots:${a}`), command(`${prefix}robots:${b}`));
    expect([await store.get(a), await store.get(b)]).toEqual([undefined, undefined]);
    expect([(await store.get(c))?.code, told]).toEqual(["http-404", ["the key is of another type"]]);
    await store.set(entryOf(a));
    expect((await store.get(a))?.origin).toBe(a);
  });

  test("a value that unpacks to more than two bodies of `maxBytes` counts as missing", async () => {
    const bodyOf = (bytes: number): object => ({
      access: "successful",
      code: "ok",
      status: 200,
      body: Buffer.alloc(bytes, "#\n"),
    });
    const { store, prefix } = open({ claimMs: 1_000 });
    await store.set({ ...entryOf(a), ...bodyOf(20_000_000) });
    await store.set({ ...entryOf(b), ...bodyOf(500_000) });
    const bounded = createRedisStore(`redis://127.0.0.1:${server.port}`, { prefix, maxBytes: 512_000 });
    stores.push(bounded);
    const got = async (of: RedisStore, origin: string) => (await of.get(origin))?.body?.byteLength;
    expect([await got(store, a), await got(bounded, a), await got(bounded, b)]).toEqual([
      20_000_000,
      undefined,
      500_000,
    ]);
  });

  test("a damaged value counts as missing, and only the first one is reported", async () => {
    const told: string[] = [];
    const { store, prefix } = open({ onUnreadable: (why) => told.push(why) });
    for (const origin of [a, b, c]) await store.set(entryOf(origin));
    // One value is damaged in its checksum, the other value after its checksum.
    await tell(["SETRANGE", `${prefix}robots:${a}`, "4", "~~~~"], ["SETRANGE", `${prefix}robots:${b}`, "30", "~~~"]);
    const got = [await store.get(a), await store.get(b), (await store.get(c))?.origin];
    expect([got, told]).toEqual([[undefined, undefined, c], ["the value is damaged"]]);
  });
});

describe.skipIf(!hasRedis)(`a server that refuses writes${whyNoRedis}`, () => {
  beforeAll(async () => {
    server = await startRedis("--maxmemory-policy", "noeviction");
  });
  afterAll(async () => server.stop());

  test.each<[what: string, harm: readonly string[], heal: readonly string[], code: string]>([
    ["full", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"], "ERR_STORE_FULL"],
    [
      "a replica of an unreachable server",
      ["REPLICAOF", "127.0.0.1", "1"],
      ["REPLICAOF", "NO", "ONE"],
      "ERR_STORE_ACCESS",
    ],
    [
      "without the replicas that it needs",
      ["CONFIG", "SET", "min-replicas-to-write", "3"],
      ["CONFIG", "SET", "min-replicas-to-write", "0"],
      "ERR_STORE_ACCESS",
    ],
    [
      "with a user who may only read",
      ["ACL", "SETUSER", "default", "-set"],
      ["ACL", "SETUSER", "default", "+set"],
      "ERR_STORE_ACCESS",
    ],
  ])("%s, after an earlier write: stored entries can still be read", async (_what, harm, heal, code) => {
    const { store } = open();
    await store.set(entryOf(a));
    const claim = await store.claim(b, never);
    await tell(harm);
    await expect(store.set(entryOf(b))).rejects.toThrow(codeOf(code));
    await expect(store.claim(c, never)).rejects.toThrow(codeOf(code));
    expect([(await store.get(a))?.origin, await store.get(b)]).toEqual([a, undefined]);
    await Promise.resolve(claim.release()).catch((error: unknown) => expect(error).toEqual(codeOf(code)));
    await tell(heal);
    await store.set(entryOf(b));
    expect((await store.get(b))?.origin).toBe(b);
  });
});

describe("unusual replies", () => {
  let replies: Server | undefined;
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    replies?.close();
  });

  /** Starts a server that answers GET with `reply` and every other command with OK. Returns a store on it. */
  async function answer(reply: (gets: number, socket: Socket) => void, timeoutMs: number): Promise<RedisStore> {
    let gets = 0;
    replies = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      // Each chunk is one command: the client sends the next one after the reply.
      socket.on("data", (chunk) => {
        if (chunk.toString("latin1").includes("GET")) reply(gets++, socket);
        else socket.write("+OK\r\n");
      });
    });
    await new Promise<void>((resolve) => {
      replies?.listen(0, "127.0.0.1", resolve);
    });
    const { port } = replies.address() as AddressInfo;
    const store = createRedisStore(`redis://user:secret-word@127.0.0.1:${port}`, { timeoutMs });
    stores.push(store);
    return store;
  }
  const loading = "-LOADING Redis is loading the dataset in memory\r\n";

  test("LOADING for a while: a call waits", async () => {
    const store = await answer((gets, socket) => void socket.write(gets < 3 ? loading : "$-1\r\n"), 20_000);
    expect(await store.get(a)).toBeUndefined();
  });

  test("LOADING without end: a call rejects at its timeout", async () => {
    const store = await answer((_gets, socket) => void socket.write(loading), 400);
    await expect(store.get(a)).rejects.toThrow(codeOf("ERR_STORE_UNREACHABLE"));
  });

  test("an endless reply: the connection is closed at the timeout, and the next command gets a new one", async () => {
    let written = 0;
    const store = await answer((gets, socket) => {
      if (gets > 0) return void socket.write("$-1\r\n");
      socket.write("$500000000000\r\n");
      const more = setInterval(() => (written += Number(socket.write("x".repeat(65_536)))), 5);
      socket.on("close", () => clearInterval(more));
    }, 400);
    await expect(store.get(a)).rejects.toThrow(codeOf("ERR_STORE_UNREACHABLE"));
    await vi.waitFor(() => expect([...sockets].every(({ destroyed }) => destroyed)).toBe(true), 10_000);
    expect(written).toBeGreaterThan(0);
    expect(await store.get(a)).toBeUndefined();
  });

  test("a slow reply that comes in time is used", async () => {
    const store = await answer((_gets, socket) => void setTimeout(() => socket.write("$-1\r\n"), 200), 20_000);
    expect(await store.get(a)).toBeUndefined();
  });

  test.each([
    ["NOAUTH", "-NOAUTH Authentication required: secret-word\r\n"],
    ["an unknown error", "-ERR secret-word\r\n"],
    ["an error without text", "-\r\n"],
    ["a reply of another type", ":7\r\n"],
    ["a list", "*1\r\n$1\r\nx\r\n"],
    ["text instead of a value", "+secret-word\r\n"],
    ["an empty value", "$0\r\n\r\n"],
    ["a closed connection", ""],
  ])("%s, after a good reply: the call settles, and no message contains the password", async (_what, reply) => {
    const store = await answer((gets, socket) => {
      if (reply === "") socket.destroy();
      else socket.write(gets === 0 ? "$-1\r\n" : reply);
    }, 1_000);
    const outcomes: unknown[] = [];
    for (let i = 0; i < 2; i++) outcomes.push(await store.get(a).catch((error: unknown) => error));
    for (const outcome of outcomes) {
      if (outcome !== undefined) expect(outcome).toEqual(codeOf("ERR_STORE_UNREACHABLE"));
      expect(`${String(outcome)} ${JSON.stringify(outcome)} ${(outcome as Error)?.stack}`).not.toContain("secret");
    }
  });
});
