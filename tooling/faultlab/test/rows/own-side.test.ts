// Rows 5, 108, 110 and 112 of the fault matrix: servers that request a retry, and faults on our own side.
import { Worker } from "node:worker_threads";
import type { Lookup } from "@robots-stream/fetch/transports";
import { type RawReply, responseOf, startRawServer } from "@robots-stream/raw-servers";
import { bytes, ok, served, servedTable } from "../faults/http.ts";
import { type Expected, type FaultCase, ruled, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

const later = (status: number, retryAfter: string): Buffer => responseOf(status, { "retry-after": retryAfter });

/** A reply function: the first `count` requests get this response, later requests get the file. */
const firstly =
  (count: number, answer: Buffer): RawReply =>
  (socket, { index }) =>
    socket.end(index < count ? answer : ok);

const tomorrow = new Date(Date.now() + 86_400_000).toUTCString();

/** A server on its own thread, so that it responds after 100 ms even while the client's thread is blocked. */
const answering = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      parentPort.postMessage("asked");
      setTimeout(() => socket.end(workerData), 100);
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** The client's thread is blocked from its request until the response has arrived and all timeouts have passed. */
const standingStill: FaultCase = {
  what: "the process is blocked while the response arrives",
  expected: ruled(2),
  async open() {
    const worker = new Worker(answering, { eval: true, workerData: ok });
    const port = await new Promise<number>((resolve) => void worker.once("message", resolve));
    worker.on("message", () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    });
    return {
      origins: [`http://127.0.0.1:${port}`],
      client: { limits: { headersTimeoutMs: 600, deadlineMs: 700 } },
      close: () => worker.terminate(),
    };
  },
};

/** A case with a faulty `lookup` option. */
function withLookup(what: string, lookup: Lookup, expected: Expected): FaultCase {
  return {
    what,
    expected,
    open: () =>
      Promise.resolve({
        origins: ["http://name.example"],
        client: { lookup, limits: { connectTimeoutMs: 300 } },
        close: () => Promise.resolve(),
      }),
  };
}

/** The key of the global dispatcher, which `fetch` and all copies of undici in a process share. */
const globalDispatcher = Symbol.for("undici.globalDispatcher.1");

testRows([
  {
    id: 5,
    title: "429 and 503 with a Retry-After",
    cases: [
      served("429, then the file", firstly(1, later(429, "0")), ruled(2), { requests: [2, 2] }),
      served("503 with a date, then the file", firstly(2, later(503, new Date(0).toUTCString())), ruled(2), {
        requests: [3, 3],
      }),
      served("429 for ever", bytes(later(429, "0")), unreachable("http-429"), { requests: [3, 3] }),
      servedTable("not retried", [
        ["429 without Retry-After", responseOf(429), unreachable("http-429")],
        ["503 without Retry-After", responseOf(503), unreachable("http-503")],
        ...["61", "1000000000", tomorrow, "-1", "soon", "1e9", "", "0x1"].map(
          (value) => [`429, ${value}`, later(429, value), unreachable("http-429")] as const,
        ),
      ]),
    ],
  },
  {
    id: 108,
    title: "The event loop is blocked",
    cases: [standingStill],
  },
  {
    id: 110,
    title: "A caller's lookup that throws, stalls or returns invalid data",
    cases: [
      withLookup(
        "throws at once",
        () => {
          throw new Error("a bug");
        },
        unreachable("dns-failed"),
      ),
      withLookup("rejects with nothing", () => Promise.reject(undefined), unreachable("dns-failed")),
      withLookup("never settles", () => new Promise(() => undefined), unreachable("dns-timeout")),
      withLookup("gives nothing", () => Promise.resolve([]), unreachable("dns-not-found")),
      withLookup(
        "gives an invalid address",
        () => Promise.resolve([{ address: "nonsense", family: 4 }]),
        unreachable("network-unreachable", "dns-failed"),
      ),
    ],
  },
  {
    id: 112,
    title: "A host program with its own global dispatcher",
    cases: [
      {
        what: "a dispatcher that throws",
        expected: ruled(2),
        async open() {
          const server = await startRawServer(bytes(ok));
          const shared = globalThis as unknown as Record<symbol, unknown>;
          const before = shared[globalDispatcher];
          shared[globalDispatcher] = {
            dispatch() {
              throw new Error("the host's dispatcher was used");
            },
          };
          return {
            origins: [server.origin],
            async close() {
              shared[globalDispatcher] = before;
              await server.close();
            },
          };
        },
      },
    ],
  },
]);
