// Responses with endless framing, over every kind of connection, are ended by the limit of bytes, not by a timeout.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type Server, type Socket, connect, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type HttpTransportOptions, createHttpTransport } from "./network/http.ts";
import { limitsOf } from "./common/limits.ts";
import { createCertificate, startRawServer } from "@robots-stream/raw-servers";

const limits = limitsOf({ deadlineMs: 60_000, headersTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
const certificate = createCertificate({ names: ["shop.example"] });
const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
/** Maximum number of bytes that a socket reads at once. Its buffer of unread bytes holds at most as many more. */
const readBytes = 65_536;
/** The largest TLS record. */
const recordBytes = 16_384;

const floods: readonly (readonly [what: string, head: string, piece: string])[] = [
  ["a status line", "HTTP/1.1 200 O", "K".repeat(65_536)],
  ["a name of a field", "HTTP/1.1 200 OK\r\nx", "x".repeat(65_536)],
  ["fields", "HTTP/1.1 200 OK\r\n", "a: b\r\n".repeat(10_000)],
  ["103 again and again", "", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(2_000)],
  ["100 again and again", "", "HTTP/1.1 100 Continue\r\n\r\n".repeat(2_000)],
  ["empty lines before a status line", "", "\r\n".repeat(30_000)],
  ["a size of a chunk", chunked, "0".repeat(65_536)],
  ["an extension of a chunk", `${chunked}5;x=`, "y".repeat(65_536)],
  ["an extension at each octet", chunked, `1;x=${"y".repeat(8_000)}\r\nU\r\n`.repeat(8)],
  ["trailers", `${chunked}5\r\nUser-\r\n0\r\n`, "x: y\r\n".repeat(10_000)],
  ["a trailer", `${chunked}5\r\nUser-\r\n0\r\nx: `, "y".repeat(65_536)],
];

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => end()));
  // A later test may get the same port.
  opened.clear();
});

/** The connections that this process opened in the current test, by port. */
const opened = new Map<number, Socket[]>();
function onSocket(message: unknown): void {
  const { socket } = message as { readonly socket: Socket };
  socket.on("connectionAttempt", (_address: string, port: number) => {
    opened.set(port, [...(opened.get(port) ?? []), socket]);
  });
}
beforeAll(() => subscribe("net.client.socket", onSocket));
afterAll(() => void unsubscribe("net.client.socket", onSocket));

/** Writes until the connection is closed. */
function flood(socket: Socket, head: string, piece: string): void {
  socket.write(head, "latin1");
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece, "latin1"));
  };
  socket.on("drain", more);
  more();
}

/** A proxy that accepts every request, with CONNECT or with the whole URL. */
async function startProxy(port: number): Promise<number> {
  const server: Server = createServer((socket) => {
    const further = connect(port, "127.0.0.1");
    for (const each of [socket, further]) each.on("error", () => undefined);
    socket.on("close", () => further.destroy());
    ends.push(async () => void socket.destroy());
    socket.once("data", (first) => {
      if (first.subarray(0, 7).toString() === "CONNECT") socket.write("HTTP/1.1 200 in\r\n\r\n");
      else further.write(first);
      socket.pipe(further).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as { port: number }).port;
}

describe.each([
  ["http", false, false, 3 * readBytes],
  ["https", true, false, 3 * recordBytes],
  ["http through a proxy", false, true, 3 * readBytes],
  ["https through a proxy", true, true, 2 * readBytes],
])("over %s", (_way, isSecure, isProxied, aheadBytes) => {
  test.each(floods)("%s without end", async (what, head, more) => {
    const server = await startRawServer((socket) => flood(socket, head, more), isSecure ? certificate : undefined);
    ends.push(() => server.close());
    const first = isProxied ? await startProxy(server.port) : server.port;
    const options: HttpTransportOptions = {
      allowPrivate: true,
      ca: certificate.cert,
      lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
      ...(isProxied ? { proxy: `127.0.0.1:${first}` } : {}),
    };
    const transport = createHttpTransport(options);
    const { failure } = await transport.exchange(
      `${isSecure ? "https" : "http"}://shop.example:${server.port}/robots.txt`,
      limits,
    );
    await transport.close?.();
    // The strict parser refuses an unexpected 100; the lenient parser then reads the flood up to the limit, over a connection of its own.
    const isTwice = what.startsWith("100");
    expect(failure?.code).toBe(isTwice ? "protocol" : "headers-too-large");
    const sockets = opened.get(first) ?? [];
    expect(sockets).toHaveLength(isTwice ? 2 : 1);
    await expect.poll(() => sockets.every(({ closed }) => closed), { timeout: 30_000 }).toBe(true);
    // In a body, framing may take twice the limit of a head.
    const framingBytes = limits.maxHeaderBytes * (head.startsWith(chunked) ? 2 : 1);
    for (const { bytesRead } of sockets) expect(bytesRead).toBeLessThanOrEqual(framingBytes + aheadBytes);
  });
});
