// Option objects with unknown names, invalid values, getters that throw or change, and names of prototypes.
import { afterEach, describe, expect, test } from "vitest";
import { createRobotsClient } from "../client/client.ts";
import { freshnessOf } from "../access/freshness.ts";
import { createFtpTransport } from "../network/ftp.ts";
import { createGuard } from "../network/guard.ts";
import { createHttpTransport } from "../network/http.ts";
import { limitsOf } from "./limits.ts";
import { accessPolicies } from "../access/policy.ts";
import { createMemoryStore } from "../stores/memory.ts";
import { type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";

type Make = (options: never) => { close?(): unknown } | object;

/** Functions that read options, each with a valid value for every name. */
const readers: readonly (readonly [what: string, make: Make, good: Readonly<Record<string, unknown>>])[] = (() => {
  const network = {
    lookup: () => Promise.resolve([]),
    resolver: "system",
    allowPrivate: ["127.0.0.0/8"],
    perAddress: 3,
    proxy: "http://h.example:3128",
  };
  const http = {
    ...network,
    userAgent: "bot/1",
    ca: ["-----BEGIN CERTIFICATE-----"],
    insecureTls: true,
    errorPages: true,
    now: () => 1,
  };
  const limits = {
    connectTimeoutMs: 5,
    headersTimeoutMs: 5,
    deadlineMs: 5,
    maxRedirects: 5,
    maxHeaderBytes: 500,
    maxBytes: 5,
    maxContentEncodings: 5,
  };
  const freshness = { defaultMs: 1, minMs: 1, maxMs: 1, failureMs: 1, maxFailureMs: 1 };
  const client = {
    ...http,
    store: createMemoryStore(),
    transport: { exchange: () => Promise.reject(new Error("no request expected")) },
    policy: accessPolicies.google,
    soft404: true,
    freshness,
    isUsable: () => true,
    limits,
    concurrency: 3,
    retry: { attempts: 1, maxWaitMs: 1 },
    onWaiting: () => undefined,
    onShortage: () => undefined,
  };
  return [
    ["createRobotsClient", createRobotsClient, client],
    ["createHttpTransport", createHttpTransport, http],
    ["createFtpTransport", createFtpTransport, { ...network, now: () => 1 }],
    ["limitsOf", limitsOf, limits],
    ["freshnessOf", freshnessOf, freshness],
    ["retry", (retry: never) => createRobotsClient({ retry }), client.retry],
  ];
})();

const made: { close?(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map(async (each) => each.close?.()));
});

/** The result of a call: "made", or the code of the thrown error. */
function outcomeOf(make: Make, options: unknown): unknown {
  try {
    made.push(make(options as never));
    return "made";
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}

/** Values that few options or no option accepts. */
const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  "",
  "odd",
  "127.0.0.1",
  Symbol("odd"),
  1n,
  [],
  [1],
  [Symbol("odd"), 1n],
  {},
  Object.create(null),
  () => 1,
  new Proxy({}, { get: () => 1 }),
];

