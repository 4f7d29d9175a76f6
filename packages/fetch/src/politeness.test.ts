// Limits of simultaneous requests: one per origin, `perAddress` per address, and one for all exchanges redirected to the same URL. A
// waiting exchange holds no slot, and its deadline is paused.
import { afterEach, describe, expect, test, vi } from "vitest";
import { type RobotsClientOptions, createRobotsClient } from "./client/client.ts";
import { limitsOf } from "./common/limits.ts";
import { createHttpTransport } from "./network/http.ts";
import { type RawReply, type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { RobotsClient } from "./common/types.ts";

const rules = "User-agent: *\nDisallow: /private\n";
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => end()));
});

/** A server that answers late and counts its simultaneous requests. */
async function serve(reply: RawReply, lateMs = 20): Promise<RawServer & { most(): number }> {
  let now = 0;
  let most = 0;
  const server = await startRawServer((socket, request) => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      reply(socket, request);
    }, lateMs);
  });
  ends.push(() => server.close());
  return Object.assign(server, { most: () => most });
}

function open(options: RobotsClientOptions = {}): RobotsClient {
  const client = createRobotsClient({ allowPrivate: true, ...options });
  ends.push(() => client.close());
  return client;
}

const names = (count: number, port: number): string[] =>
  Array.from({ length: count }, (_, i) => `http://n${i}.localhost:${port}`);

describe("an address", () => {
  test.each([
    [undefined, 8],
    [3, 3],
    [1, 1],
  ])("perAddress %s: at most %d at once, for all origins together", async (perAddress, most) => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    const client = open(perAddress === undefined ? {} : { perAddress });
    const loaded = await Promise.all(names(40, server.port).map((origin) => client.load(origin)));
    expect(loaded.map(({ stored }) => stored.code)).toEqual(Array.from({ length: 40 }, () => "ok"));
    expect(server.most()).toBe(most);
  });

  test("an exchange that waits for a crowded address blocks no other", async () => {
    const other = await serve((socket) => socket.end(responseOf(200, {}, rules)), 1);
    // There are two slots. Two origins of one address take them first, but the address allows one request at a time.
    const lookup = (name: string) =>
      Promise.resolve([{ address: name.startsWith("other") ? "127.0.0.1" : "127.0.0.2", family: 4 } as const]);
    const waiting: (() => void)[] = [];
    let isQuickEnded = false;
    const crowded = await startRawServer(
      (socket) => {
        const end = (): void => void socket.end(responseOf(200, {}, rules));
        if (isQuickEnded) end();
        else waiting.push(end);
      },
      undefined,
      "127.0.0.2",
    );
    ends.push(() => crowded.close());
    const client = open({ concurrency: 2, perAddress: 1, lookup });
    const slow = Array.from({ length: 4 }, (_, i) => client.load(`http://slow${i}.example:${crowded.port}`));
    const quick = await client.load(`http://other.example:${other.port}`);
    expect([quick.stored.code, other.requests.length]).toEqual(["ok", 1]);
    // The first of the four has no response yet, and the others wait for it.
    expect(crowded.requests.length).toBeLessThanOrEqual(1);
    isQuickEnded = true;
    for (const end of waiting) end();
    expect((await Promise.all(slow)).map(({ stored }) => stored.code)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(crowded.requests).toHaveLength(4);
  });

  test("the wait for a name's query does not count towards the timeout", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    let isWaiting = false;
    const client = open({
      // Much longer than connecting takes on a busy machine, and shorter than the wait.
      limits: { connectTimeoutMs: 1_500, deadlineMs: 1_800 },
      async lookup(_name, holder) {
        const turn = new Promise<void>((resolve) => void setTimeout(resolve, 2_000));
        isWaiting = true;
        await holder?.hold(turn);
        isWaiting = false;
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });
    const { stored } = await client.load(`http://n.example:${server.port}`);
    expect([stored.code, isWaiting]).toEqual(["ok", false]);
  });

  test("the limit applies to every address that is tried, not only to the first of a name", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    // Each name has an unreachable address of its own before the shared address.
    const lookup = (name: string) =>
      Promise.resolve([
        { address: `127.0.1.${/\d+/.exec(name)![0]}`, family: 4 } as const,
        { address: "127.0.0.1", family: 4 } as const,
      ]);
    const client = open({ perAddress: 2, lookup });
    const origins = Array.from({ length: 12 }, (_, i) => `http://n${i + 1}.example:${server.port}`);
    const loaded = await Promise.all(origins.map((origin) => client.load(origin)));
    expect(loaded.map(({ stored }) => stored.code)).toEqual(Array.from({ length: 12 }, () => "ok"));
    expect(server.most()).toBe(2);
  });

  test("the deadline is paused while an exchange waits for a turn", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)), 200);
    // One response takes a tenth of the deadline; all together take longer than the deadline.
    const limits = { deadlineMs: 2_000, connectTimeoutMs: 1_800, headersTimeoutMs: 1_800 };
    const client = open({ perAddress: 1, limits });
    const loaded = await Promise.all(names(12, server.port).map((origin) => client.load(origin)));
    expect(loaded.map(({ stored }) => stored.code)).toEqual(Array.from({ length: 12 }, () => "ok"));
  });

  test("an exchange that gives up while waiting leaves the queue, and the others get their turn", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)), 50);
    const client = open({ perAddress: 1 });
    const controller = new AbortController();
    const [first, second, third] = names(3, server.port).map((origin, i) =>
      client.load(origin, i === 1 ? { signal: controller.signal } : {}),
    );
    setTimeout(() => controller.abort(new Error("enough")), 10);
    await expect(second).rejects.toThrow("enough");
    expect((await first)?.stored.code).toBe("ok");
    expect((await third)?.stored.code).toBe("ok");
    expect(server.requests).toHaveLength(2);
  });
});

