// The client: one exchange per origin, the result in force, freshness, concurrency, aborts, close.
import { afterEach, describe, expect, test } from "vitest";
import { clientSettingsOf } from "./client-options.ts";
import { createClientOver } from "./client-over.ts";
import { type RobotsClientOptions, createRobotsClient } from "./client.ts";
import type { FailureCode } from "../common/failures.ts";
import { createMemoryStore } from "../stores/memory.ts";
import { type RawReply, type RawServer, closedPort, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { Exchange, LoadedRobots, RobotsClient, RobotsStore, StoredRobots, Transport } from "../common/types.ts";

const rules = "User-agent: *\nDisallow: /private\n\nUser-agent: examplebot\nDisallow: /shop\n";
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => end()));
});

function open(options: RobotsClientOptions = {}): RobotsClient {
  const client = createRobotsClient({ allowPrivate: true, ...options });
  ends.push(() => client.close());
  return client;
}

async function serve(reply: RawReply): Promise<RawServer> {
  const server = await startRawServer(reply);
  ends.push(() => server.close());
  return server;
}

type Answer = { status: number; body?: string; headers?: Record<string, string> } | { failure: FailureCode };

/** A transport whose results are set one by one, with a clock that is set by hand. */
class Scene implements Transport {
  time = Date.UTC(2026, 0, 1);
  answer: Answer = { status: 200, body: rules };
  readonly asked: string[] = [];
  readonly now = (): number => this.time;

  exchange(url: string): Promise<Exchange> {
    this.asked.push(url);
    const frame = { hops: [], startedAt: this.time, endedAt: this.time };
    const { answer } = this;
    if ("failure" in answer) {
      return Promise.resolve({ ...frame, failure: { code: answer.failure, message: "", url } });
    }
    const { status, body = "", headers = {} } = answer;
    const response = { status, headers, body: new TextEncoder().encode(body), truncated: false };
    return Promise.resolve({ ...frame, hops: [{ url, status }], response });
  }

  client(options: RobotsClientOptions = {}): RobotsClient {
    return open({ transport: this, now: this.now, ...options });
  }
}

const because = (loaded: LoadedRobots, target = "/private", token = "otherbot"): string => {
  const decision = loaded.matcherOf(token).decideTarget(target);
  return `${decision.allowed ? "allow" : "disallow"} ${decision.because}`;
};

