// The hosts and addresses that the guard refuses, also after redirects and name resolution.
import { createServer } from "node:net";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { badPorts, createGuard, refusePort } from "./guard.ts";
import { createHttpTransport } from "./http.ts";
import { limitsOf } from "../common/limits.ts";
import type { Lookup } from "./lookup.ts";
import { type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { Exchange } from "../common/types.ts";
import { createRequire } from "node:module";
import { createRobotsClient } from "../client/client.ts";
import { createFtpTransport } from "./ftp.ts";

interface Vectors {
  readonly mustBlock: readonly string[];
  readonly mustAllow: readonly string[];
}
const vectors = JSON.parse(readFileSync(new URL("fixtures/ssrf-vectors.json", import.meta.url), "utf8")) as Vectors;
const limits = limitsOf({ deadlineMs: 3_000 });

describe("the vectors", () => {
  const guard = createGuard();

  test("are all there", () => {
    expect([vectors.mustBlock.length, vectors.mustAllow.length]).toEqual([45, 9]);
  });

  test.each(vectors.mustBlock)("%s is refused before any lookup or connection", async (url) => {
    let asked = 0;
    const lookup: Lookup = () => {
      asked++;
      return Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    };
    const { failure } = await createHttpTransport({ lookup }).exchange(url, limits);
    expect(failure?.code).toBe("blocked-address");
    expect(asked).toBe(0);
  });

  test.each(vectors.mustAllow)("%s is allowed", (url) => {
    expect(guard.refuseHost(new URL(url).hostname)).toBeUndefined();
  });
});

describe("addresses", () => {
  test.each([
    ["9.255.255.255", true],
    ["10.0.0.0", false],
    ["10.255.255.255", false],
    ["11.0.0.0", true],
    ["100.63.255.255", true],
    ["100.64.0.0", false],
    ["100.127.255.255", false],
    ["126.255.255.255", true],
    ["128.0.0.0", true],
    ["168.63.129.15", true],
    ["169.253.255.255", true],
    ["169.255.0.0", true],
    ["172.15.255.255", true],
    ["172.16.0.0", false],
    ["172.32.0.0", true],
    ["192.88.99.1", false],
    ["198.17.255.255", true],
    ["198.19.255.255", false],
    ["198.20.0.0", true],
    ["203.0.113.9", false],
    ["223.255.255.255", true],
    ["224.0.0.0", false],
    ["240.0.0.1", false],
    ["::", false],
    ["::1", false],
    ["::2", false],
    ["::ffff:10.1.2.3", false],
    ["::ffff:8.8.4.4", true],
    ["64:ff9b::a00:1", false],
    ["64:ff9b::808:808", true],
    ["64:ff9b:1:2::808:808", false],
    ["2002:a00:1::", false],
    ["2002:c0a8:101::1", false],
    ["2002:808:808::", true],
    ["2001::1", false],
    ["2001:0db8::1", false],
    ["2001:4860:4860::8888", true],
    ["2a00:1450::1", true],
    ["3fff:fff::1", false],
    ["4000::1", false],
    ["fe80::1%eth0", false],
    ["febf::1", false],
    ["fd12:3456::1", false],
    ["ff05::1", false],
    ["100::1", false],
    ["5f00::1", false],
    ["not an address", false],
    ["", false],
  ])("%s: public %s", (address, isPublic) => {
    expect(createGuard().refuseAddress(address) === undefined).toBe(isPublic);
  });

  test("a list of blocks allows these blocks and no others", () => {
    const guard = createGuard(["127.0.0.0/8", "fd00::/8", "10.1.2.3"]);
    const free = ["127.9.9.9", "fd00::5", "10.1.2.3", "8.8.8.8"];
    const refused = ["10.1.2.4", "192.168.0.1", "fc00::1", "::1"];
    expect(free.filter((address) => guard.refuseAddress(address) !== undefined)).toEqual([]);
    expect(refused.filter((address) => guard.refuseAddress(address) === undefined)).toEqual([]);
    expect(guard.refuseHost("localhost")).toBeUndefined();
    expect(guard.refuseHost("metadata.google.internal")).toBeUndefined();
  });

  test.each([["10.0.0.0/33"], ["::/129"], ["10.0.0.0/"], ["10.0.0.0/-1"], ["10.0.0.0/a"], ["intranet"], [""]])(
    "the block %j is refused",
    (block) => {
      expect(() => createGuard([block])).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
    },
  );
});

describe("redirects and resolvers that lead to private addresses", () => {
  let inside: RawServer;
  beforeAll(async () => {
    inside = await startRawServer((socket) => socket.end(responseOf(200, {}, "User-agent: *\nAllow: /\n")));
  });
  afterAll(async () => inside.close());

  /** The option `allowPrivate` that allows only 127.0.0.2, where the redirecting server listens. */
  const outsideOnly = ["127.0.0.2/32"];

  async function redirectedTo(location: string, lookup?: Lookup): Promise<Exchange> {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(responseOf(302, { location })));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.2", resolve));
    const { port } = server.address() as { port: number };
    try {
      const transport = createHttpTransport({ allowPrivate: outsideOnly, ...(lookup === undefined ? {} : { lookup }) });
      return await transport.exchange(`http://127.0.0.2:${port}/robots.txt`, limits);
    } finally {
      server.close();
    }
  }

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://2130706433/",
  ])("a redirect to %s is refused, and the first hop is recorded", async (location) => {
    const { failure, hops } = await redirectedTo(location);
    expect(failure?.code).toBe("blocked-address");
    expect(hops.map(({ status }) => status)).toEqual([302]);
  });

  test("a redirect to a name that resolves to a private address is refused", async () => {
    const lookup: Lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const { failure } = await redirectedTo(`http://friendly.example:${inside.port}/`, lookup);
    expect(failure?.code).toBe("blocked-address");
    expect(inside.connections).toBe(0);
  });

  test("a resolver that returns an allowed address first and a private one later never leads to the private one", async () => {
    // No server listens at the allowed address.
    const answers = ["127.0.0.3", "127.0.0.1"];
    let asked = 0;
    const lookup: Lookup = () => {
      const address = answers[Math.min(asked++, 1)] ?? "";
      return Promise.resolve([{ address, family: 4 }]);
    };
    const transport = createHttpTransport({ lookup, allowPrivate: ["127.0.0.3/32"] });
    const url = `http://rebinding.example:${inside.port}/robots.txt`;
    const first = await transport.exchange(url, limits);
    // One lookup per connection: the name is not resolved again between the check and the connect.
    expect(asked).toBe(1);
    expect(first.failure?.code).toBe("connect-refused");
    const second = await transport.exchange(url, limits);
    expect(second.failure?.code).toBe("blocked-address");
    expect(inside.connections).toBe(0);
  });

  test("a private address among public ones is not connected to", async () => {
    const lookup: Lookup = () =>
      Promise.resolve([
        { address: "127.0.0.1", family: 4 },
        { address: "127.0.0.3", family: 4 },
      ]);
    const transport = createHttpTransport({ lookup, allowPrivate: ["127.0.0.3/32"] });
    const { failure } = await transport.exchange(`http://mixed.example:${inside.port}/robots.txt`, limits);
    expect(failure?.code).toBe("connect-refused");
    expect(inside.connections).toBe(0);
  });

  test("with allowPrivate the same server answers, so the tests above could have reached it", async () => {
    const lookup: Lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const transport = createHttpTransport({ lookup, allowPrivate: true });
    const { response } = await transport.exchange(`http://friendly.example:${inside.port}/`, limits);
    expect(response?.status).toBe(200);
  });
});

