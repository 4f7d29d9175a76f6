// The statements of RFC 9309 about fetching, judging and caching a robots.txt, one by one: against servers on loopback, and with a
// clock that is set by hand where days pass. The access policy is "rfc9309" unless a test names another one. The statements about
// parsing and matching are tested in packages/core/test.
import { isProductToken } from "@robots-stream/core/product-tokens";
import { afterEach, describe, expect, test } from "vitest";
import {
  type Exchange,
  type LoadedRobots,
  type RobotsClient,
  type RobotsClientOptions,
  type Transport,
  createRobotsClient,
} from "../src/index.ts";
import { defaultLimits, defaultUserAgent } from "../src/transports.ts";
import { type RawReply, type RawServer, closedPort, responseOf, startRawServer } from "@robots-stream/raw-servers";

const rules = "user-agent: *\ndisallow: /private\n";
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => end()));
});

function open(options: RobotsClientOptions = {}): RobotsClient {
  const client = createRobotsClient({ allowPrivate: true, policy: "rfc9309", ...options });
  ends.push(() => client.close());
  return client;
}

async function serve(reply: RawReply): Promise<RawServer> {
  const server = await startRawServer(reply);
  ends.push(() => server.close());
  return server;
}

function serveOne(status: number, body: string | Uint8Array = "", headers: Record<string, string> = {}) {
  return serve((socket) => socket.end(responseOf(status, headers, body)));
}

/** The decision for a path and its ground, e.g. "disallow rule". */
function decide(loaded: LoadedRobots, target = "/private/x"): string {
  const decision = loaded.matcherOf("ExampleBot", { dialect: "rfc9309" }).decideTarget(target);
  return `${decision.allowed ? "allow" : "disallow"} ${decision.because}`;
}

/** A transport that always gives one result, and a clock that is set by hand. */
class Scene implements Transport {
  time = Date.UTC(2026, 0, 1);
  status: number | "down" = 200;
  headers: Readonly<Record<string, string>> = {};
  body = rules;
  exchanges = 0;
  readonly now = (): number => this.time;

  exchange(url: string): Promise<Exchange> {
    this.exchanges++;
    const frame = { hops: [], startedAt: this.time, endedAt: this.time };
    if (this.status === "down") {
      return Promise.resolve({ ...frame, failure: { code: "connect-refused", message: "", url } });
    }
    const body = new TextEncoder().encode(this.body);
    const response = { status: this.status, headers: this.headers, body, truncated: false };
    return Promise.resolve({ ...frame, hops: [{ url, status: this.status }], response });
  }

  client(options: RobotsClientOptions = {}): RobotsClient {
    return open({ transport: this, now: this.now, ...options });
  }
}

describe("the identification string", () => {
  const userAgentOf = async (options: RobotsClientOptions): Promise<string | undefined> => {
    const server = await serveOne(200, rules);
    await open(options).load(server.origin);
    return /^user-agent: (.*)$/im.exec(server.requests[0]!.head)?.[1];
  };

  test("§2.2.1 #2 SHOULD: the User-Agent contains the product token: the default User-Agent begins with one", async () => {
    expect(isProductToken("robots-stream")).toBe(true);
    expect(await userAgentOf({})).toContain("robots-stream");
  });

  test("§2.2.1 #3 SHOULD: in HTTP, the identification is the User-Agent header, which is sent unchanged", async () => {
    const userAgent = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    expect(await userAgentOf({ userAgent })).toBe(userAgent);
    expect(await userAgentOf({})).toBe(defaultUserAgent);
  });

  test("§2.2.1 #4 SHOULD: the User-Agent describes the crawler's purpose: the default User-Agent contains a URL about the crawler", () => {
    expect(defaultUserAgent).toMatch(/\(\+https:\/\/[^ )]+\)$/);
  });
});

describe("access", () => {
  test("§2.3 #24 MUST: the file is requested as /robots.txt in the top-level path", async () => {
    const server = await serveOne(200, rules);
    const client = open();
    await client.load(server.origin);
    expect(server.requests.map(({ head }) => head.split("\r\n")[0])).toEqual(["GET /robots.txt HTTP/1.1"]);
    await expect(client.load(`${server.origin}/folder`)).rejects.toMatchObject({ code: "ERR_NOT_AN_ORIGIN" });
  });

  test.each<readonly [what: string, type: string, body: Uint8Array]>([
    ["text/plain", "text/plain; charset=utf-8", Buffer.from(rules)],
    ["another type", "text/html", Buffer.from(rules)],
    ["another charset", "text/plain; charset=iso-8859-1", Buffer.from(`# \u{e9}\n${rules}`, "latin1")],
  ])(
    "§2.3 #25 MUST: servers send UTF-8 as text/plain; the rules of a file with %s are parsed too",
    async (_what, type, body) => {
      const server = await serveOne(200, body, { "content-type": type });
      const loaded = await open().load(server.origin);
      expect(decide(loaded)).toBe("disallow rule");
      // Content-Type is stored for reports.
      expect(loaded.stored.headers).toEqual({ "content-type": type });
    },
  );

  test("§2.3.1.1 #26 MUST: the parseable rules of a downloaded file are followed", async () => {
    const server = await serveOne(200, `<html>\n${rules}nonsense\ndisallow: /b\n</html>`);
    const loaded = await open().load(server.origin);
    expect([loaded.access, decide(loaded), decide(loaded, "/b"), decide(loaded, "/c")]).toEqual([
      "successful",
      "disallow rule",
      "disallow rule",
      "allow no-rule",
    ]);
  });
});

