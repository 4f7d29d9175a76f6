// The store on a real redis-server: the contract, claims between processes, a server that stops, no password in messages.
import { type ChildProcess, spawn } from "node:child_process";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { StoredRobots } from "@robots-stream/fetch";
import { type RedisStore, createRedisStore } from "@robots-stream/fetch/redis";
import { testStore } from "./contracts.ts";
import { type RedisServer, hasRedis, startRedis, whyNoRedis } from "@robots-stream/raw-servers/redis";

const entry: StoredRobots = {
  origin: "https://a.example",
  fetchedAt: 1,
  freshUntil: 2,
  access: "unavailable",
  code: "http-404",
  status: 404,
  hops: [{ url: "https://a.example/robots.txt", status: 404 }],
};
const never = new AbortController().signal;
/** Number of origins; more in the thorough form. */
const origins = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 1_000 : 5_000;
const codeOf = (code: string): unknown => expect.objectContaining({ name: "StoreError", code });

describe.skipIf(!hasRedis)(`redis${whyNoRedis}`, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => server.stop());
  const url = (): string => `redis://127.0.0.1:${server.port}/0`;
  let count = 0;

  testStore("redis", () => createRedisStore(url(), { prefix: `contract${count++}:` }), { describe, test });

  describe("claims", () => {
    let [one, other]: RedisStore[] = [];
    beforeEach(() => {
      const prefix = `claims${count++}:`;
      [one, other] = [1, 2].map(() => createRedisStore(url(), { prefix, claimMs: 300 }));
    });
    afterEach(async () => {
      await one?.close();
      await other?.close();
    });

    test("a process holds its claim until it releases the claim, however long that takes", async () => {
      const claim = await one!.claim("a", never);
      let isHeld = false;
      const waiting = other!.claim("a", never).then((second) => {
        isHeld = true;
        return second;
      });
      // Three times the time after which a claim expires without renewal.
      await sleep(900);
      expect(isHeld).toBe(false);
      await claim.release();
      await (await waiting).release();
      await (await one!.claim("a", never)).release();
    });

    test("claims of different origins are independent", async () => {
      const claims = await Promise.all([one!.claim("a", never), other!.claim("b", never)]);
      expect(claims).toHaveLength(2);
      await Promise.all(claims.map(async (claim) => claim.release()));
    });

    test("closing a store releases its claims", async () => {
      const prefix = `closed${count++}:`;
      const [first, second] = [1, 2].map(() => createRedisStore(url(), { prefix, claimMs: 3_600_000 }));
      await first!.claim("a", never);
      await first!.close();
      const claim = await second!.claim("a", AbortSignal.timeout(20_000));
      expect(claim).toBeDefined();
      await claim.release();
      await second!.close();
    });

    test("an aborted wait rejects with the signal's reason", async () => {
      const claim = await one!.claim("a", never);
      const controller = new AbortController();
      const waiting = other!.claim("a", controller.signal);
      const reason = new Error("enough");
      setTimeout(() => controller.abort(reason), 30);
      await expect(waiting).rejects.toBe(reason);
      await claim.release();
    });

    test("a claim that expired and that another process then took is not released", async () => {
      const claim = await one!.claim("a", never);
      // As if this process had been suspended until its claim expired.
      const { createClient } = await import("@redis/client");
      const client = createClient({ url: url() });
      await client.connect();
      await client.set(`claims${count - 1}:claim:a`, "another process");
      await claim.release();
      expect(await client.get(`claims${count - 1}:claim:a`)).toBe("another process");
      client.destroy();
    });
  });

  describe("keys whose value is not an entry", () => {
    test.each([
      ["empty", ""],
      ["text", "User-agent: *\nDisallow: /\n"],
      ["a length longer than the value", "\uffff\uffff\uffff\uffff"],
      ["zeros", "\0".repeat(100)],
    ])("%s", async (_what, value) => {
      const { createClient } = await import("@redis/client");
      const client = createClient({ url: url() });
      await client.connect();
      await client.set("junk:robots:a", value);
      client.destroy();
      const store = createRedisStore(url(), { prefix: "junk:" });
      expect(await store.get("a")).toBeUndefined();
      await store.close();
    });

    test("an entry of another origin counts as missing", async () => {
      const store = createRedisStore(url(), { prefix: "moved:" });
      await store.set(entry);
      const { createClient } = await import("@redis/client");
      const client = createClient({ url: url() });
      await client.connect();
      await client.rename("moved:robots:https://a.example", "moved:robots:https://b.example");
      client.destroy();
      expect(await store.get("https://b.example")).toBeUndefined();
      await store.close();
    });
  });

  test("entries expire", async () => {
    const store = createRedisStore(url(), { prefix: "short:", keepMs: 50 });
    await store.set(entry);
    await sleep(120);
    expect(await store.get(entry.origin)).toBeUndefined();
    await store.close();
  });

  describe("many processes", () => {
    let http: Server;
    const asked = new Map<string, number>();
    /** Replies are sent after this promise has resolved. */
    let opened = Promise.resolve();
    beforeAll(async () => {
      http = createServer(({ headers: { host = "" } }, response) => {
        asked.set(host, (asked.get(host) ?? 0) + 1);
        // Each origin has its own rule, so that a result of another origin is noticed.
        const file = `User-agent: *\nDisallow: /${/^h(\d+)\./.exec(host)?.[1]}\n`;
        void opened.then(() => response.end(file));
      });
      await new Promise<void>((resolve) => {
        http.listen(0, "127.0.0.1", resolve);
      });
    });
    afterAll(() => {
      http.closeAllConnections();
      http.close();
    });
    beforeEach(() => asked.clear());

    function startWorker(database: number, howMany: number, claimMs: number): Worker {
      const { port } = http.address() as AddressInfo;
      const program = fileURLToPath(new URL("redis-worker.ts", import.meta.url));
      const options = ["--conditions=@robots-stream/source", "--disable-warning=ExperimentalWarning"];
      const place = `redis://127.0.0.1:${server.port}/${database}`;
      const child = spawn(
        process.execPath,
        [...options, program, place, String(port), String(howMany), String(claimMs)],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      let text = "";
      const started = new Promise<void>((resolve) => {
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          resolve();
        });
      });
      const ended = new Promise<string>((resolve) => {
        child.once("close", () => resolve(text));
      });
      return { child, started, ended };
    }

    test(`three processes load the same ${origins} origins: each origin is fetched once`, async () => {
      const workers = [1, 2, 3].map(() => startWorker(1, origins, 10_000));
      const counts = await Promise.all(workers.map(async ({ ended }) => countsOf(await ended)));
      expect([asked.size, [...asked.values()].filter((times) => times !== 1)]).toEqual([origins, []]);
      expect(counts.map(({ decided, wrong }) => [decided, wrong])).toEqual(
        Array.from({ length: 3 }, () => [origins, 0]),
      );
      expect(counts.reduce((sum, { fetched }) => sum + fetched, 0)).toBe(origins);
    }, 300_000);

    test("one of three processes is killed: the others load every origin", async () => {
      // On a busy machine a process may pause for a while; its claims must not expire meanwhile.
      const workers = [1, 2, 3].map(() => startWorker(2, 1_000, 3_000));
      const [victim, ...others] = workers as [Worker, Worker, Worker];
      // All three have exchanges under way when one is killed.
      opened = Promise.all(workers.map(async ({ started }) => started)).then(() => undefined);
      while (asked.size < 200) await sleep(5);
      victim.child.kill("SIGKILL");
      expect(await victim.ended).toBe("started\n");
      const counts = await Promise.all(others.map(async ({ ended }) => countsOf(await ended)));
      expect(counts.map(({ decided, wrong }) => [decided, wrong])).toEqual(Array.from({ length: 2 }, () => [1_000, 0]));
      expect(asked.size).toBe(1_000);
      // Only origins that the killed process was fetching are fetched again: at most its `concurrency`.
      const again = [...asked.values()].reduce((sum, times) => sum + times - 1, 0);
      expect(again).toBeLessThanOrEqual(64);
    }, 300_000);
  });
});