test("the table has the ports of Node's own fetch, and port 0, which the standard added", () => {
  const require = createRequire(import.meta.url);
  const { badPorts: theirs } = require("undici/lib/web/fetch/constants.js") as { badPorts: readonly string[] };
  expect([...badPorts].filter((port) => port !== "0").sort()).toEqual([...theirs].sort());
});

test.each([
  ["http://h.example/", true],
  ["http://h.example:80/", true],
  ["https://h.example:443/", true],
  ["http://h.example:8080/", true],
  ["http://h.example:443/", true],
  ["ftp://h.example/", true],
  ["ftp://h.example:21/", true],
  ["ftp://h.example:2121/", true],
  ["ftp://h.example:25/", false],
  ["http://h.example:21/", false],
  ["http://h.example:25/", false],
  ["https://h.example:0025/", false],
  ["http://h.example:0/", false],
  ["http://[2001:db8::1]:6667/", false],
])("%s is allowed: %s", (url, isFree) => {
  expect(refusePort(new URL(url)) === undefined).toBe(isFree);
});

describe("bad ports", () => {
  let server: RawServer;
  let place = "";
  beforeAll(async () => {
    server = await startRawServer((socket) => socket.end(responseOf(302, { location: place })));
    return () => server.close();
  });
  const asked: string[] = [];
  const options = {
    allowPrivate: true,
    lookup: (hostname: string) => {
      asked.push(hostname);
      return Promise.resolve([{ address: "127.0.0.1", family: 4 } as const]);
    },
  };
  const transport = createHttpTransport(options);
  afterAll(() => transport.close?.());

  test.each(["http://mail.example:25/robots.txt", "https://mail.example:6667/", "//mail.example:22/"])(
    "a redirect to %s is not followed",
    async (location) => {
      place = location;
      const got = await transport.exchange(`${server.origin}/robots.txt`, limits);
      expect([got.hops.map(({ status }) => status), got.failure?.code, got.failure?.url, asked]).toEqual([
        [302],
        "blocked-port",
        new URL(location, server.origin).href,
        [],
      ]);
    },
  );

  test("an origin with a bad port, over http, https and ftp, is unreachable, and the failure is stored", async () => {
    const client = createRobotsClient(options);
    for (const origin of ["http://mail.example:25", "https://mail.example:465", "ftp://mail.example:22"]) {
      const { access, stored } = await client.load(origin);
      expect([access, stored.code, (await client.load(origin)).fetched]).toEqual([
        "unreachable",
        "blocked-port",
        false,
      ]);
    }
    await client.close();
    const proxied = createHttpTransport({ ...options, proxy: server.origin });
    expect((await proxied.exchange("http://mail.example:25/robots.txt", limits)).failure?.code).toBe("blocked-port");
    await proxied.close?.();
    const ftp = createFtpTransport(options);
    expect((await ftp.exchange("ftp://mail.example:23/robots.txt", limits)).failure?.code).toBe("blocked-port");
    await ftp.close?.();
    expect(asked).toEqual([]);
  });
});
