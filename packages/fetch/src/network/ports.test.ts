// No connection is made to the ports of other services, neither for an origin nor after a redirect, with any scheme.
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRobotsClient } from "../client/client.ts";
import { createFtpTransport } from "./ftp.ts";
import { createHttpTransport } from "./http.ts";
import { limitsOf } from "../common/limits.ts";
import { badPorts, refusePort } from "./ports.ts";
import { type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";

const limits = limitsOf({ deadlineMs: 10_000 });

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