interface Worker {
  readonly child: ChildProcess;
  readonly started: Promise<void>;
  readonly ended: Promise<string>;
}

function countsOf(text: string): { readonly decided: number; readonly wrong: number; readonly fetched: number } {
  const last = text.trim().split("\n").at(-1) ?? "";
  return JSON.parse(last) as ReturnType<typeof countsOf>;
}

describe.skipIf(!hasRedis)(`a server that fails${whyNoRedis}`, () => {
  const servers: RedisServer[] = [];
  // Stops the servers of failed tests too.
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(async (server) => server.stop()));
  });
  async function start(...more: readonly string[]): Promise<RedisServer> {
    const server = await startRedis(...more);
    servers.push(server);
    return server;
  }

  test("the server closes connections: no caller gets an error", async () => {
    const server = await start();
    const url = `redis://127.0.0.1:${server.port}`;
    const store = createRedisStore(url);
    const { createClient } = await import("@redis/client");
    const client = createClient({ url });
    await client.connect();
    await store.set(entry);
    for (let round = 0; round < 5; round++) {
      const killing = client.sendCommand(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
      const gets = Array.from({ length: 200 }, async () => store.get(entry.origin));
      expect((await Promise.all(gets)).every((got) => got?.code === "http-404")).toBe(true);
      expect(Number(await killing)).toBe(1);
    }
    client.destroy();
    await store.close();
  });

  test("the server stops: a call rejects", async () => {
    const server = await start();
    const store = createRedisStore(`redis://127.0.0.1:${server.port}`, { timeoutMs: 2_000 });
    await store.set(entry);
    await server.stop();
    await expect(store.get(entry.origin)).rejects.toThrow(codeOf("ERR_STORE_UNREACHABLE"));
    await store.close();
  });

  test("the server is suspended: a call rejects at its timeout", async () => {
    const server = await start();
    const store = createRedisStore(`redis://127.0.0.1:${server.port}`, { timeoutMs: 300 });
    await store.set(entry);
    server.process.kill("SIGSTOP");
    await expect(store.get(entry.origin)).rejects.toThrow(codeOf("ERR_STORE_UNREACHABLE"));
    await store.close();
  });

  test("the server is full from the beginning: a write rejects", async () => {
    const server = await start("--maxmemory", "1", "--maxmemory-policy", "noeviction");
    const store = createRedisStore(`redis://127.0.0.1:${server.port}`);
    await expect(store.set(entry)).rejects.toThrow(codeOf("ERR_STORE_FULL"));
    await store.close();
  });

  test.each(["wrong-secret", ""])("the error for a refused password %j contains no password", async (password) => {
    const server = await start("--requirepass", "right-secret");
    const store = createRedisStore(`redis://user-secret:${password}@127.0.0.1:${server.port}`);
    const error: unknown = await store.get("a").catch((thrown: unknown) => thrown);
    expect(error).toEqual(codeOf("ERR_STORE_UNREACHABLE"));
    const told = `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
    expect(told).not.toContain("secret");
    await store.close();
    const right = createRedisStore(`redis://:right-secret@127.0.0.1:${server.port}`);
    await right.set(entry);
    expect((await right.get(entry.origin))?.code).toBe("http-404");
    await right.close();
  });
});