describe("one origin", () => {
  test("a file is parsed, and has a matcher for any product token", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, { "content-type": "text/plain" }, rules)));
    const loaded = await open().load(server.origin);
    expect(loaded.fetched).toBe(true);
    expect(loaded.stored).toMatchObject({
      origin: server.origin,
      access: "successful",
      code: "ok",
      status: 200,
      headers: { "content-type": "text/plain" },
      hops: [{ url: `${server.origin}/robots.txt`, status: 200 }],
    });
    expect(Buffer.from(loaded.stored.body ?? []).toString()).toBe(rules);
    expect(loaded.robots?.groups).toHaveLength(2);
    expect(because(loaded)).toBe("disallow rule");
    expect(because(loaded, "/private", "examplebot")).toBe("allow no-rule");
    expect(because(loaded, "/shop", "examplebot")).toBe("disallow rule");
    expect(loaded.robots).toBe(loaded.robots);
  });

  test.each<readonly [answer: Answer, access: string, code: string, decision: string]>([
    [{ status: 200 }, "successful", "ok", "allow no-group"],
    [{ status: 204 }, "successful", "ok", "allow no-group"],
    [{ status: 200, body: "<html>not found</html>" }, "successful", "ok", "allow no-group"],
    [{ status: 206, body: rules }, "unreachable", "partial", "disallow unreachable"],
    [{ status: 304 }, "unavailable", "http-304", "allow unavailable"],
    [{ status: 401 }, "unavailable", "http-401", "allow unavailable"],
    [{ status: 404, body: rules }, "unavailable", "http-404", "allow unavailable"],
    [{ status: 410 }, "unavailable", "http-410", "allow unavailable"],
    [{ status: 429 }, "unreachable", "http-429", "disallow unreachable"],
    [{ status: 500, body: rules }, "unreachable", "http-500", "disallow unreachable"],
    [{ status: 503 }, "unreachable", "http-503", "disallow unreachable"],
    [{ failure: "redirect-limit" }, "unavailable", "redirect-limit", "allow unavailable"],
    [{ failure: "dns-not-found" }, "unreachable", "dns-not-found", "disallow unreachable"],
    [{ failure: "incomplete" }, "unreachable", "incomplete", "disallow unreachable"],
    [{ failure: "blocked-address" }, "unreachable", "blocked-address", "disallow unreachable"],
  ])("%j", async (answer, access, code, decision) => {
    const scene = new Scene();
    scene.answer = answer;
    const loaded = await scene.client().load("http://h.example");
    expect([loaded.access, loaded.stored.code, because(loaded)]).toEqual([access, code, decision]);
    expect(loaded.robots === undefined).toBe(access !== "successful");
    expect(loaded.stored.body === undefined).toBe(access !== "successful");
  });

  test("rules found through a redirect apply to the first origin; the target origin keeps its own", async () => {
    const target = await serve((socket, { path }) =>
      socket.end(responseOf(200, {}, path === "/shared.txt" ? rules : "User-agent: *\nDisallow: /\n")),
    );
    const first = await serve((socket) => socket.end(responseOf(301, { location: `${target.origin}/shared.txt` })));
    const client = open();
    const loaded = await client.load(first.origin);
    expect(loaded.stored.origin).toBe(first.origin);
    expect(loaded.stored.hops.map(({ url }) => new URL(url).port)).toEqual([String(first.port), String(target.port)]);
    expect(because(loaded)).toBe("disallow rule");
    const own = await client.load(target.origin);
    expect(own.fetched).toBe(true);
    expect(because(own, "/anything")).toBe("disallow rule");
  });

  test("a refused connection is unreachable: everything is disallowed", async () => {
    const loaded = await open().load(`http://127.0.0.1:${await closedPort()}`);
    expect([loaded.stored.code, because(loaded)]).toEqual(["connect-refused", "disallow unreachable"]);
    expect(loaded.stored.status).toBeUndefined();
  });

  test("no connection is made to an address of this machine that is not allowed", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    const loaded = await open({ allowPrivate: false }).load(server.origin);
    expect(loaded.stored.code).toBe("blocked-address");
    expect(server.connections).toBe(0);
  });

  test("ftp through a proxy is not supported", async () => {
    const loaded = await open({ proxy: "http://127.0.0.1:9" }).load("ftp://files.example");
    expect([loaded.stored.code, because(loaded)]).toEqual(["ftp-unsupported", "disallow unreachable"]);
  });

  test("an origin whose name resolves to loopback is loaded end to end", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    const asked: string[] = [];
    const client = open({
      lookup: (name) => {
        asked.push(name);
        return Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
      },
    });
    const loaded = await client.load(`http://shop.example:${server.port}`);
    expect(because(loaded)).toBe("disallow rule");
    expect(asked).toEqual(["shop.example"]);
  });
});

describe("requests are shared", () => {
  test("simultaneous loads share one request", async () => {
    const server = await serve((socket) => setTimeout(() => socket.end(responseOf(200, {}, rules)), 30));
    const client = open();
    const all = await Promise.all(Array.from({ length: 100 }, () => client.load(server.origin)));
    expect(server.requests).toHaveLength(1);
    expect(new Set(all).size).toBe(1);
  });

  test("a later load gets the stored entry", async () => {
    const server = await serve((socket) => socket.end(responseOf(404)));
    const client = open();
    const first = await client.load(server.origin);
    const second = await client.load(server.origin);
    expect([first.fetched, second.fetched, server.requests.length]).toEqual([true, false, 1]);
    expect(second.stored).toBe(first.stored);
  });

  test("two clients with one store make one request", async () => {
    const scene = new Scene();
    const store = createMemoryStore();
    await scene.client({ store }).load("http://h.example");
    const loaded = await scene.client({ store }).load("http://h.example");
    expect([loaded.fetched, scene.asked.length]).toEqual([false, 1]);
  });

  test("http, https and every port are separate origins with separate requests", async () => {
    const scene = new Scene();
    const client = scene.client();
    for (const origin of ["http://h.example", "https://h.example", "http://h.example:8080"]) await client.load(origin);
    expect(scene.asked).toEqual([
      "http://h.example/robots.txt",
      "https://h.example/robots.txt",
      "http://h.example:8080/robots.txt",
    ]);
  });
});