describe("redirects", () => {
  /** Two origins that redirect to each other `redirects` times before one of them returns the file. */
  async function serveBehind(redirects: number): Promise<readonly [RawServer, RawServer]> {
    const origins: string[] = [];
    let left = redirects;
    const reply =
      (own: number): RawReply =>
      (socket) => {
        if (left-- > 0) socket.end(responseOf(302, { location: `${origins[1 - own]}/hop-${left}` }));
        else socket.end(responseOf(200, {}, rules));
      };
    const first = await serve(reply(0));
    const second = await serve(reply(1));
    origins.push(first.origin, second.origin);
    return [first, second];
  }

  test("§2.3.1.2 #27 SHOULD: five consecutive redirects are followed, across authorities", async () => {
    const [first, second] = await serveBehind(5);
    const loaded = await open().load(first.origin);
    expect(loaded.stored.hops.map(({ url, status }) => [new URL(url).origin, status])).toEqual([
      [first.origin, 302],
      [second.origin, 302],
      [first.origin, 302],
      [second.origin, 302],
      [first.origin, 302],
      [second.origin, 200],
    ]);
    expect(decide(loaded)).toBe("disallow rule");
  });

  test.each([301, 302, 303, 307, 308])("§2.3.1.2 #27 SHOULD: a redirect with %i is followed", async (status) => {
    const target = await serveOne(200, rules);
    const first = await serveOne(status, "", { location: `${target.origin}/anything` });
    expect(decide(await open().load(first.origin))).toBe("disallow rule");
  });

  test("§2.3.1.2 #28 MUST: the rules apply to the initial authority only", async () => {
    const target = await serve((socket, { path }) =>
      socket.end(responseOf(200, {}, path === "/shared.txt" ? rules : "user-agent: *\ndisallow: /own\n")),
    );
    const first = await serveOne(301, "", { location: `${target.origin}/shared.txt` });
    const client = open();
    const ofFirst = await client.load(first.origin);
    expect([ofFirst.stored.origin, decide(ofFirst), decide(ofFirst, "/own")]).toEqual([
      first.origin,
      "disallow rule",
      "allow no-rule",
    ]);
    const ofTarget = await client.load(target.origin);
    expect([decide(ofTarget), decide(ofTarget, "/own")]).toEqual(["allow no-rule", "disallow rule"]);
  });

  test("§2.3.1.2 #29 MAY: after more than five redirects the file counts as unavailable", async () => {
    const [first] = await serveBehind(6);
    const loaded = await open().load(first.origin);
    expect([loaded.access, loaded.stored.code, decide(loaded)]).toEqual([
      "unavailable",
      "redirect-limit",
      "allow unavailable",
    ]);
    expect(loaded.stored.hops).toHaveLength(6);
  });
});

