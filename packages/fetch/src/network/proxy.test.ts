// Proxies: the choice for a URL, as curl reads the environment; the requests through them; the secrets that messages leave out.
import { type Server, type Socket, connect, createServer } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type HttpTransportOptions, createHttpTransport } from "./http.ts";
import { type Limits, limitsOf } from "../common/limits.ts";
import { proxyChoiceOf, proxyOfEnv } from "./proxy.ts";
import { type RawServer, closedPort, createCertificate, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { Exchange } from "../common/types.ts";

const rules = "User-agent: *\nDisallow: /private\n";
const limits = limitsOf({ deadlineMs: 4_000, connectTimeoutMs: 2_000, headersTimeoutMs: 2_000 });

describe("the environment, as curl reads it", () => {
  const p = "http://proxy.example:3128";
  test.each<[env: Record<string, string>, url: string, proxy: string | undefined]>([
    [{ http_proxy: p }, "http://a.example/", p],
    [{ http_proxy: p }, "https://a.example/", undefined],
    [{ HTTP_PROXY: p }, "http://a.example/", p],
    [{ HTTP_PROXY: p, REQUEST_METHOD: "GET" }, "http://a.example/", undefined],
    [{ http_proxy: "http://low.example:1", HTTP_PROXY: p }, "http://a.example/", "http://low.example:1"],
    [{ http_proxy: "", HTTP_PROXY: p }, "http://a.example/", undefined],
    [{ https_proxy: p }, "https://a.example/", p],
    [{ HTTPS_PROXY: p }, "https://a.example/", p],
    [{ ALL_PROXY: p }, "http://a.example/", p],
    [{ all_proxy: p, https_proxy: "http://s.example:2" }, "https://a.example/", "http://s.example:2"],
    [{ all_proxy: p }, "ftp://a.example/", p],
    [{ all_proxy: p, no_proxy: "*" }, "http://a.example/", undefined],
    [{ all_proxy: p, NO_PROXY: "a.example" }, "http://a.example/", undefined],
    [{ all_proxy: p, no_proxy: "b.example, a.example" }, "http://www.a.example/", undefined],
    [{ all_proxy: p, no_proxy: ".a.example" }, "http://a.example/", undefined],
    [{ all_proxy: p, no_proxy: ".a.example" }, "http://www.a.example./", undefined],
    [{ all_proxy: p, no_proxy: "a.example" }, "http://aa.example/", p],
    [{ all_proxy: p, no_proxy: "A.Example" }, "http://a.example:8080/", undefined],
    [{ all_proxy: p, no_proxy: "example" }, "http://a.example/", undefined],
    [{ all_proxy: p, no_proxy: "127.0.0.1" }, "http://127.0.0.1:8/", undefined],
    [{ all_proxy: p, no_proxy: "10.0.0.0/8 192.168.0.0/16" }, "http://192.168.3.4/", undefined],
    [{ all_proxy: p, no_proxy: "10.0.0.0/8" }, "http://11.0.0.1/", p],
    [{ all_proxy: p, no_proxy: "[::1],fd00::/8" }, "http://[::1]/", undefined],
    [{ all_proxy: p, no_proxy: "" }, "http://a.example/", p],
    [{ all_proxy: p, no_proxy: "*,a.example" }, "http://b.example/", p],
  ])("%j, %s: %s", (env, url, proxy) => {
    expect(proxyOfEnv(env)?.(new URL(url))).toBe(proxy);
  });

  test("no proxy is set", () => expect(proxyOfEnv({ PATH: "/bin", no_proxy: "*", http_proxy: "" })).toBeUndefined());

  test.each<[env: Record<string, string>, name: string]>([
    [{ http_proxy: "socks5://user:hush@h:1" }, "http_proxy"],
    [{ ALL_PROXY: "http://user:hush@" }, "ALL_PROXY"],
    [{ https_proxy: "http://h:99999" }, "https_proxy"],
  ])("%j is wrong usage, and the error quotes no password", (env, name) => {
    let error: unknown;
    try {
      proxyOfEnv(env);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "ERR_INVALID_OPTION", message: expect.stringContaining(name) as string });
    expect(String(error)).not.toContain("hush");
  });
});