describe("freshness", () => {
  test.each<readonly [answer: Answer, fresh: number]>([
    [{ status: 200, body: rules }, day],
    [{ status: 200, headers: { "cache-control": "max-age=3600" } }, hour],
    [{ status: 404 }, day],
    [{ status: 503 }, 5 * minute],
    [{ status: 503, headers: { "retry-after": "600" } }, 10 * minute],
    [{ failure: "timeout" }, 5 * minute],
  ])("%j is requested again after %i ms and not before", async (answer, fresh) => {
    const scene = new Scene();
    scene.answer = answer;
    const client = scene.client();
    await client.load("http://h.example");
    scene.time += fresh - 1;
    expect((await client.load("http://h.example")).fetched).toBe(false);
    scene.time += 1;
    expect((await client.load("http://h.example")).fetched).toBe(true);
    expect(scene.asked).toHaveLength(2);
  });

  test("the caller's freshness rules replace the defaults", async () => {
    const scene = new Scene();
    const client = scene.client({ freshness: { defaultMs: minute, minMs: 0 } });
    await client.load("http://h.example");
    scene.time += minute;
    expect((await client.load("http://h.example")).fetched).toBe(true);
  });

  test("an entry that another policy judged differently is requested again", async () => {
    const scene = new Scene();
    const store = createMemoryStore();
    scene.answer = { status: 429 };
    expect((await scene.client({ store }).load("http://h.example")).access).toBe("unreachable");
    expect((await scene.client({ store }).load("http://h.example")).fetched).toBe(false);
    const other = await scene.client({ store, policy: "rfc9309" }).load("http://h.example");
    expect([other.fetched, other.access]).toEqual([true, "unavailable"]);
    expect((await scene.client({ store, policy: "rfc9309" }).load("http://h.example")).fetched).toBe(false);
    expect((await scene.client({ store, policy: "yandex" }).load("http://h.example")).fetched).toBe(false);
  });

  test("the result of an aborted exchange is not stored", async () => {
    const scene = new Scene();
    const client = scene.client();
    scene.answer = { failure: "aborted" };
    expect((await client.load("http://h.example")).stored.code).toBe("aborted");
    scene.answer = { status: 200, body: rules };
    expect((await client.load("http://h.example")).access).toBe("successful");
  });
});

describe("outages", () => {
  async function after(steps: readonly (readonly [wait: number, answer: Answer])[]): Promise<LoadedRobots> {
    const scene = new Scene();
    const client = scene.client();
    let loaded: LoadedRobots | undefined;
    for (const [wait, answer] of steps) {
      scene.time += wait;
      scene.answer = answer;
      loaded = await client.load("http://h.example");
    }
    if (loaded === undefined) throw new Error("no step");
    return loaded;
  }
  const good: Answer = { status: 200, body: rules };
  const down: Answer = { status: 503 };

  test("disallow for 12 hours, then the last good copy", async () => {
    const stopped = await after([
      [0, good],
      [day, down],
      [12 * hour - 1_000, down],
    ]);
    expect([because(stopped, "/"), stopped.stale]).toEqual(["disallow unreachable", false]);
    const stale = await after([
      [0, good],
      [day, down],
      [12 * hour, down],
    ]);
    expect([because(stale, "/"), because(stale), stale.stale]).toEqual(["allow no-rule", "disallow rule", true]);
    expect(stale.stored.access).toBe("unreachable");
  });

  test("a 404 replaces an earlier good copy: an outage falls back to the 404", async () => {
    const loaded = await after([
      [0, good],
      [day, { status: 404 }],
      [day, down],
      [13 * hour, down],
    ]);
    expect([because(loaded), loaded.stale]).toEqual(["allow unavailable", true]);
  });

  test("an answer ends an outage, and the next outage has a new start", async () => {
    const loaded = await after([
      [0, down],
      [11 * hour, good],
      [day, down],
      [2 * hour, down],
    ]);
    expect(because(loaded, "/")).toBe("disallow unreachable");
    expect(loaded.stored.unreachableSince).toBe(loaded.stored.fetchedAt - 2 * hour);
  });
});

