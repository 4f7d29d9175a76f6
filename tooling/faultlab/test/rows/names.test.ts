// Rows 50 to 54 of the fault matrix: names without an address or with a wrong address (RFC 1035, RFC 9309 §2.3.1.4).
import type { Lookup } from "@robots-stream/fetch/transports";
import { type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";
import { bytes, ok } from "../faults/http.ts";
import { type NameAnswer, type NameServer, startNameServer } from "../faults/name-server.ts";
import { watchAttempts } from "../loopback-watch.ts";
import { type FaultCase, type Scene, ruled, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

const here: NameAnswer = { addresses: ["127.0.0.1"] };

/** A case with a web server and a name server; `scene` returns the origins to load. */
function named(
  what: string,
  expected: FaultCase["expected"],
  answer: (name: string, times: number) => NameAnswer,
  scene: (web: RawServer, names: NameServer) => Partial<Scene> & Pick<Scene, "origins">,
  timeoutMs = 1_500,
): FaultCase {
  return {
    what,
    expected,
    async open() {
      const web = await startRawServer(bytes(ok));
      const names = await startNameServer(answer, timeoutMs);
      const { client, ...rest } = scene(web, names);
      return {
        client: { lookup: names.lookup, ...client },
        close: () => Promise.all([web.close(), names.close()]),
        ...rest,
      };
    },
  };
}

/** A case with one name, for which the name server gives this response. */
const oneName = (what: string, answer: NameAnswer, expected: FaultCase["expected"], timeoutMs?: number): FaultCase =>
  named(
    what,
    expected,
    () => answer,
    (web) => ({ origins: [`http://name.example:${web.port}`] }),
    timeoutMs,
  );

/** A case with fixed addresses for one name, without a name server. */
function addressed(
  what: string,
  open: () => Promise<{ addresses: readonly string[]; port: number; close(): Promise<unknown> }>,
): FaultCase {
  return {
    what,
    expected: ruled(2),
    async open() {
      const { addresses, port, close } = await open();
      const lookup: Lookup = () =>
        Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
      return { origins: [`http://two.example:${port}`], client: { lookup }, close };
    },
  };
}

/** Host names that are not valid. */
const invalidNames = [`${"a".repeat(64)}.example`, `${"a.".repeat(150)}example`, "a..example", ".example"] as const;

/** Number of names without a response; ten thousand in a thorough run. */
const deadNames = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 300 : 10_000;
const liveNames = 30;
/** How long the client waits for the name server. The live names get their addresses within this time on a busy machine, too. */
const lookupTimeoutMs = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 1_500 : 500;

testRows([
  {
    id: 50,
    title: "A name without an address",
    cases: [
      oneName("an address", here, ruled(2)),
      oneName("no such name", "no-such-name", unreachable("dns-not-found")),
      oneName("no address", "no-address", unreachable("dns-not-found")),
      oneName("a name server that fails", "server-failure", unreachable("dns-failed")),
      oneName("a name server that refuses", "refused", unreachable("dns-failed")),
      oneName("a name server that sends garbage", "garbage", unreachable("dns-failed")),
      oneName("a name server that is silent", "silence", unreachable("dns-timeout"), 300),
    ],
  },
  {
    id: 51,
    title: "A name server that does not respond for many names",
    cases: [
      named(
        `${deadNames} dead names before ${liveNames} live ones`,
        (index) => (index < deadNames ? unreachable("dns-timeout") : ruled(2)),
        (name) => (name.startsWith("dead") ? "silence" : here),
        (web) => ({
          origins: [
            ...Array.from({ length: deadNames }, (_, i) => `http://dead${i}.example:${web.port}`),
            ...Array.from({ length: liveNames }, (_, i) => `http://live${i}.example:${web.port}`),
          ],
          client: { concurrency: 400 },
        }),
        lookupTimeoutMs,
      ),
    ],
  },
  {
    id: 52,
    title: "The first address is dead, the second works",
    cases: [
      addressed("refused, then accepted", async () => {
        const server = await startRawServer(bytes(ok));
        return { addresses: ["127.0.0.2", "127.0.0.1"], port: server.port, close: () => server.close() };
      }),
      addressed("IPv6 refused, IPv4 answered", async () => {
        const server = await startRawServer(bytes(ok));
        return { addresses: ["::1", "127.0.0.1"], port: server.port, close: () => server.close() };
      }),
    ],
  },
  {
    id: 53,
    title: "A name that resolves first to a public, then to an internal address",
    cases: [
      {
        what: "the address changes between two hops",
        expected: unreachable("blocked-address"),
        async open() {
          const trap = await startRawServer(bytes(ok));
          const attempts = watchAttempts(trap.port);
          // 127.0.0.2 stands for the public address; the trap server listens on 127.0.0.1.
          const names = await startNameServer((_name, times) => ({
            addresses: [times === 0 ? "127.0.0.2" : "127.0.0.1"],
            ttl: 0,
          }));
          const web = await startRawServer(
            (socket) => socket.end(responseOf(302, { location: `http://rebound.example:${trap.port}/again` })),
            undefined,
            "127.0.0.2",
          );
          return {
            origins: [`http://rebound.example:${web.port}`],
            client: { lookup: names.lookup, allowPrivate: ["127.0.0.2"] },
            check: () => [
              ...(attempts() === 0 ? [] : ["a connection to the internal address was attempted"]),
              ...(names.asked.length === 2 ? [] : [`the name was looked up ${names.asked.length} times`]),
            ],
            close: () => Promise.all([web.close(), trap.close(), names.close()]),
          };
        },
      },
      {
        what: "both addresses at once",
        expected: ruled(2),
        async open() {
          const trap = await startRawServer(bytes(ok));
          const names = await startNameServer(() => ({ addresses: ["127.0.0.1", "127.0.0.2"], ttl: 0 }));
          const web = await startRawServer(bytes(ok), undefined, "127.0.0.2");
          const attempts = watchAttempts(web.port, "127.0.0.2");
          return {
            origins: [`http://rebound.example:${web.port}`],
            client: { lookup: names.lookup, allowPrivate: ["127.0.0.2"] },
            check: () => {
              const count = attempts();
              return count === 1 ? [] : [`${count} connections to the public address were attempted`];
            },
            close: () => Promise.all([web.close(), trap.close(), names.close()]),
          };
        },
      },
    ],
    missing: () => (process.platform === "linux" ? undefined : "only Linux has more of 127.0.0.0/8 than 127.0.0.1"),
  },
  {
    id: 54,
    title: "Invalid names",
    cases: [
      named(
        "labels that are empty or too long, names that are too long",
        unreachable("dns-invalid"),
        () => here,
        (web, names) => ({
          origins: invalidNames.map((name) => `http://${name}:${web.port}`),
          check: () => (names.asked.length === 0 ? [] : [`asked for ${names.asked.join(", ")}`]),
        }),
      ),
      named(
        "an underscore",
        ruled(2),
        () => here,
        (web) => ({ origins: [`http://a_b.example:${web.port}`] }),
      ),
    ],
  },
]);