test.each<[text: string, proxy: object]>([
  ["proxy.example:3128", { hostname: "proxy.example", port: 3128, isSecure: false, authorization: undefined }],
  ["http://proxy.example", { port: 1080 }],
  ["http://proxy.example:80/", { port: 80 }],
  ["https://proxy.example", { port: 443, isSecure: true }],
  ["http://[::1]:8/", { hostname: "::1", port: 8 }],
  ["http://us%40er:p%3Aw@h:8", { authorization: `Basic ${Buffer.from("us@er:p:w").toString("base64")}` }],
])("%s", (text, proxy) => {
  expect(proxyChoiceOf(text)(new URL("http://a.example/"))).toMatchObject(proxy);
});

/** A proxy on loopback that resolves every name to loopback and records its requests. */
async function startProxy(options: { answer?: string; lead?: (place: string) => number } = {}) {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (chunk) => {
      const head = chunk.toString("latin1");
      asked.push(head);
      if (options.answer !== undefined) return void socket.end(options.answer);
      const [method = "", place = ""] = head.split(" ");
      const port = options.lead?.(place) ?? Number(/:(\d+)(?:\/|$)/.exec(place)?.[1]);
      const far = connect(port, "127.0.0.1");
      open.add(far);
      far.on("error", () => socket.destroy());
      far.once("connect", () => {
        if (method === "CONNECT") socket.write("HTTP/1.1 200 Connection established\r\nX-Kind: test\r\n\r\n");
        else far.write(head.replace(/^(\S+) http:\/\/[^/]*/, "$1 "));
        socket.pipe(far).pipe(socket);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { asked, url: (user = "") => `http://${user}127.0.0.1:${(server.address() as { port: number }).port}` };
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => end()));
});

/** How a proxy handles a request. */
type ProxyScript = (socket: Socket, head: string) => void;

async function startScript(script: ProxyScript): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (chunk) => script(socket, chunk.toString("latin1")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Writes octets until the connection is closed. */
function flood(socket: Socket, head: string): void {
  socket.write(head);
  const more = (): void => {
    while (!socket.destroyed && socket.write("x".repeat(65_536)));
  };
  socket.on("drain", more);
  more();
}

/** Writes an octet per millisecond, then calls `then`, which by default ends the connection. */
function drip(socket: Socket, bytes: Buffer, then: () => unknown = () => socket.end()): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length) return void socket.write(bytes.subarray(at, ++at));
    clearInterval(timer);
    then();
  }, 1);
  socket.on("close", () => clearInterval(timer));
}

async function exchange(url: string, options: HttpTransportOptions, given: Partial<Limits> = {}): Promise<Exchange> {
  const transport = createHttpTransport(options);
  try {
    return await transport.exchange(url, { ...limits, ...given });
  } finally {
    await transport.close?.();
  }
}

const outcome = ({ response, failure }: Exchange): number | string => failure?.code ?? response?.status ?? "nothing";