describe("many origins", () => {
  test("at most `concurrency` exchanges run at once, and every origin gets its own result", async () => {
    let running = 0;
    let most = 0;
    const server = await serve((socket, { head }) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        const host = /host: h(\d+)/.exec(head)?.[1] ?? "";
        socket.end(responseOf(200, {}, `User-agent: *\nDisallow: /only-${host}\n`));
      }, 5);
    });
    const client = open({ concurrency: 7, lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]) });
    const origins = Array.from({ length: 100 }, (_, i) => `http://h${i}.example:${server.port}`);
    const all = await Promise.all(origins.map((origin) => client.load(origin)));
    expect(most).toBeLessThanOrEqual(7);
    expect(server.requests).toHaveLength(100);
    for (const [i, loaded] of all.entries()) expect(because(loaded, `/only-${i}`)).toBe("disallow rule");
  });

  test("the deadline of a waiting load does not run", async () => {
    const server = await serve((socket) => setTimeout(() => socket.end(responseOf(200, {}, rules)), 100));
    const lookup = (): Promise<{ address: string; family: 4 }[]> =>
      Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const client = open({ concurrency: 1, limits: { deadlineMs: 1_000 }, lookup });
    const origins = Array.from({ length: 14 }, (_, i) => `http://h${i}.example:${server.port}`);
    const all = await Promise.all(origins.map((origin) => client.load(origin)));
    expect(new Set(all.map(({ stored }) => stored.code))).toEqual(new Set(["ok"]));
  });

  test("10,000 simultaneous loads, most of which wait, all succeed", async () => {
    const scene = new Scene();
    const client = scene.client({ concurrency: 16 });
    const all = await Promise.all(Array.from({ length: 10_000 }, (_, i) => client.load(`http://h${i}.example`)));
    expect(all.filter(({ access }) => access === "successful")).toHaveLength(10_000);
    expect(new Set(scene.asked).size).toBe(10_000);
  });
});

