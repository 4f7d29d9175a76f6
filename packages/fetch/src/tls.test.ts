// https: the certificates and servers that are refused, and their failure codes.
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type HttpTransportOptions, createHttpTransport } from "./network/http.ts";
import { limitsOf } from "./common/limits.ts";
import { type RawServer, createCertificate, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { Exchange } from "./common/types.ts";

const limits = limitsOf({ deadlineMs: 5_000 });
const dayMs = 86_400_000;
const good = createCertificate({ names: ["good.example"] });
const expired = createCertificate({
  notBefore: new Date(Date.now() - 9 * dayMs),
  notAfter: new Date(Date.now() - dayMs),
});
const future = createCertificate({
  notBefore: new Date(Date.now() + dayMs),
  notAfter: new Date(Date.now() + 9 * dayMs),
});
const elsewhere = createCertificate({ names: ["other.example"], addresses: [] });

const servers: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

async function serve(certificate: { key: string; cert: string }): Promise<RawServer> {
  const server = await startRawServer((socket) => socket.end(responseOf(200, {}, "User-agent: *\n")), certificate);
  servers.push(server);
  return server;
}

const get = async (url: string, options: HttpTransportOptions): Promise<Exchange> =>
  createHttpTransport({
    allowPrivate: true,
    lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    ...options,
  }).exchange(url, limits);

describe("certificates", () => {
  test.each([
    ["trusted, by address", good, { ca: good.cert }, "127.0.0.1", 200],
    ["trusted, by name", good, { ca: [good.cert] }, "good.example", 200],
    ["trusted, by name with a dot at its end", good, { ca: good.cert }, "good.example.", 200],
    ["signed by itself", good, {}, "127.0.0.1", "tls-untrusted"],
    ["signed by an untrusted key", good, { ca: elsewhere.cert }, "127.0.0.1", "tls-untrusted"],
    ["expired", expired, { ca: expired.cert }, "127.0.0.1", "tls-expired"],
    ["not yet valid", future, { ca: future.cert }, "127.0.0.1", "tls-expired"],
    ["for another name", elsewhere, { ca: elsewhere.cert }, "good.example", "tls-wrong-host"],
    ["for another name, requested by address", elsewhere, { ca: elsewhere.cert }, "127.0.0.1", "tls-wrong-host"],
    ["signed by itself, insecureTls", good, { insecureTls: true }, "127.0.0.1", 200],
    ["expired, insecureTls", expired, { insecureTls: true }, "127.0.0.1", 200],
    ["for another name, insecureTls", elsewhere, { insecureTls: true }, "good.example", 200],
  ] as const)("%s", async (_what, certificate, options, host, expected) => {
    const server = await serve(certificate);
    const { response, failure } = await get(`https://${host}:${server.port}/robots.txt`, options);
    expect(failure?.code ?? response?.status).toBe(expected);
  });
});

describe("handshakes", () => {
  async function servePlain(onData: "answer" | "silence" | "reset"): Promise<number> {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        if (onData === "answer") socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
        if (onData === "reset") socket.resetAndDestroy();
      });
      servers.push({ close: () => socket.destroy() });
    });
    servers.push({ close: () => server.close() });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    return (server.address() as { port: number }).port;
  }

  test("plain http on the https port gives tls-handshake", async () => {
    const { failure } = await get(`https://127.0.0.1:${await servePlain("answer")}/robots.txt`, {});
    expect(failure?.code).toBe("tls-handshake");
  });

  test("a reset in the handshake gives tls-handshake", async () => {
    const { failure } = await get(`https://127.0.0.1:${await servePlain("reset")}/robots.txt`, {});
    expect(failure?.code).toBe("tls-handshake");
  });

  test("silence in the handshake gives tls-timeout", async () => {
    const transport = createHttpTransport({ allowPrivate: true });
    const url = `https://127.0.0.1:${await servePlain("silence")}/robots.txt`;
    const { failure } = await transport.exchange(url, { ...limits, connectTimeoutMs: 200 });
    expect(failure?.code).toBe("tls-timeout");
  });

  test("TLS on the http port gives closed, protocol or reset", async () => {
    const server = await serve(good);
    const { failure } = await get(`http://127.0.0.1:${server.port}/robots.txt`, {});
    expect(failure?.code).toMatch(/^(closed|protocol|reset)$/);
  });
});

test("a redirect from https to http and back is followed and recorded in the hops", async () => {
  const last = await serve(good);
  const middle = await startRawServer((socket) =>
    socket.end(responseOf(302, { location: `https://good.example:${last.port}/` })),
  );
  servers.push(middle);
  const first = await startRawServer((socket) => socket.end(responseOf(301, { location: `${middle.origin}/` })), good);
  servers.push(first);
  const { hops } = await get(`https://good.example:${first.port}/robots.txt`, { ca: good.cert });
  expect(hops.map(({ url, status }) => [new URL(url).protocol, status])).toEqual([
    ["https:", 301],
    ["http:", 302],
    ["https:", 200],
  ]);
});