describe("status", () => {
  test.each([400, 401, 403, 404, 410, 418, 429, 451, 499])(
    "§2.3.1.3 #30 MAY: %i is unavailable, and everything may be accessed",
    async (status) => {
      const server = await serveOne(status, rules);
      const loaded = await open().load(server.origin);
      expect([loaded.access, decide(loaded)]).toEqual(["unavailable", "allow unavailable"]);
    },
  );

  test("§2.3.1.3 #30 MAY: the default policy, Google's, treats 429 as a server error", async () => {
    const server = await serveOne(429, rules);
    expect(decide(await open({ policy: "google" }).load(server.origin))).toBe("disallow unreachable");
  });

  test.each([500, 502, 503, 504, 599])(
    "§2.3.1.4 #31 MUST: %i is unreachable, and everything is disallowed",
    async (status) => {
      const server = await serveOne(status, rules);
      const loaded = await open().load(server.origin);
      expect([loaded.access, decide(loaded, "/a")]).toEqual(["unreachable", "disallow unreachable"]);
    },
  );

  test("§2.3.1.4 #31 MUST: an exchange that fails before a response is unreachable too", async () => {
    const silent = await serve(() => undefined);
    const cut = await serve((socket) => socket.destroy());
    const half = await serve((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nuser-agent: *\n"));
    const origins = [`http://127.0.0.1:${await closedPort()}`, silent.origin, cut.origin, half.origin];
    const client = open({ limits: { headersTimeoutMs: 300 } });
    for (const origin of origins) {
      const loaded = await client.load(origin);
      expect([loaded.access, decide(loaded, "/a")]).toEqual(["unreachable", "disallow unreachable"]);
    }
  });

  test("§2.3.1.4 #32 MAY: after 30 days the last copy is used; without a copy the file counts as unavailable", async () => {
    const scene = new Scene();
    const client = scene.client();
    await client.load("http://known.example");
    scene.time += 2 * day;
    scene.status = "down";
    expect(decide(await client.load("http://known.example"), "/a")).toBe("disallow unreachable");
    expect(decide(await client.load("http://new.example"), "/a")).toBe("disallow unreachable");
    scene.time += 30 * day - 1;
    expect(decide(await client.load("http://known.example"), "/a")).toBe("disallow unreachable");
    expect(decide(await client.load("http://new.example"), "/a")).toBe("disallow unreachable");
    scene.time += hour;
    const known = await client.load("http://known.example");
    expect([known.stale, decide(known), decide(known, "/a")]).toEqual([true, "disallow rule", "allow no-rule"]);
    expect(decide(await client.load("http://new.example"), "/a")).toBe("allow unavailable");
  });
});

describe("caching", () => {
  test("§2.4 #35 MAY: the file is cached and not requested again while it is fresh", async () => {
    const server = await serveOne(200, rules);
    const client = open();
    expect((await client.load(server.origin)).fetched).toBe(true);
    const again = await client.load(server.origin);
    expect([again.fetched, decide(again), server.requests.length]).toEqual([false, "disallow rule", 1]);
  });

  test("§2.4 #36 MAY: max-age of Cache-Control is obeyed", async () => {
    const scene = new Scene();
    scene.headers = { "cache-control": "max-age=3600" };
    const client = scene.client();
    await client.load("http://h.example");
    scene.time += hour - 1;
    expect((await client.load("http://h.example")).fetched).toBe(false);
    scene.time += 1;
    expect((await client.load("http://h.example")).fetched).toBe(true);
  });

  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ["without Cache-Control", {}],
    ["with a longer max-age", { "cache-control": "max-age=31536000" }],
  ])("§2.4 #37 SHOULD NOT: no copy is used for more than 24 hours, %s", async (_what, headers) => {
    const scene = new Scene();
    scene.headers = headers;
    const client = scene.client();
    await client.load("http://h.example");
    scene.time += day - 1;
    expect((await client.load("http://h.example")).fetched).toBe(false);
    scene.time += 1;
    scene.body = "";
    const loaded = await client.load("http://h.example");
    expect([loaded.fetched, decide(loaded)]).toEqual([true, "allow no-group"]);
    expect(scene.exchanges).toBe(2);
  });
});

describe("limits", () => {
  test("§2.5 #38 SHOULD: the parsed length is limited", () => {
    expect(defaultLimits.maxBytes).toBe(512_000);
  });

  test.each([
    [511_999, false],
    [512_000, false],
    [512_001, true],
  ])("§2.5 #39 MUST: of %i bytes the first 500 KiB are parsed", async (size, truncated) => {
    const rule = "\ndisallow: /last";
    const head = "user-agent: *\n";
    const file = `${head}${"#".repeat(size - head.length - rule.length)}${rule}`;
    expect(file.length).toBe(size);
    const server = await serveOne(200, file);
    const loaded = await open().load(server.origin);
    expect([loaded.stored.body?.length, loaded.stored.truncated === true]).toEqual([
      truncated ? 512_000 - "disallow: /las".length : size,
      truncated,
    ]);
    // When the file is one byte too long, the rule would lose its last letter: a line that is cut is no rule.
    expect([decide(loaded, "/last"), decide(loaded, "/las")]).toEqual([
      truncated ? "allow no-rule" : "disallow rule",
      "allow no-rule",
    ]);
  });

  test.each(["\n", "\r\n", "\r"])("a line that ends at the limit, before %j, is whole", async (lineEnd) => {
    const head = "user-agent: *\n";
    const rule = "\ndisallow: /last";
    const file = `${head}${"#".repeat(512_000 - head.length - rule.length)}${rule}${lineEnd}allow: /last\n`;
    const loaded = await open().load((await serveOne(200, file)).origin);
    expect([loaded.stored.body?.length, loaded.stored.cutAtBytes]).toEqual([512_000, 512_000]);
    expect(decide(loaded, "/last")).toBe("disallow rule");
  });
});
