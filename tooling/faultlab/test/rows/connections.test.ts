// Rows 44 to 49, 58 and 59 of the fault matrix: connections that fail, stall, break, or deliver slowly.
import { gzipSync } from "node:zlib";
import { type RawReply, closedPort, responseOf } from "@robots-stream/raw-servers";
import { openBlackHole } from "../faults/black-hole.ts";
import { head, hostOf, ok, rules, served, servedTable } from "../faults/http.ts";
import { type FaultCase, ruled, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

/** A reply function: writes these bytes in pieces, with a pause before each piece. */
function drip(bytes: Uint8Array, pieceBytes: number, pauseMs: number): RawReply {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(bytes.subarray(at, (at += pieceBytes)));
      if (at >= bytes.length) clearInterval(timer);
    }, pauseMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** A reply function: writes this text and keeps the connection open without writing more. */
const stall =
  (text: string): RawReply =>
  (socket) => {
    if (text !== "") socket.write(text);
  };

const short = { client: { limits: { headersTimeoutMs: 300 } } };
const briefly = { client: { limits: { deadlineMs: 600 } } };

/** A case with one origin for each number of octets after which the response is cut; the connection then ends or is reset. */
function cutEverywhere(what: string, response: Uint8Array, how: "FIN" | "RST"): FaultCase {
  const offsets = Array.from({ length: response.length + 1 }, (_, i) => i);
  const part = unreachable("incomplete", "closed", "reset", "protocol");
  return servedTable(
    `${how} at each of ${offsets.length} offsets, ${what}`,
    offsets.map((offset) => [
      `after ${offset} octets`,
      (socket) => {
        const end = (): unknown => (how === "FIN" ? socket.end() : socket.resetAndDestroy());
        if (offset === 0) end();
        else socket.write(response.subarray(0, offset), () => (how === "FIN" ? end() : setTimeout(end, 2)));
      },
      // After a complete response the file decides, unless a reset discarded the last octets.
      offset < response.length ? part : how === "FIN" ? ruled(3) : [ruled(3), part],
    ]),
    { requests: [offsets.length, 2 * offsets.length] },
  );
}

/** The last line of this file disallows the probe; most parts of the file would allow it. */
const closing = "User-agent: *\nAllow: /\nDisallow: /private\n";
const chunked = `${head("Transfer-Encoding: chunked")}10\r\n${closing.slice(0, 16)}\r\n${(closing.length - 16).toString(16)}\r\n${closing.slice(16)}\r\n0\r\n\r\n`;
const cutFiles: readonly (readonly [what: string, response: Uint8Array])[] = [
  ["with a length", responseOf(200, {}, closing)],
  ["chunked", Buffer.from(chunked)],
  ["gzip", responseOf(200, { "content-encoding": "gzip" }, gzipSync(closing))],
  [
    "LF alone, read on the second attempt",
    Buffer.from(`HTTP/1.1 200 OK\nContent-Length: ${closing.length}\n\n${closing}`),
  ],
];

testRows([
  {
    id: 44,
    title: "No server listens on the port",
    cases: [
      {
        what: "refused",
        expected: unreachable("connect-refused"),
        async open() {
          return { origins: [`http://127.0.0.1:${await closedPort()}`], close: () => Promise.resolve() };
        },
      },
    ],
  },
  {
    id: 45,
    title: "A connection that is neither accepted nor refused",
    cases: [
      {
        what: "a full accept queue that is never emptied",
        expected: unreachable("connect-timeout"),
        async open() {
          const hole = await openBlackHole();
          return {
            origins: [`http://127.0.0.1:${hole.port}`],
            client: { limits: { connectTimeoutMs: 300 } },
            close: () => hole.close(),
          };
        },
      },
    ],
    missing: () => (process.platform === "linux" ? undefined : "other systems refuse when a queue is full"),
  },
  {
    id: 46,
    title: "Accepted, then silence",
    cases: [served("no octet", stall(""), unreachable("timeout"), short)],
  },
  {
    id: 47,
    title: "A head or a body that arrives octet by octet",
    cases: [
      served(
        "a head, octet by octet",
        drip(Buffer.alloc(10_000, "HTTP/1.1 200 OK\r\nX: a"), 1, 20),
        unreachable("timeout"),
        short,
      ),
      served("half a head", stall("HTTP/1.1 200 OK\r\nX-Half: "), unreachable("timeout"), short),
      served(
        "a body, an octet every 100 ms",
        (socket, request) => {
          socket.write(head("Content-Length: 100000") + rules);
          drip(Buffer.alloc(100_000, "#"), 1, 100)(socket, request);
        },
        unreachable("timeout"),
        briefly,
      ),
      served("a body that stops", stall(head("Content-Length: 100000") + rules), unreachable("timeout"), briefly),
      served(
        "a chunk that does not come",
        stall(`${head("Transfer-Encoding: chunked")}5\r\nUser-`),
        unreachable("timeout"),
        briefly,
      ),
      served(
        "a redirect each 150 ms",
        (socket, { index }) => {
          setTimeout(() => socket.end(responseOf(302, { location: `/${index}` })), 150);
        },
        unreachable("timeout"),
        { client: { limits: { deadlineMs: 500 } }, requests: [2, 5] },
      ),
    ],
  },
  {
    id: 48,
    title: "A slow connection",
    cases: [
      served("in pieces of 7 octets", drip(ok, 7, 3), ruled(2)),
      served("octet by octet", drip(ok, 1, 1), ruled(2)),
      served(
        "after a second",
        (socket) => {
          setTimeout(() => socket.end(ok), 1_000);
        },
        ruled(2),
      ),
      served("16 KB at 32 KB a second", drip(responseOf(200, {}, rules + "#".repeat(16_000)), 1_600, 50), ruled(2)),
    ],
  },
  {
    id: 49,
    title: "The connection breaks at any octet",
    cases: cutFiles.flatMap(([what, response]) => [
      cutEverywhere(what, response, "FIN"),
      cutEverywhere(what, response, "RST"),
    ]),
  },
  {
    id: 58,
    title: "The server closes an idle connection while a request is sent",
    cases: [
      servedTable(
        "closed right after each response",
        Array.from({ length: 300 }, (_, i) => [
          `origin ${i}`,
          (socket) => {
            socket.write(responseOf(200, { connection: "keep-alive" }, rules), () =>
              setImmediate(() => socket.destroy()),
            );
          },
          ruled(2),
        ]),
      ),
      served(
        "closed right after a redirect to the same server",
        (socket, { path }) => {
          const keep = { connection: "keep-alive", "keep-alive": "timeout=60" };
          const answer =
            path === "/robots.txt" ? responseOf(302, { ...keep, location: "/x" }) : responseOf(200, keep, rules);
          socket.write(answer, () => setImmediate(() => socket.destroy()));
        },
        ruled(2),
        {
          requests: [2, 2],
          check: (_outcomes, { connections }) => (connections === 2 ? [] : [`${connections} connections`]),
        },
      ),
    ],
  },
  {
    id: 59,
    title: "An unrequested second response",
    cases: [
      served(
        "behind a redirect",
        (socket, { path }) => {
          const poison = responseOf(200, {}, "User-agent: *\nAllow: /\n");
          socket.end(path === "/robots.txt" ? Buffer.concat([responseOf(302, { location: "/x" }), poison]) : ok);
        },
        ruled(2),
        { requests: [2, 2] },
      ),
      served(
        "after the response, for the next request",
        (socket, request) => {
          const isFirst = hostOf(request) === "127.0.0.1" && request.path === "/robots.txt";
          socket.end(isFirst ? Buffer.concat([ok, responseOf(404), responseOf(500)]) : responseOf(500));
        },
        ruled(2),
      ),
    ],
  },
]);