test("no server on the port: get, set and claim reject", async () => {
  const store = createRedisStore("redis://127.0.0.1:1", { timeoutMs: 3_000 });
  await expect(store.get("a")).rejects.toThrow(codeOf("ERR_STORE_UNREACHABLE"));
  await expect(store.set(entry)).rejects.toThrow(codeOf("ERR_STORE_UNREACHABLE"));
  await expect(store.claim("a", never)).rejects.toThrow(codeOf("ERR_STORE_UNREACHABLE"));
  await store.close();
  await store.close();
  await expect(store.get("a")).rejects.toThrow(codeOf("ERR_STORE_CLOSED"));
});

test.each([
  "",
  "127.0.0.1:6379",
  "http://user:secret@127.0.0.1",
  "redis://user:secret@:6379",
  "redis://u:secret@h:1x",
  "redis:secret@host",
  "redis:/secret@host",
  "redis:///secret",
  "REDIS:secret@host",
  "valkey:secret@host",
  "valkey://u:secret@host",
  "redis://u:12/secret@host",
  "redis://u:12?secret@host",
  "redis://u:12#secret@host",
  "redis://host/secret",
  "redis://u:%secret@host",
])("%j is not an address of a store", (url) => {
  let error: unknown;
  try {
    createRedisStore(url);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toEqual(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
  expect(String(error)).not.toContain("secret");
});
