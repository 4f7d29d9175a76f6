// Tests the transport over fetch. With Node's fetch, it meets the contract of transports, except the cases for guards that it lacks. With
// fetch functions of the test, its own guards are tested.
import { afterEach, describe, expect, test, vi } from "vitest";
import { limitsOf } from "../common/limits.ts";
import { testTransport } from "../../test/contracts.ts";
import { type RawReply, type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { Transport } from "../common/types.ts";
import { createRobotsClient } from "./client.ts";
import { missingGuards } from "./missing-guards.ts";
import type { PlatformFetch } from "./request.ts";
import { type FetchTransportOptions, createFetchTransport } from "./transport.ts";

const limits = limitsOf({ deadlineMs: 5_000 });
const rules = "User-agent: *\nDisallow: /private\n";
const robotsUrl = "http://site.example/robots.txt";

/** Shortens `connectTimeoutMs`: here it is added to the short `headersTimeoutMs` of a case, because one time limit covers both. */
function openForContract(): Transport {
  const transport = createFetchTransport({ allowPrivate: ["127.0.0.0/8"] });
  return {
    ...transport,
    exchange: (url, given, signal, slot) =>
      transport.exchange(url, { ...given, connectTimeoutMs: Math.min(500, given.connectTimeoutMs) }, signal, slot),
  };
}

testTransport("Node's fetch", openForContract, { describe, test }, [
  // whole-coded-body
  "does not accept part of a gzip body as the whole body",
  // framing
  "does not accept a reset as the end of a body",
  "returns conflicting lengths as a failure",
]);

const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

async function serve(reply: RawReply): Promise<RawServer> {
  const server = await startRawServer(reply);
  servers.push(server);
  return server;
}

/** Returns a transport over a fetch function, and the list of the requests made with it. */
function over(answer: PlatformFetch, options: FetchTransportOptions = {}) {
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  const transport = createFetchTransport({
    ...options,
    fetch(url, init) {
      asked.push({ url, init });
      return answer(url, init);
    },
  });
  return { asked, transport };
}

const redirectTo = (location: string): Response => new Response(null, { status: 302, headers: { location } });
const codeOf = async (transport: Transport, url = robotsUrl): Promise<string | undefined> =>
  (await transport.exchange(url, limits)).failure?.code;

describe("checks of a URL", () => {
  test.each([
    ["http://127.0.0.1/robots.txt", "blocked-address"],
    ["http://2130706433/robots.txt", "blocked-address"],
    ["http://0x7f.1/robots.txt", "blocked-address"],
    ["http://10.1.2.3:8080/robots.txt", "blocked-address"],
    ["https://169.254.169.254/robots.txt", "blocked-address"],
    ["http://[::1]/robots.txt", "blocked-address"],
    ["http://[::ffff:10.0.0.1]/robots.txt", "blocked-address"],
    ["http://[64:ff9b::a00:1]/robots.txt", "blocked-address"],
    ["http://[fd00::1]/robots.txt", "blocked-address"],
    ["http://localhost/robots.txt", "blocked-address"],
    ["http://a.localhost./robots.txt", "blocked-address"],
    ["http://site.example:25/robots.txt", "blocked-port"],
    ["http://site.example:6667/robots.txt", "blocked-port"],
    ["ftp://site.example/robots.txt", "scheme-unsupported"],
    ["file:///etc/passwd", "scheme-unsupported"],
    ["no url", "scheme-unsupported"],
  ])("%s: %s, and fetch is never called for the URL, at first or after a redirect", async (url, code) => {
    const direct = over(() => Promise.resolve(new Response(rules)));
    expect(await codeOf(direct.transport, url)).toBe(code);
    expect(direct.asked).toEqual([]);
    const redirected = over(() => Promise.resolve(redirectTo(url)));
    const after = code === "scheme-unsupported" ? "redirect-scheme" : code;
    expect(await codeOf(redirected.transport)).toBe(url === "no url" ? "redirect-loop" : after);
    expect(redirected.asked).toHaveLength(url === "no url" ? 2 : 1);
  });

  test.each([
    ["http://10.1.2.3/robots.txt", ["10.0.0.0/8"], "ok"],
    ["http://10.1.2.3/robots.txt", ["10.1.2.3"], "ok"],
    ["http://10.1.2.3/robots.txt", ["10.1.2.0/31", "fd00::/8"], "blocked-address"],
    ["http://[fd00::9]/robots.txt", ["fd00::/8"], "ok"],
    ["http://localhost/robots.txt", ["127.0.0.0/8"], "ok"],
    // This transport checks no resolved address, so a list of blocks does not allow a name that stands for another address.
    ["http://metadata.google.internal/robots.txt", ["127.0.0.0/8"], "blocked-address"],
    ["http://localhost/robots.txt", ["10.0.0.0/8"], "blocked-address"],
    ["http://a.localhost./robots.txt", ["10.0.0.0/8"], "blocked-address"],
    ["http://127.0.0.1/robots.txt", true, "ok"],
  ])("%s, allowing %j: %s", async (url, allowPrivate, expected) => {
    const { transport } = over(() => Promise.resolve(new Response(rules)), { allowPrivate });
    expect((await codeOf(transport, url)) ?? "ok").toBe(expected);
  });
});

describe("redirects", () => {
  test("are requested one by one, without credentials", async () => {
    const { asked, transport } = over((url) =>
      Promise.resolve(url.endsWith("/robots.txt") ? redirectTo("//u:p@other.example/x#y") : new Response(rules)),
    );
    const { hops } = await transport.exchange(robotsUrl, limits);
    expect(hops).toEqual([
      { url: robotsUrl, status: 302 },
      { url: "http://other.example/x", status: 200 },
    ]);
    expect(asked.map(({ init }) => init.redirect)).toEqual(["manual", "manual"]);
  });

  const opaque = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null, url: "" } as Response;

  test("with a target that the platform hides end the exchange", async () => {
    const { asked, transport } = over(() => Promise.resolve(opaque));
    expect(await codeOf(transport)).toBe("redirect-opaque");
    expect(asked).toHaveLength(1);
  });

  test.each([
    ["http://other.example/robots.txt", undefined],
    ["http://10.0.0.1/robots.txt", "blocked-address"],
    ["http://other.example:25/robots.txt", "blocked-port"],
  ])("are followed by the platform with opaqueRedirects: follow; final URL %s: %s", async (url, code) => {
    const answer = {
      type: "cors",
      status: 200,
      headers: new Headers(),
      body: new Response(rules).body,
      url,
    } as Response;
    const { asked, transport } = over(
      (_url, { redirect }) => Promise.resolve(redirect === "manual" ? opaque : answer),
      { opaqueRedirects: "follow" },
    );
    expect(await codeOf(transport)).toBe(code);
    expect(asked.map(({ init }) => init.redirect)).toEqual(["manual", "follow"]);
  });
});

