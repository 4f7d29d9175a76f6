// Records of several origins through a client: counts how often each origin's URL is parsed before its request.
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type RobotsClient, createRobotsClient } from "@robots-stream/fetch";
import * as urls from "@robots-stream/url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { decideStream } from "./decide-stream.ts";
import type { OriginLoader } from "./types.ts";

vi.mock("@robots-stream/url", async (load) => {
  const actual = await load<typeof urls>();
  return { ...actual, parseTarget: vi.fn<typeof urls.parseTarget>(actual.parseTarget) };
});

const PlatformURL = globalThis.URL;
/** The arguments of the platform's URL parser. */
const platformParsed: string[] = [];
let server: Server;
let client: RobotsClient;

beforeEach(async () => {
  server = createServer((_request, response) => response.end("User-agent: *\nDisallow: /x\n"));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  client = createRobotsClient({ allowPrivate: true });
  platformParsed.length = 0;
  vi.mocked(urls.parseTarget).mockClear();
  globalThis.URL = new Proxy(PlatformURL, {
    construct(target, given: [string, string?]) {
      platformParsed.push(given[0]);
      return new target(...given);
    },
    get(target, name) {
      if (name !== "parse") return Reflect.get(target, name) as unknown;
      return (...given: [string, string?]) => {
        platformParsed.push(given[0]);
        return target.parse(...given);
      };
    },
  });
});

afterEach(async () => {
  globalThis.URL = PlatformURL;
  await client.close();
  await new Promise((closed) => server.close(closed));
});

/** Loads three origins with five records each; returns how often `parseTarget` and the platform's parser parsed each origin. */
async function parsesOf(robots: OriginLoader): Promise<readonly (readonly [ours: number, platform: number])[]> {
  const { port } = server.address() as AddressInfo;
  const origins = ["a", "b", "c"].map((name) => `http://${name}.localhost:${port}`);
  const input = Buffer.from(
    origins.flatMap((origin) => [0, 1, 2, 3, 4].map((n) => `${JSON.stringify({ url: `${origin}/x${n}` })}\n`)).join(""),
  );
  const rows = await text(Readable.from([input]).pipe(decideStream({ agents: "bingbot", robots })));
  expect(rows.match(/"allowed":false/g)).toHaveLength(15);
  const ours = vi.mocked(urls.parseTarget).mock.calls.map(([url]) => url);
  return origins.map((origin) => {
    const isOf = (url: string): boolean => url.startsWith(origin);
    return [ours.filter(isOf).length, platformParsed.filter(isOf).length] as const;
  });
}

// The platform parses twice: the transport takes text, and undici accepts no URL object with a path.
test("`parseTarget` parses an origin's URL once, for the engine, and not again for the client", async () => {
  expect(await parsesOf(client)).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
});

test("the `load` of a derived object is called, whatever its prototype", async () => {
  const load = vi.fn<OriginLoader["load"]>((origin, options) => client.load(origin, options));
  expect(await parsesOf({ ...client, load })).toEqual([
    [2, 2],
    [2, 2],
    [2, 2],
  ]);
  expect(load).toHaveBeenCalledTimes(3);
});