describe("an origin", () => {
  test("one request at a time, including requests after redirects", async () => {
    const target = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    const first = await serve((socket, { head }) => {
      const name = /host: (\w+)/i.exec(head)?.[1] ?? "";
      socket.end(responseOf(301, { location: `http://target.localhost:${target.port}/${name}.txt` }));
    });
    const client = open({ perAddress: 100 });
    const loaded = await Promise.all(names(12, first.port).map((origin) => client.load(origin)));
    expect(loaded.map(({ stored }) => stored.code)).toEqual(Array.from({ length: 12 }, () => "ok"));
    expect([target.requests.length, target.most()]).toEqual([12, 1]);
  });

  test("exchanges that are redirected to the same URL at the same time share its response", async () => {
    const target = await serve((socket) => socket.end(responseOf(200, {}, rules)), 200);
    const first = await serve((socket) =>
      socket.end(responseOf(301, { location: `http://target.localhost:${target.port}/robots.txt` })),
    );
    const client = open({ perAddress: 100 });
    const loaded = await Promise.all(names(12, first.port).map((origin) => client.load(origin)));
    expect(target.requests).toHaveLength(1);
    for (const { stored } of loaded) {
      expect([stored.code, Buffer.from(stored.body ?? []).toString()]).toEqual(["ok", rules]);
      expect(stored.hops.map(({ status }) => status)).toEqual([301, 200]);
    }
    // The results of redirected exchanges do not affect the target origin itself.
    expect((await client.load(`http://target.localhost:${target.port}`)).fetched).toBe(true);
    expect(target.requests).toHaveLength(2);
  });

  test("the first exchange is aborted: the next one sends its own request", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)), 100);
    const transport = createHttpTransport({ allowPrivate: true });
    const controller = new AbortController();
    const url = `${server.origin}/robots.txt`;
    const first = transport.exchange(url, limitsOf(), controller.signal);
    const others = [transport.exchange(url, limitsOf()), transport.exchange(url, limitsOf())];
    setTimeout(() => controller.abort(), 20);
    expect((await first).failure?.code).toBe("aborted");
    expect((await Promise.all(others)).map(({ response }) => response?.status)).toEqual([200, 200]);
    expect(server.requests).toHaveLength(2);
    await transport.close?.();
  });

  test.each([
    ["all to one URL", () => "robots"],
    ["each to its own URL", (name: string) => name],
  ])(
    "redirects to a slow origin, %s: one request, and no exchange waits for the deadline of another",
    async (_what, fileOf) => {
      const slow = await serve((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const dripping = setInterval(() => socket.write("#"), 20);
        socket.on("close", () => clearInterval(dripping));
      });
      const first = await serve((socket, { head }) => {
        const name = /host: (\w+)/i.exec(head)?.[1] ?? "";
        socket.end(responseOf(302, { location: `http://slow.localhost:${slow.port}/${fileOf(name)}.txt` }));
      });
      const client = open({ perAddress: 100, limits: { deadlineMs: 1_500 } });
      const loaded = await Promise.all(names(8, first.port).map((origin) => client.load(origin)));
      expect(new Set(loaded.map(({ stored }) => stored.code))).toEqual(new Set(["timeout"]));
      expect(slow.requests).toHaveLength(1);
    },
  );

  test.each([
    ["a hanging URL of the target", "hangs.txt", 0],
    ["the target's robots.txt shortly before the deadline", "robots.txt", 900],
  ])("after a redirect to %s, the target's robots.txt is still requested", async (_what, file, burnMs) => {
    const target = await serve((socket, { path, index }) => {
      if (path === "/robots.txt" && index > 0) socket.end(responseOf(200, {}, rules));
    }, 1);
    const first = await serve(
      (socket) => socket.end(responseOf(302, { location: `http://target.localhost:${target.port}/${file}` })),
      burnMs,
    );
    const client = open({ perAddress: 100, limits: { deadlineMs: 1_500, headersTimeoutMs: 1_000 } });
    const led = client.load(`http://led.localhost:${first.port}`);
    await vi.waitFor(() => expect(target.requests).toHaveLength(1), 5_000);
    const own = await client.load(`http://target.localhost:${target.port}`);
    expect([(await led).stored.code, own.stored.code]).toEqual(["timeout", "ok"]);
  });

  test("an unreachable origin: all waiting exchanges get the failure without a request of their own", async () => {
    let asked = 0;
    const lookup = async (name: string) => {
      if (!name.startsWith("gone")) return [{ address: "127.0.0.1", family: 4 } as const];
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 100));
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    };
    const first = await serve((socket, { head }) => {
      const name = /host: (\w+)/i.exec(head)?.[1] ?? "";
      socket.end(responseOf(302, { location: `http://gone.example/${name}.txt` }));
    });
    const client = open({ lookup });
    const loaded = await Promise.all(names(8, first.port).map((origin) => client.load(origin)));
    expect(new Set(loaded.map(({ stored }) => stored.code))).toEqual(new Set(["dns-not-found"]));
    expect(asked).toBe(1);
    // A later exchange makes a new request.
    const later = await client.load(`http://late.localhost:${first.port}`);
    expect([later.stored.code, asked]).toEqual(["dns-not-found", 2]);
  });
});

test.each([{ perAddress: 0 }, { perAddress: 1.5 }, { perAddress: Number.NaN }])("%j is wrong usage", (options) => {
  expect(() => createRobotsClient(options)).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }) as Error);
});
