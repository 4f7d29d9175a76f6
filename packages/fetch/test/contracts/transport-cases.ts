// Defines the test cases of the contract of Transport for http, against raw servers on loopback.
import assert from "node:assert/strict";
import { type Limits, limitsOf } from "../../src/common/limits.ts";
import type { Exchange, Transport } from "../../src/common/types.ts";
import { type RawReply, closedPort, responseOf, startRawServer } from "@robots-stream/raw-servers";
import { faultCases } from "./transport-faults.ts";

const limits: Limits = limitsOf({ deadlineMs: 5_000, headersTimeoutMs: 4_000, connectTimeoutMs: 3_000 });
const rules = "User-agent: *\nDisallow: /private\n";

type Case = readonly [what: string, run: (transport: Transport) => Promise<void>];

/** Name and test of each case. */
export const transportCases: readonly Case[] = [
  [
    "returns status, headers and body of a response",
    served(
      (socket) => socket.end(responseOf(200, { "X-Kind": "plain" }, rules)),
      ({ hops, response }, url) => {
        assert.equal(response?.status, 200);
        assert.equal(response.headers["x-kind"], "plain");
        assert.equal(Buffer.from(response.body).toString(), rules);
        assert.equal(response.truncated, false);
        assert.deepEqual(hops, [{ url, status: 200 }]);
      },
    ),
  ],
  [
    "sends one GET for the given path",
    async (transport) => {
      const server = await startRawServer((socket) => socket.end(responseOf(404)));
      try {
        await transport.exchange(`${server.origin}/robots.txt`, limits);
        assert.equal(server.requests.length, 1);
        assert.match(server.requests[0]?.head ?? "", /^GET \/robots\.txt HTTP\/1\.1\r\n/);
      } finally {
        await server.close();
      }
    },
  ],
  ...[204, 304, 404, 429, 500, 503].map((status): Case => [
    `returns status ${status} as a response, not a failure`,
    served(
      (socket) => socket.end(responseOf(status)),
      ({ response }) => assert.equal(response?.status, status),
    ),
  ]),
  [
    "follows redirects and records every hop",
    served(
      (socket, { path }) =>
        socket.end(path === "/robots.txt" ? responseOf(301, { location: "/elsewhere" }) : responseOf(200, {}, rules)),
      ({ hops, response }, url) => {
        assert.equal(response?.status, 200);
        const elsewhere = new URL("/elsewhere", url).href;
        assert.deepEqual(hops, [
          { url, status: 301 },
          { url: elsewhere, status: 200 },
        ]);
      },
    ),
  ],
  [
    "ends a body at the limit",
    served(
      (socket) => socket.end(responseOf(200, {}, "x".repeat(limits.maxBytes + 1))),
      ({ response }) => {
        assert.equal(response?.body.byteLength, limits.maxBytes);
        assert.equal(response.truncated, true);
      },
    ),
  ],
  [
    "does not accept part of a body as the whole body",
    served(
      (socket) => socket.end(responseOf(200, { "content-length": "1000" }, rules)),
      ({ failure }) => assert.equal(failure?.code, "incomplete"),
    ),
  ],
  [
    "returns a refused connection as a failure",
    async (transport) => {
      const url = `http://127.0.0.1:${await closedPort()}/robots.txt`;
      const { failure, hops } = await transport.exchange(url, limits);
      assert.equal(failure?.code, "connect-refused");
      assert.equal(failure.url, url);
      assert.deepEqual(hops, []);
    },
  ],
  [
    "ends the exchange with a timeout when the server is silent",
    async (transport) => {
      const server = await startRawServer(() => undefined);
      try {
        const short = { ...limits, headersTimeoutMs: 200 };
        const { failure } = await transport.exchange(`${server.origin}/robots.txt`, short);
        assert.equal(failure?.code, "timeout");
      } finally {
        await server.close();
      }
    },
  ],
  [
    "settles when the signal aborts",
    async (transport) => {
      const server = await startRawServer(() => controller.abort());
      const controller = new AbortController();
      try {
        const { failure } = await transport.exchange(`${server.origin}/robots.txt`, limits, controller.signal);
        assert.equal(failure?.code, "aborted");
      } finally {
        await server.close();
      }
    },
  ],
  [
    "makes no request when the signal has already aborted",
    async (transport) => {
      const server = await startRawServer((socket) => socket.end(responseOf(200)));
      try {
        const { failure } = await transport.exchange(`${server.origin}/robots.txt`, limits, AbortSignal.abort());
        assert.equal(failure?.code, "aborted");
        assert.equal(server.requests.length, 0);
      } finally {
        await server.close();
      }
    },
  ],
  [
    "handles many simultaneous exchanges",
    async (transport) => {
      const server = await startRawServer((socket, { path }) => socket.end(responseOf(200, {}, path)));
      try {
        const paths = Array.from({ length: 50 }, (_, i) => `/robots-${i}.txt`);
        const all = await Promise.all(paths.map((path) => transport.exchange(server.origin + path, limits)));
        const bodies = all.map(({ response }) => Buffer.from(response?.body ?? []).toString());
        assert.deepEqual(bodies, paths);
      } finally {
        await server.close();
      }
    },
  ],
  ...faultCases,
];

function served(reply: RawReply, check: (exchange: Exchange, url: string) => void): Case[1] {
  return async (transport) => {
    const server = await startRawServer(reply);
    try {
      const url = `${server.origin}/robots.txt`;
      const exchange = await transport.exchange(url, limits);
      assert.ok(exchange.startedAt <= exchange.endedAt);
      check(exchange, url);
    } finally {
      await server.close();
    }
  };
}