describe("through a proxy", () => {
  let tls: { key: string; cert: string };
  let secure: RawServer;
  let plain: RawServer;
  beforeAll(async () => {
    tls = createCertificate({ names: ["shop.example"] });
    secure = await startRawServer((socket) => socket.end(responseOf(200, {}, rules)), tls);
    plain = await startRawServer((socket, { path }) =>
      socket.end(path === "/robots.txt" ? responseOf(200, {}, rules) : responseOf(404)),
    );
    return async () => {
      await secure.close();
      await plain.close();
    };
  });

  test("http: the whole URL and the credentials go to the proxy, which resolves the name", async () => {
    const proxy = await startProxy();
    let resolved = 0;
    const lookup = () => (resolved++, Promise.resolve([]));
    const got = await exchange(`http://shop.example:${plain.port}/robots.txt`, {
      proxy: proxy.url("me:hush@"),
      lookup,
    });
    expect([outcome(got), Buffer.from(got.response?.body ?? []).toString()]).toEqual([200, rules]);
    expect(proxy.asked[0]).toMatch(new RegExp(`^GET http://shop.example:${plain.port}/robots.txt HTTP/1.1\r\n`));
    expect(proxy.asked[0]).toContain(`proxy-authorization: Basic ${Buffer.from("me:hush").toString("base64")}\r\n`);
    expect(proxy.asked[0]?.toLowerCase()).toContain(`host: shop.example:${plain.port}\r\n`);
    expect(resolved).toBe(0);
    expect(JSON.stringify(got)).not.toContain("hush");
  });

  test("https: a tunnel, TLS with the origin inside it, and no credentials there", async () => {
    const proxy = await startProxy();
    const url = `https://shop.example:${secure.port}/robots.txt`;
    const got = await exchange(url, { proxy: proxy.url("me:hush@"), ca: tls.cert });
    expect([outcome(got), Buffer.from(got.response?.body ?? []).toString()]).toEqual([200, rules]);
    expect(proxy.asked[0]).toMatch(new RegExp(`^CONNECT shop.example:${secure.port} HTTP/1.1\r\n`));
    expect(proxy.asked[0]).toContain("Proxy-Authorization: Basic ");
    expect(secure.requests.at(-1)?.head.toLowerCase()).not.toContain("authorization");
    expect(outcome(await exchange(url, { proxy: proxy.url() }))).toBe("tls-untrusted");
    const wrong = `https://other.example:${secure.port}/robots.txt`;
    expect(outcome(await exchange(wrong, { proxy: proxy.url(), ca: tls.cert }))).toBe("tls-wrong-host");
  });

  test("requests go through a proxy over TLS, whose certificate is checked", async () => {
    const cert = createCertificate({ addresses: ["127.0.0.1"] });
    const proxy = await startRawServer((socket) => socket.end(responseOf(200, {}, rules)), cert);
    ends.push(() => proxy.close());
    const got = await exchange("http://shop.example/robots.txt", { proxy: proxy.origin, ca: cert.cert });
    expect([outcome(got), proxy.requests[0]?.path]).toEqual([200, "http://shop.example/robots.txt"]);
    expect(outcome(await exchange("http://shop.example/robots.txt", { proxy: proxy.origin }))).toBe("proxy");
  });

  test.each([
    ["HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n", "proxy", "proxy"],
    ["HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n", 502, "proxy-refused"],
    ["HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n", 403, "proxy-refused"],
    ["220 this is FTP\r\n\r\n", "protocol", "proxy"],
    ["", "closed", "proxy"],
  ] as const)("a proxy that answers %j", async (answer, http, https) => {
    const proxy = (await startProxy({ answer })).url();
    expect(outcome(await exchange("http://shop.example/robots.txt", { proxy }))).toBe(http);
    expect(outcome(await exchange("https://shop.example/robots.txt", { proxy }))).toBe(https);
  });

  const tunnel = "HTTP/1.1 200 in\r\n\r\n";
  test.each<[what: string, script: ProxyScript, http: number | string, https: number | string]>([
    // For https, the proxy's connection to the origin is not made in time.
    ["silent", () => undefined, "timeout", "connect-timeout"],
    ["closing in the middle of a head", (socket) => socket.end("HTTP/1.1 200 O"), "incomplete", "proxy"],
    ["resetting", (socket) => void socket.resetAndDestroy(), "reset", "proxy"],
    ["sending a head without end", (socket) => flood(socket, "HTTP/1.1 200 O"), "headers-too-large", "proxy"],
    [
      "redirecting",
      (socket) => socket.end("HTTP/1.1 302 F\r\nLocation: ftp://h/\r\n\r\n"),
      "redirect-scheme",
      "proxy-refused",
    ],
    ["answering 100", (socket) => socket.end("HTTP/1.1 100 Continue\r\n\r\n"), "protocol", "proxy-refused"],
    ["answering 101", (socket) => socket.end("HTTP/1.1 101 Up\r\n\r\n"), "protocol", "proxy-refused"],
    ["answering with bare LF", (socket) => socket.end("HTTP/1.1 200 OK\n\n"), 200, "proxy"],
    ["opening the tunnel, then closing", (socket) => socket.end(tunnel), 200, "tls-handshake"],
    [
      "opening the tunnel, then sending garbage",
      (socket) => socket.end(`${tunnel}garbage, not TLS`),
      200,
      "tls-handshake",
    ],
    ["opening the tunnel, then silent", (socket) => void socket.write(tunnel), "timeout", "tls-timeout"],
  ])("a proxy that is %s", async (_what, script, http, https) => {
    const proxy = await startScript(script);
    const few = { connectTimeoutMs: 300, headersTimeoutMs: 600, deadlineMs: 900 };
    expect(outcome(await exchange("http://shop.example/robots.txt", { proxy }, few))).toBe(http);
    expect(outcome(await exchange("https://shop.example/robots.txt", { proxy }, few))).toBe(https);
  });

  test("a slow proxy: a response in time is read correctly", async () => {
    const answer = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), Buffer.from(rules)]);
    const proxy = await startScript((socket, head) => {
      if (!head.startsWith("CONNECT")) return drip(socket, answer);
      setTimeout(() => {
        const far = connect(secure.port, "127.0.0.1");
        ends.push(async () => void far.destroy());
        far.on("error", () => undefined);
        drip(socket, Buffer.from(tunnel), () => socket.pipe(far).pipe(socket));
      }, 50);
    });
    const options = { proxy, ca: tls.cert };
    expect(outcome(await exchange("http://shop.example/robots.txt", options))).toBe(200);
    expect(outcome(await exchange(`https://shop.example:${secure.port}/robots.txt`, options))).toBe(200);
  });

  test("a proxy over TLS whose handshake does not end gives the code proxy", async () => {
    const proxy = (await startScript(() => undefined)).replace("http:", "https:");
    const few = { connectTimeoutMs: 300 };
    expect(outcome(await exchange("http://shop.example/robots.txt", { proxy }, few))).toBe("proxy");
    expect(outcome(await exchange("https://shop.example/robots.txt", { proxy }, few))).toBe("proxy");
  });

  test("a proxy that is down gives the code proxy", async () => {
    const proxy = `127.0.0.1:${await closedPort()}`;
    expect(outcome(await exchange("http://shop.example/robots.txt", { proxy }))).toBe("proxy");
    expect(outcome(await exchange("https://shop.example/robots.txt", { proxy }))).toBe("proxy");
  });

  test("private addresses and names of this machine are refused without a request to the proxy", async () => {
    const proxy = await startProxy();
    for (const host of ["127.0.0.1", "10.0.0.1", "[::1]", "localhost", "metadata.google.internal"]) {
      for (const scheme of ["http", "https"]) {
        expect(outcome(await exchange(`${scheme}://${host}/robots.txt`, { proxy: proxy.url() }))).toBe(
          "blocked-address",
        );
      }
    }
    expect(proxy.asked).toEqual([]);
  });

  test.each<[allowPrivate: readonly string[], host: string, isRefused: boolean]>([
    [["10.0.0.0/8"], "localhost", true],
    [["10.0.0.0/8"], "LOCALHOST.", true],
    [["10.0.0.0/8"], "www.localhost", true],
    [["10.0.0.0/8"], "metadata.google.internal", true],
    [["10.0.0.0/8"], "[::ffff:10.0.0.1]", true],
    [["10.0.0.0/8"], "10.0.0.1", false],
    [["10.0.0.0/8"], "shop.example", false],
    [["127.0.0.1"], "localhost", false],
    [["127.0.0.1"], "metadata.google.internal", true],
    [["169.254.169.254"], "metadata.google.internal", false],
  ])("with private addresses %j allowed, %s is refused: %s", async (allowPrivate, host, isRefused) => {
    const proxy = await startProxy({ answer: "HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n" });
    const got = await exchange(`http://${host}/robots.txt`, { proxy: proxy.url(), allowPrivate });
    expect(outcome(got)).toBe(isRefused ? "blocked-address" : 404);
    expect(proxy.asked).toHaveLength(isRefused ? 0 : 1);
  });

  test("a redirect to a private address is refused too", async () => {
    const proxy = await startProxy({
      answer: "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n",
    });
    expect(outcome(await exchange("http://shop.example/robots.txt", { proxy: proxy.url() }))).toBe("blocked-address");
    expect(proxy.asked).toHaveLength(1);
  });
});
