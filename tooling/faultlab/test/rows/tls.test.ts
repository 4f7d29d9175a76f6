// Rows 55 to 57 of the fault matrix: refused certificates and handshakes (RFC 8446, RFC 9525).
import { type RawReply, type RawServer, createCertificate, startRawServer } from "@robots-stream/raw-servers";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";
import type { TlsOptions } from "node:tls";
import type { RobotsClientOptions } from "@robots-stream/fetch";
import { bytes, ok } from "../faults/http.ts";
import { type Expected, type FaultCase, ruled, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

const dayMs = 86_400_000;
/** Number of consecutive bad certificates; larger in a thorough run. */
const badOnes = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 200 : 5_000;
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

/** A case with an https server that presents this certificate. */
function certified(what: string, tls: TlsOptions, client: RobotsClientOptions, expected: Expected): FaultCase {
  return {
    what,
    expected,
    async open() {
      const server: RawServer = await startRawServer(bytes(ok), tls);
      return {
        origins: [server.origin],
        client,
        check: () =>
          server.requests.length === 0 || expected === trusted
            ? []
            : ["a request was sent despite the bad certificate"],
        close: () => server.close(),
      };
    },
  };
}

const trusted = ruled(2);

/** A case with a TCP server that calls `reply` at the first octets of a handshake. */
function handshake(
  what: string,
  reply: (socket: Parameters<RawReply>[0]) => void,
  client: RobotsClientOptions,
  expected: Expected,
): FaultCase {
  return {
    what,
    expected,
    async open() {
      const open = new Set<Parameters<RawReply>[0]>();
      const server: Server = createServer((socket) => {
        open.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => open.delete(socket));
        socket.once("data", () => reply(socket));
      });
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      return {
        origins: [`https://127.0.0.1:${(server.address() as AddressInfo).port}`],
        client,
        close() {
          for (const socket of open) socket.destroy();
          return new Promise((resolve) => server.close(resolve));
        },
      };
    },
  };
}

/** Handles octets that a real TLS server sends: `pass` forwards octets, `end` closes the connection. */
type Relay = (said: Buffer, way: { pass(bytes: Buffer): void; end(): void }) => void;

/** A case with an https server behind a relay that alters its octets. `start` creates one relay per connection. */
function relayed(what: string, start: () => Relay, client: RobotsClientOptions, expected: Expected): FaultCase {
  return {
    what,
    expected,
    async open() {
      const server = await startRawServer(bytes(ok), good);
      const open = new Set<Socket>();
      const front = createServer((near) => {
        const far = connect(server.port, "127.0.0.1");
        const relay = start();
        near.setNoDelay(true);
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          open.add(one);
          one.on("error", () => undefined);
          one.on("close", () => {
            open.delete(one);
            setTimeout(() => other.destroy(), one === far ? 2_000 : 0).unref();
          });
        }
        near.on("data", (asked) => void far.write(asked));
        far.on("data", (said) => {
          relay(said, { pass: (octets) => void near.write(octets), end: () => void near.end() });
        });
      });
      await new Promise<void>((resolve) => void front.listen(0, "127.0.0.1", resolve));
      return {
        origins: [`https://127.0.0.1:${(front.address() as AddressInfo).port}`],
        client: { ca: good.cert, ...client },
        async close() {
          for (const socket of open) socket.destroy();
          await server.close();
          await new Promise((resolve) => front.close(resolve));
        },
      };
    },
  };
}

/** Forwards pieces of `size` octets, one every `everyMs` milliseconds. */
function dripping(size: number, everyMs: number): () => Relay {
  return () => {
    let waiting = Buffer.alloc(0);
    let timer: NodeJS.Timeout | undefined;
    return (said, way) => {
      waiting = Buffer.concat([waiting, said]);
      timer ??= setInterval(() => {
        if (waiting.length > 0) way.pass(waiting.subarray(0, size));
        waiting = waiting.subarray(size);
      }, everyMs).unref();
    };
  };
}

/** Replaces all octets after the first record (the ServerHello), or after the first flight, with `other`. */
function instead(after: "hello" | "handshake", other: Buffer): () => Relay {
  return () => {
    let flights = 0;
    return (said, way) => {
      flights++;
      if (after === "handshake" && flights === 1) return way.pass(said);
      if (flights > 2) return;
      if (after === "hello") way.pass(said.subarray(0, 5 + said.readUInt16BE(3)));
      way.pass(other);
      way.end();
    };
  };
}

/** A TLS record (RFC 8446 §5.1) with this payload. */
const recordOf = (type: number, octets: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 3, octets.length >> 8, octets.length & 255]), octets]);