describe("failures are values", () => {
  const failing = (reason: unknown): PlatformFetch => {
    const answer = Promise.reject(reason);
    answer.catch(() => undefined);
    return () => answer;
  };
  const caused = (code: string, message = code): Error =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });

  test.each<[what: string, error: unknown, code: string]>([
    ["a browser's error", new TypeError("Failed to fetch"), "network-unreachable"],
    ["a reason that is no Error", "odd", "network-unreachable"],
    ["a name that does not exist", caused("ENOTFOUND"), "dns-not-found"],
    ["a name server that fails", caused("EAI_AGAIN"), "dns-failed"],
    ["a refused connection", caused("ECONNREFUSED"), "connect-refused"],
    ["no route", caused("ENETUNREACH"), "network-unreachable"],
    ["no connection in time", caused("UND_ERR_CONNECT_TIMEOUT"), "connect-timeout"],
    ["an expired certificate", caused("CERT_HAS_EXPIRED"), "tls-expired"],
    ["a certificate for another name", caused("ERR_TLS_CERT_ALTNAME_INVALID"), "tls-wrong-host"],
    ["a self-signed certificate", caused("DEPTH_ZERO_SELF_SIGNED_CERT"), "tls-untrusted"],
    ["no file descriptors", caused("EMFILE"), "local-resources"],
    ["Bun's refused connection", Object.assign(new Error("x"), { code: "ConnectionRefused" }), "connect-refused"],
  ])("%s: %s", async (_what, error, code) => {
    expect(await codeOf(over(failing(error)).transport)).toBe(code);
  });

  test("a fetch that throws at once gives network-unreachable", async () => {
    const { transport } = over(() => {
      throw new TypeError("Illegal invocation");
    });
    expect(await codeOf(transport)).toBe("network-unreachable");
  });

  test.each([
    ["content-encoding", "rot13", "encoding"],
    ["content-encoding", "gzip, gzip, gzip, gzip, gzip, gzip", "encoding"],
    ["x-long", "a".repeat(70_000), "headers-too-large"],
    // A field may have the name of a member of Object.prototype.
    ["code", "aborted", undefined],
    ["location", "elsewhere", undefined],
  ])("the field %s: %.20s", async (name, value, code) => {
    const { transport } = over(() => Promise.resolve(new Response(rules, { headers: { [name]: value } })));
    expect(await codeOf(transport)).toBe(code);
  });
});

