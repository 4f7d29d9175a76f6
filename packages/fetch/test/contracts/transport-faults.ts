// Defines the test cases of servers that misbehave: each checks the result, or the failure code of the README, that a Transport for http
// must return.
import assert from "node:assert/strict";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import type { FailureCode } from "../../src/common/failures.ts";
import { type Limits, limitsOf } from "../../src/common/limits.ts";
import type { Exchange, Transport } from "../../src/common/types.ts";
import { type RawReply, type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";

const limits: Limits = limitsOf({ deadlineMs: 10_000, headersTimeoutMs: 8_000, connectTimeoutMs: 6_000 });
const rules = "User-agent: *\nDisallow: /private\n";
const gzipped = gzipSync(rules);
const head = (...fields: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\n${fields.map((field) => `${field}\r\n`).join("")}\r\n`;
const redirectTo = (location: string): Buffer => responseOf(301, { location });

/** Requests a server's robots.txt, checks the exchange, and then checks that every connection is closed. */
function asked(
  reply: RawReply | string | Uint8Array,
  check: (exchange: Exchange, server: RawServer) => void,
  given: Partial<Limits> = {},
): (transport: Transport) => Promise<void> {
  return async (transport) => {
    const server = await startRawServer(
      typeof reply === "function" ? reply : (socket) => socket.end(reply as string, "latin1"),
    );
    try {
      const exchange = await transport.exchange(`${server.origin}/robots.txt`, { ...limits, ...given });
      check(exchange, server);
      for (let i = 0; i < 250 && server.openConnections > 0; i++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.equal(server.openConnections, 0, "a connection is left open");
    } finally {
      await server.close();
    }
  };
}

const fails = (...codes: readonly FailureCode[]): ((exchange: Exchange) => void) => {
  return ({ failure }) => assert.ok(failure && codes.includes(failure.code), `${failure?.code} is not ${codes.join()}`);
};

const reads = (text: string, truncated = false): ((exchange: Exchange) => void) => {
  return ({ response, failure }) => {
    assert.equal(failure?.code, undefined);
    assert.equal(Buffer.from(response?.body ?? []).toString(), text);
    assert.equal(response?.truncated, truncated);
  };
};

/** Writes `first`, then `piece` every 10 ms until the connection is closed. */
const dripping =
  (first: string, piece: string): RawReply =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), 10);
    socket.on("close", () => clearInterval(timer));
  };

/** A gzip body of 100 blocks. Each block takes about a kilobyte and decodes to a mebibyte of one letter. */
function bomb(): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_048_576, "#"), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([gzipped.subarray(0, 10), ...Array.from({ length: 100 }, () => block)]);
}

/** Name and test of each case. */
export const faultCases: readonly (readonly [what: string, run: (transport: Transport) => Promise<void>])[] = [
  [
    "stops after the allowed number of redirects",
    asked(
      (socket, { index }) => socket.end(redirectTo(`/step/${index + 1}`)),
      ({ failure, hops }, { requests }) => {
        assert.equal(failure?.code, "redirect-limit");
        assert.deepEqual([requests.length, hops.length], [3, 3]);
      },
      { maxRedirects: 2 },
    ),
  ],
  ["ends a redirect loop", asked(redirectTo("/robots.txt"), fails("redirect-loop"))],
  ["returns a redirect without a Location as a failure", asked(responseOf(302), fails("redirect-invalid"))],
  ...["file:///etc/passwd", "data:text/plain,x", "javascript:1"].map(
    (location) =>
      [
        `opens no connection for a redirect to ${location}`,
        asked(redirectTo(location), fails("redirect-scheme")),
      ] as const,
  ),
  [
    "neither forwards nor records credentials",
    asked(
      (socket, { index, head: request }) => {
        const port = /^host: \S+:(\d+)/im.exec(request)?.[1] ?? "";
        socket.end(index === 0 ? redirectTo(`http://user:secret@127.0.0.1:${port}/x`) : responseOf(200, {}, rules));
      },
      ({ hops }, { requests }) => {
        assert.doesNotMatch(requests[1]?.head ?? "", /authorization|secret/i);
        assert.doesNotMatch(hops[1]?.url ?? "secret", /secret/);
      },
    ),
  ],
  ["decodes gzip", asked(responseOf(200, { "content-encoding": "gzip" }, gzipped), reads(rules))],
  [
    "does not accept part of a gzip body as the whole body",
    asked(responseOf(200, { "content-encoding": "gzip" }, gzipped.subarray(0, -9)), fails("incomplete")),
  ],
  [
    "stops decompressing at the limit",
    asked(
      responseOf(200, { "content-encoding": "gzip" }, bomb()),
      ({ response }) => assert.deepEqual([response?.body.byteLength, response?.truncated], [1_000, true]),
      { maxBytes: 1_000 },
    ),
  ],
  [
    "does not read an endless body",
    asked(
      dripping(`${head("Content-Type: text/plain")}${"#".repeat(2_000)}`, "#"),
      ({ response }) => assert.deepEqual([response?.body.byteLength, response?.truncated], [1_000, true]),
      { maxBytes: 1_000 },
    ),
  ],
  ["reads chunks", asked(`${head("Transfer-Encoding: chunked")}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`, reads("abcde"))],
  [
    "does not accept chunks without a last chunk as the whole body",
    asked(`${head("Transfer-Encoding: chunked")}3\r\nabc\r\n`, fails("incomplete")),
  ],
  [
    "does not accept a reset as the end of a body",
    asked(
      (socket) => {
        socket.write(head("Connection: close") + rules, () => setTimeout(() => socket.resetAndDestroy(), 50));
      },
      fails("incomplete", "reset"),
    ),
  ],
  ["returns a close without a byte as a failure", asked("", fails("closed"))],
  ["returns a response that is not HTTP as a failure", asked("220 mail.example ESMTP\r\n", fails("protocol"))],
  ["returns an invalid status as a failure", asked("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", fails("protocol"))],
  [
    "returns conflicting lengths as a failure",
    asked(`${head("Content-Length: 3", "Content-Length: 5")}abcde`, fails("protocol")),
  ],
  [
    "returns a head over the limit as a failure",
    asked(head(`X-Long: ${"a".repeat(20_000)}`, "Content-Length: 0"), fails("headers-too-large"), {
      maxHeaderBytes: 8_192,
    }),
  ],
  [
    "reads the response after an interim response",
    asked(
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head(`Content-Length: ${rules.length}`)}${rules}`,
      reads(rules),
    ),
  ],
  [
    "ends endless interim responses",
    asked(dripping("", "HTTP/1.1 102 Processing\r\n\r\n"), fails("timeout"), { headersTimeoutMs: 300 }),
  ],
  [
    "ends a slowly dripping head",
    asked(dripping("HTTP/1.1 200 OK\r\nX: ", "a"), fails("timeout"), { headersTimeoutMs: 300 }),
  ],
  [
    "ends a slowly dripping body",
    asked(dripping(head("Content-Length: 99999"), "#"), fails("timeout"), { deadlineMs: 500 }),
  ],
  [
    "ends its exchanges when it is closed",
    async (transport) => {
      const server = await startRawServer((socket) => {
        socket.write(head("Content-Length: 99999"));
        void transport.close?.();
      });
      try {
        const { failure } = await transport.exchange(`${server.origin}/robots.txt`, { ...limits, deadlineMs: 3_000 });
        // A transport without `close` ends the exchange at its deadline.
        assert.equal(failure?.code, transport.close === undefined ? "timeout" : "aborted");
      } finally {
        await server.close();
      }
    },
  ],
];