const quick: RobotsClientOptions = { limits: { connectTimeoutMs: 400 } };

testRows([
  {
    id: 55,
    title: "Invalid certificates",
    cases: [
      certified("valid, and its signer is trusted", good, { ca: good.cert }, trusted),
      certified("signed by itself", good, {}, unreachable("tls-untrusted")),
      certified("signed by an untrusted CA", good, { ca: elsewhere.cert }, unreachable("tls-untrusted")),
      certified("expired", expired, { ca: expired.cert }, unreachable("tls-expired")),
      certified("not valid yet", future, { ca: future.cert }, unreachable("tls-expired")),
      certified("for another name", elsewhere, { ca: elsewhere.cert }, unreachable("tls-wrong-host")),
      certified("expired, with insecureTls", expired, { insecureTls: true }, trusted),
      certified("for another name, with insecureTls", elsewhere, { insecureTls: true }, trusted),
    ],
  },
  {
    id: 56,
    title: "Handshakes that fail or stall",
    cases: [
      relayed("slow, but in time", dripping(100, 5), {}, trusted),
      relayed("an octet every 10 ms", dripping(1, 10), quick, unreachable("tls-timeout")),
      relayed(
        "garbage after the server's hello",
        instead("hello", Buffer.alloc(3_000, 0xa5)),
        {},
        unreachable("tls-handshake"),
      ),
      relayed(
        "an invalid record after the server's hello",
        instead("hello", recordOf(0x17, Buffer.alloc(200, 0x5a))),
        {},
        unreachable("tls-handshake"),
      ),
      relayed("closed after the server's hello", instead("hello", Buffer.alloc(0)), {}, unreachable("tls-handshake")),
      relayed(
        "garbage after the handshake",
        instead("handshake", Buffer.alloc(3_000, 0xa5)),
        {},
        unreachable("tls-handshake", "protocol"),
      ),
      handshake(
        "half a record, then silence",
        (socket) => void socket.write(Buffer.from([0x16, 3, 3, 0x40, 0, 2, 0, 0x3f, 0xfc])),
        quick,
        unreachable("tls-timeout"),
      ),
      handshake(
        "an announced message of 16 MB, with octets without end",
        (socket) => {
          socket.write(recordOf(0x16, Buffer.from([2, 0xff, 0xff, 0xff])));
          const more = (): void => {
            while (!socket.destroyed && socket.write(recordOf(0x16, Buffer.alloc(16_000))));
          };
          socket.on("drain", more);
          more();
        },
        {},
        unreachable("tls-handshake"),
      ),
      handshake(
        "empty records without end",
        (socket) => {
          const more = (): void => {
            while (!socket.destroyed && socket.write(Buffer.alloc(60_000, recordOf(0x16, Buffer.alloc(0)))));
          };
          socket.on("drain", more);
          more();
        },
        {},
        unreachable("tls-handshake"),
      ),
      certified(
        "TLS 1.0 only",
        { ...good, minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" },
        { ca: good.cert },
        unreachable("tls-handshake"),
      ),
      handshake("silence", () => undefined, quick, unreachable("tls-timeout")),
      handshake("a reset", (socket) => void socket.resetAndDestroy(), {}, unreachable("tls-handshake")),
      handshake("closed after the client's hello", (socket) => void socket.end(), {}, unreachable("tls-handshake")),
      handshake(
        "plain HTTP on the https port",
        (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
        {},
        unreachable("tls-handshake"),
      ),
      handshake("garbage", (socket) => void socket.end(Buffer.alloc(300, 0xa5)), {}, unreachable("tls-handshake")),
      handshake(
        "an alert",
        (socket) => void socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 0x28])),
        {},
        unreachable("tls-handshake"),
      ),
      {
        what: "TLS on the http port",
        expected: unreachable("closed", "protocol", "reset"),
        async open() {
          const server = await startRawServer(bytes(ok), good);
          return { origins: [`http://127.0.0.1:${server.port}`], close: () => server.close() };
        },
      },
    ],
  },
  {
    id: 57,
    title: "Many bad certificates in a row",
    cases: [
      {
        what: `${badOnes} origins on one server`,
        expected: unreachable("tls-untrusted"),
        async open() {
          const server = await startRawServer(bytes(ok), good);
          return {
            origins: Array.from({ length: badOnes }, (_, i) => `https://c${i}.localhost:${server.port}`),
            client: { concurrency: 32 },
            close: () => server.close(),
          };
        },
      },
    ],
  },
]);