describe("aborts", () => {
  const silent: RawReply = () => undefined;

  test("an aborted load rejects with the signal's reason, and the connection ends", async () => {
    const server = await serve(silent);
    const client = open();
    const controller = new AbortController();
    const loading = client.load(server.origin, { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("enough"));
    await expect(loading).rejects.toThrow("enough");
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test("after one of two loads is aborted, the other still gets the result", async () => {
    let answer: (() => void) | undefined;
    const server = await serve((socket) => (answer = () => socket.end(responseOf(200, {}, rules))));
    const client = open();
    const controller = new AbortController();
    const leaving = client.load(server.origin, { signal: controller.signal });
    const staying = client.load(server.origin);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("enough"));
    await expect(leaving).rejects.toThrow("enough");
    answer?.();
    expect((await staying).access).toBe("successful");
    expect(server.requests).toHaveLength(1);
  });

  test("an aborted exchange stores nothing, and a new load makes a new request", async () => {
    let silentOnce = true;
    const server = await serve((socket) => {
      if (!silentOnce) socket.end(responseOf(200, {}, rules));
      silentOnce = false;
    });
    const store = createMemoryStore();
    const client = open({ store });
    const controller = new AbortController();
    const leaving = client.load(server.origin, { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("enough"));
    await expect(leaving).rejects.toThrow("enough");
    expect(await store.get(server.origin)).toBeUndefined();
    expect((await client.load(server.origin)).access).toBe("successful");
    expect((await store.get(server.origin))?.code).toBe("ok");
  });

  test("a load that waits for its turn can be aborted", async () => {
    const server = await serve(silent);
    const client = open({ concurrency: 1 });
    const controller = new AbortController();
    const first = client.load(server.origin);
    first.catch(() => undefined);
    const waiting = client.load("http://127.0.0.9:8", { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  test("with a signal that is already aborted, no request is sent", async () => {
    const scene = new Scene();
    const signal = AbortSignal.abort(new Error("late"));
    await expect(scene.client().load("http://h.example", { signal })).rejects.toThrow("late");
    expect(scene.asked).toEqual([]);
  });
});

describe("close", () => {
  test("close ends pending exchanges and leaves no connection open", async () => {
    const server = await serve(
      (socket, { index }) => void (index === 0 && socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n")),
    );
    const client = open({ concurrency: 2, lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]) });
    const loads = Array.from({ length: 20 }, (_, i) => client.load(`http://h${i}.example:${server.port}`));
    const settled = Promise.allSettled(loads);
    await expect.poll(() => server.requests.length).toBe(2);
    await client.close();
    const codes = (await settled).map((load) =>
      load.status === "rejected" ? (load.reason as { code: string }).code : "kept",
    );
    expect(new Set(codes)).toEqual(new Set(["ERR_CLIENT_CLOSED"]));
    await expect.poll(() => server.openConnections).toBe(0);
    await expect(client.load(server.origin)).rejects.toMatchObject({ code: "ERR_CLIENT_CLOSED" });
    await client.close();
  });

  test("close leaves an injected store and an injected transport open", async () => {
    const closed: string[] = [];
    const scene = new Scene();
    const transport: Transport = {
      exchange: (url) => scene.exchange(url),
      close: () => void closed.push("transport"),
    };
    const store: RobotsStore = { ...createMemoryStore(), close: () => void closed.push("store") };
    const client = createRobotsClient({ transport, store });
    await client.load("http://h.example");
    await client.close();
    expect(closed).toEqual([]);
  });

  test("close closes the client's own transport, then its own store", async () => {
    const closed: string[] = [];
    const scene = new Scene();
    const transport: Transport = {
      exchange: (url) => scene.exchange(url),
      close: () => void closed.push("transport"),
    };
    const own = clientSettingsOf({});
    const store: RobotsStore = { ...own.store, close: () => void closed.push("store") };
    const client = createClientOver(transport, { ...own, store });
    await client.load("http://h.example");
    expect(closed).toEqual([]);
    await client.close();
    await client.close();
    expect(closed).toEqual(["transport", "store"]);
  });
});

describe("mistakes", () => {
  test.each([
    "http://h.example/",
    "http://h.example/robots.txt",
    "HTTP://h.example",
    "http://H.example",
    "http://h.example:80",
    "http://user@h.example",
    "h.example",
    "mailto:a@h.example",
    "",
  ])("%j is not an origin", async (origin) => {
    const scene = new Scene();
    await expect(scene.client().load(origin)).rejects.toMatchObject({ code: "ERR_NOT_AN_ORIGIN" });
    expect(scene.asked).toEqual([]);
  });

  test.each<readonly [what: string, options: object]>([
    ["no slot", { concurrency: 0 }],
    ["half a slot", { concurrency: 0.5 }],
    ["an unknown policy", { policy: "gogle" }],
    ["a policy named like a method", { policy: "constructor" }],
    ["an unknown limit", { limits: { timeout: 5 } }],
    ["an unknown resolver", { resolver: "carrier pigeon" }],
    ["a store without set", { store: { get: () => undefined } }],
    ["null instead of a store", { store: null }],
    ["a transport without exchange", { transport: {} }],
    ["a clock that is a number", { now: 0 }],
    ["an unknown rule of freshness", { freshness: { maxAgeMs: 5 } }],
    ["a freshness that is not a number", { freshness: { failureMs: Number.NaN } }],
    ["an invalid address block", { allowPrivate: ["intranet"] }],
    ["a user agent with a line break", { userAgent: "a\r\nb: c" }],
  ])("%s", (_what, options) => {
    expect(() => createRobotsClient(options)).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
  });

  test("an error of the store rejects only the load that it concerns", async () => {
    const scene = new Scene();
    const inner = createMemoryStore();
    const store: RobotsStore = {
      get: (origin) => {
        if (origin === "http://broken.example") throw new Error("disk");
        return inner.get(origin);
      },
      set: (entry: StoredRobots) => inner.set(entry),
    };
    const client = scene.client({ store });
    const [broken, fine] = await Promise.allSettled([
      client.load("http://broken.example"),
      client.load("http://fine.example"),
    ]);
    expect([broken.status, fine.status]).toEqual(["rejected", "fulfilled"]);
  });

  test("an error of the transport rejects only its load, and the slot is freed", async () => {
    const scene = new Scene();
    const transport: Transport = {
      exchange: (url) => (url.includes("broken") ? Promise.reject(new Error("bug")) : scene.exchange(url)),
    };
    const client = open({ transport, concurrency: 1 });
    const loads = await Promise.allSettled(
      ["http://broken.example", "http://fine.example"].map((origin) => client.load(origin)),
    );
    expect(loads.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });
});

test("a policy object that the caller gives judges the exchange", async () => {
  const scene = new Scene();
  scene.answer = { status: 404 };
  const strict = {
    name: "strict",
    rows: [{ when: { status: [404, 404] }, access: "unreachable", code: "gone", source: "this test" }],
    outage: [],
  } as const;
  const loaded = await scene.client({ policy: strict }).load("http://h.example");
  expect([loaded.stored.code, because(loaded)]).toEqual(["gone", "disallow unreachable"]);
});