describe("bounds", () => {
  test("an endless body is read up to the limit", async () => {
    let pulls = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls++;
        controller.enqueue(new Uint8Array(1_000));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const { transport } = over(() => Promise.resolve(new Response(body)));
    const { response } = await transport.exchange(robotsUrl, limitsOf({ maxBytes: 2_500 }));
    expect([response?.body.byteLength, response?.truncated, isCancelled]).toEqual([2_500, true, true]);
    expect(pulls).toBeLessThan(10);
  });

  test.each<[what: string, answer: PlatformFetch]>([
    [
      "obeys the signal",
      (_url, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("stopped")))),
    ],
    ["ignores the signal", () => new Promise(() => undefined)],
    ["has a body that never ends", () => Promise.resolve(new Response(new ReadableStream()))],
  ])("an endless fetch that %s: timeout, and aborted when the transport is closed", async (_what, answer) => {
    const { transport } = over(answer);
    const short = limitsOf({ connectTimeoutMs: 10, headersTimeoutMs: 10, deadlineMs: 100 });
    expect((await transport.exchange(robotsUrl, short)).failure?.code).toBe("timeout");
    const closed = transport.exchange(robotsUrl, limits);
    await transport.close?.();
    expect((await closed).failure?.code).toBe("aborted");
  });

  /** A body that counts its pulls; `fill` answers a pull. */
  function watched(fill: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>) {
    const seen = { pulls: 0, isCancelled: false };
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          seen.pulls++;
          return fill(controller);
        },
        cancel() {
          seen.isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return { seen, body };
  }
  const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  test.each<[what: string, headMs: number, fill: (controller: ReadableStreamDefaultController<Uint8Array>) => unknown]>(
    [
      ["that is silent", 0, () => new Promise(() => undefined)],
      ["that drips", 0, (controller) => later(5).then(() => controller.enqueue(new Uint8Array(1)))],
      ["whose pieces are empty", 0, (controller) => controller.enqueue(new Uint8Array(0))],
      ["that begins after the deadline", 150, (controller) => controller.enqueue(new Uint8Array(1))],
    ],
  )("a body %s is cancelled at the deadline although fetch ignores the signal", async (_what, headMs, fill) => {
    const { seen, body } = watched(async (controller) => void (await fill(controller)));
    const { transport } = over(() => later(headMs).then(() => new Response(body)));
    const { failure } = await transport.exchange(robotsUrl, limitsOf({ deadlineMs: 100 }));
    expect(failure?.code).toBe("timeout");
    await vi.waitFor(() => expect(seen.isCancelled).toBe(true), 5_000);
    const { pulls } = seen;
    await later(20);
    expect(seen.pulls - pulls).toBeLessThanOrEqual(1);
  });

  test("an abort while fetch is called ends the exchange", async () => {
    const controller = new AbortController();
    const { transport } = over(() => {
      controller.abort();
      return new Promise(() => undefined);
    });
    expect((await transport.exchange(robotsUrl, limits, controller.signal)).failure?.code).toBe("aborted");
  });

  test("with errorPages, the beginning of an error page is read", async () => {
    const page = (): Promise<Response> => Promise.resolve(new Response("#".repeat(100_000), { status: 503 }));
    const without = await over(page).transport.exchange(robotsUrl, limits);
    const withPages = await over(page, { errorPages: true }).transport.exchange(robotsUrl, limits);
    expect([without.response?.body.length, withPages.response?.body.length]).toEqual([0, 65_536]);
    const silent = (): Promise<Response> => Promise.resolve(new Response(new ReadableStream(), { status: 503 }));
    const { response } = await over(silent, { errorPages: true }).transport.exchange(
      robotsUrl,
      limitsOf({ headersTimeoutMs: 20 }),
    );
    expect([response?.status, response?.body.length]).toEqual([503, 0]);
  });

  test("one request at a time to an origin", async () => {
    let open = 0;
    let most = 0;
    const { transport } = over(async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open--;
      return new Response(rules);
    });
    await Promise.all(Array.from({ length: 10 }, () => transport.exchange(robotsUrl, limits)));
    expect(most).toBe(1);
  });
});

describe("a client over fetch", () => {
  test("makes one request for all loads and applies the file", async () => {
    const server = await serve((socket) => socket.end(responseOf(200, {}, rules)));
    const client = createRobotsClient({ allowPrivate: true, userAgent: "examplebot/1.0" });
    const [loaded, same] = await Promise.all([client.load(server.origin), client.load(server.origin)]);
    expect(loaded.matcherOf("examplebot").decideTarget("/private").allowed).toBe(false);
    expect([loaded.access, same === loaded, server.requests.length]).toEqual(["successful", true, 1]);
    expect(server.requests[0]?.head).toMatch(/^user-agent: examplebot\/1\.0\r$/im);
    await client.close();
  });

  test("an opaque redirect disallows", async () => {
    const opaque = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null, url: "" } as Response;
    const client = createRobotsClient({ fetch: () => Promise.resolve(opaque) });
    const { stored, access } = await client.load("http://site.example");
    expect([stored.code, access]).toEqual(["redirect-opaque", "unreachable"]);
    await client.close();
  });
});

test("the transport lists its missing guards", () => {
  expect(createFetchTransport().missingGuards).toBe(missingGuards);
  expect(new Set(missingGuards.map(({ name }) => name)).size).toBe(missingGuards.length);
  expect(missingGuards.every((guard) => guard.effect.length > 20 && Object.isFrozen(guard))).toBe(true);
});