describe.each(readers)("%s", (_what, make, good) => {
  test("valid values are accepted, and undefined counts as not given", () => {
    expect(outcomeOf(make, good)).toBe("made");
    expect(outcomeOf(make, Object.fromEntries(Object.keys(good).map((name) => [name, undefined])))).toBe("made");
    expect(outcomeOf(make, undefined)).toBe("made");
    expect(outcomeOf(make, Object.assign(Object.create({}) as object, good))).toBe("made");
  });

  test.each([null, 1, "text", [], [1]])("%j instead of options is refused", (given) => {
    expect(outcomeOf(make, given)).toBe("ERR_INVALID_OPTION");
  });

  test.each(Object.keys(good))("%s: odd values are refused with ERR_INVALID_OPTION or accepted", (name) => {
    const outcomes = odd.map((value) => outcomeOf(make, { [name]: value }));
    expect(outcomes.filter((outcome) => outcome !== "made" && outcome !== "ERR_INVALID_OPTION")).toEqual([]);
    expect(outcomes).toContain("ERR_INVALID_OPTION");
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "maxByte"])(
    "%s is not the name of an option",
    (name) => {
      const given = JSON.parse(`{${JSON.stringify(name)}: {"insecureTls": true, "maxBytes": 1}}`) as unknown;
      expect(outcomeOf(make, given)).toBe("ERR_INVALID_OPTION");
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  test.each(Object.keys(good))("%s is read once, and a getter that throws is reported", (name) => {
    let reads = 0;
    const once = {
      get [name]() {
        // The first value is valid; a second read returns an invalid one.
        return reads++ === 0 ? good[name] : Symbol("odd");
      },
    };
    expect([outcomeOf(make, once), reads]).toEqual(["made", 1]);
    const throwing = {
      get [name](): unknown {
        throw new Error("the getter's own");
      },
    };
    expect(outcomeOf(make, throwing)).toBe("ERR_INVALID_OPTION");
  });

  test("a member added to Object.prototype is not an option", () => {
    for (const name of Object.keys(good)) {
      // oxlint-disable-next-line no-extend-native -- another library may have done this
      Object.defineProperty(Object.prototype, name, { value: Symbol("odd"), configurable: true, writable: true });
    }
    try {
      expect(outcomeOf(make, {})).toBe("made");
      expect(outcomeOf(make, undefined)).toBe("made");
    } finally {
      for (const name of Object.keys(good)) Reflect.deleteProperty(Object.prototype, name);
    }
  });
});

test.each(odd.filter((value) => value !== true))("createGuard(%o)", (value) => {
  const outcome = outcomeOf(createGuard, value);
  expect(["made", "ERR_INVALID_OPTION"]).toContain(outcome);
  if (!Array.isArray(value) || value.length > 0) expect(outcome).toBe("ERR_INVALID_OPTION");
});

test("lists of addresses are copied: later additions allow no further address", async () => {
  const server = await startRawServer((socket) => socket.end(responseOf(404)));
  const allowPrivate: string[] = ["127.0.0.2"];
  const transport = createHttpTransport({ allowPrivate });
  allowPrivate.push("127.0.0.1");
  const { failure } = await transport.exchange(`${server.origin}/robots.txt`, limitsOf());
  expect(failure?.code).toBe("blocked-address");
  await transport.close?.();
  await server.close();
});

describe("a proxy chosen by a function", () => {
  let server: RawServer;
  afterEach(() => server.close());

  test("is chosen once per request, and its credentials are sent to it only", async () => {
    server = await startRawServer((socket) => socket.end(responseOf(404)));
    let choices = 0;
    const proxies = [`http://one:first@127.0.0.1:${server.port}`, "http://two:second@127.0.0.1:9"];
    const transport = createHttpTransport({ proxy: () => proxies[choices++ % 2] });
    const { response } = await transport.exchange("http://shop.example/robots.txt", limitsOf());
    await transport.close?.();
    expect([response?.status, choices]).toEqual([404, 1]);
    expect(server.requests[0]?.head).toContain(`proxy-authorization: Basic ${btoa("one:first")}`);
    expect(server.requests[0]?.path).toBe("http://shop.example/robots.txt");
  });

  test.each<[what: string, proxy: () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("me:hush");
      },
    ],
    ["returns a number", () => 5],
    ["returns a URL of another scheme", () => "socks5://me:hush@h"],
    ["returns a list", () => ["http://me:hush@h"]],
  ])("a function that %s causes a failure, over every scheme", async (_what, proxy) => {
    server = await startRawServer((socket) => socket.end(responseOf(404)));
    const client = createRobotsClient({ proxy: proxy as () => string, allowPrivate: true });
    for (const scheme of ["http", "https", "ftp"]) {
      const { stored } = await client.load(`${scheme}://127.0.0.1:${server.port}`);
      expect([stored.code, JSON.stringify(stored)]).toEqual(["proxy", expect.not.stringContaining("hush")]);
    }
    expect(server.connections).toBe(0);
    await client.close();
  });
});
