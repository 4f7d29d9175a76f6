// Rows 7 to 13 of the fault matrix: redirects that are valid, invalid, in loops, or to internal addresses (RFC 9309 §2.3.1.2).
import { type RawReply, createCertificate, responseOf, startRawServer } from "@robots-stream/raw-servers";
import { bytes, head, ok, served, servedTable } from "../faults/http.ts";
import { watchAttempts } from "../loopback-watch.ts";
import { type FaultCase, ruled, unavailable, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

const to = (location: string, status = 301): Buffer => responseOf(status, { location });

/** A reply function: `count` redirects with these statuses in turn, then the file. */
function chain(count: number, statuses: readonly number[] = [301, 302, 303, 307, 308]): RawReply {
  return (socket, { path }) => {
    const step = Number(/\d+$/.exec(path)?.[0] ?? 0);
    socket.end(step < count ? to(`/step/${step + 1}`, statuses[step % statuses.length]) : ok);
  };
}

/** A reply function: requests for /robots.txt get this Location, requests for other paths get the file. */
const once =
  (location: string): RawReply =>
  (socket, { path }) =>
    socket.end(
      path === "/robots.txt"
        ? Buffer.from(`HTTP/1.1 301 Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`, "latin1")
        : ok,
    );

/** Functions that count the connections begun to two ports of other services. */
const toServices = [25, 6_667].map((port) => watchAttempts(port));

/** Redirect targets with internal addresses in many notations, all with this port. */
const inside = (port: number): readonly string[] =>
  [
    "127.0.0.1 127.1 2130706433 0x7f.1 017700000001 %31%32%37.0.0.1 localhost LOCALHOST. deep.localhost 0.0.0.0",
    "[::1] [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::127.0.0.1] [2002:7f00:1::]",
    "169.254.169.254 0xa9fea9fe [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::1] 100.100.100.200",
    "10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 198.18.0.1 224.0.0.1 255.255.255.255 168.63.129.16",
    "[fc00::1] [fd00:ec2::254] [fe80::1] [ff02::1]",
  ].flatMap((hosts) => hosts.split(" ").map((host) => `http://${host}:${port}/`));

/**
 * The only permitted server listens on 127.0.0.2. The redirect targets have internal addresses and the port of a trap server, which listens
 * on 127.0.0.1; connections begun to the trap server are counted.
 */
const blocked: FaultCase = {
  what: "to addresses of this machine, of its network and of metadata services",
  expected: unreachable("blocked-address"),
  async open() {
    const trap = await startRawServer(bytes(ok));
    const attemptsNow = watchAttempts(trap.port);
    const places = inside(trap.port);
    const server = await startRawServer(
      (socket, { head: request }) => socket.end(to(places[Number(/^host: c(\d+)\./im.exec(request)?.[1])] ?? "")),
      undefined,
      "127.0.0.2",
    );
    return {
      origins: places.map((_place, index) => `http://c${index}.example:${server.port}`),
      labels: places,
      client: {
        allowPrivate: ["127.0.0.2"],
        lookup: (name) =>
          Promise.resolve([{ address: name.endsWith(".example") ? "127.0.0.2" : "127.0.0.1", family: 4 }]),
      },
      check: () => {
        const attempts = attemptsNow();
        return attempts === 0 ? [] : [`${attempts} connections to a blocked address were attempted`];
      },
      close: () => Promise.all([server.close(), trap.close()]),
    };
  },
};

/** A case with two servers, one for each end of a redirect. */
function across(
  what: string,
  secure: readonly [first: boolean, second: boolean],
  location: (target: string) => string,
): FaultCase {
  return {
    what,
    expected: ruled(2),
    async open() {
      const certificate = createCertificate();
      const target = await startRawServer(bytes(ok), secure[1] ? certificate : undefined);
      const first = await startRawServer(
        (socket) => socket.end(to(location(target.origin))),
        secure[0] ? certificate : undefined,
      );
      return {
        origins: [first.origin],
        client: { ca: certificate.cert },
        check: ([outcome]) => {
          const { stored } = outcome!.loaded;
          const wanted = [`${first.origin}/robots.txt 301`, `${target.origin}/rules.txt 200`];
          const hops = stored.hops.map(({ url, status }) => `${url} ${status}`);
          return [
            ...(stored.origin === first.origin ? [] : [`the rules belong to ${stored.origin}`]),
            ...(hops.join() === wanted.join() ? [] : [`the hops are ${hops.join(", ")}`]),
            ...(/^(authorization|cookie|referer):/im.test(target.requests[0]?.head ?? "")
              ? ["a header was forwarded"]
              : []),
          ];
        },
        close: () => Promise.all([first.close(), target.close()]),
      };
    },
  };
}

testRows([
  {
    id: 7,
    title: "One to five redirects",
    cases: [
      ...[1, 2, 3, 4, 5].map((count) =>
        served(`${count} in a row`, chain(count), ruled(2), { requests: [count + 1, count + 1] }),
      ),
      servedTable(
        "each status",
        [301, 302, 303, 307, 308].map((status) => [`${status}`, chain(1, [status]), ruled(2)]),
        { requests: [10, 10] },
      ),
      servedTable(
        "relative, absolute, a query only",
        ["other.txt", "/other.txt", "?again", "./a/../b", "//HOST/x", "HTTP://HOST/x#y"].map(
          (location): readonly [string, RawReply, ReturnType<typeof ruled>] => [
            location,
            (socket, request) =>
              once(location.replace("HOST", /^host: (.*)/im.exec(request.head)?.[1] ?? ""))(socket, request),
            ruled(2),
          ],
        ),
        { requests: [12, 12] },
      ),
      across("to another port", [false, false], (target) => `${target}/rules.txt`),
      across("http to https", [false, true], (target) => `${target}/rules.txt`),
    ],
  },
  {
    id: 8,
    title: "More than five redirects; redirect loops",
    cases: [
      served("six in a row", chain(6), unavailable("redirect-limit"), { requests: [6, 6] }),
      served("without end", chain(Infinity), unavailable("redirect-limit"), { requests: [6, 6] }),
      served("to itself", bytes(to("/robots.txt")), unavailable("redirect-loop")),
      served("to itself, another fragment", bytes(to("/robots.txt#again")), unavailable("redirect-loop")),
      served(
        "there and back",
        (socket, { path }) => socket.end(to(path === "/robots.txt" ? "/other.txt" : "/robots.txt")),
        unavailable("redirect-loop"),
        { requests: [2, 2] },
      ),
    ],
  },
  {
    id: 9,
    title: "A redirect without a valid target",
    cases: [
      servedTable("no URL", [
        ["no Location", responseOf(301), unavailable("redirect-invalid")],
        ["an empty Location", to(""), unavailable("redirect-invalid")],
        ["blanks", to("  "), unavailable("redirect-invalid")],
        ["half an address", to("http://[::"), unavailable("redirect-invalid")],
        ["no such port", to("http://127.0.0.1:99999/"), unavailable("redirect-invalid")],
        ["no host", to("http://"), unavailable("redirect-invalid")],
      ]),
      servedTable(
        "3xx that are not redirects",
        [300, 304, 305, 306, 309, 399].map((status) => [`${status}`, to("/x", status), unavailable(`http-${status}`)]),
      ),
    ],
  },
  {
    id: 10,
    title: "A redirect to another scheme",
    cases: [
      servedTable(
        "schemes",
        [
          "file:///etc/passwd",
          "data:text/plain,User-agent:*",
          "javascript:alert(1)",
          "blob:http://127.0.0.1/x",
          "ws://127.0.0.1/",
          "mailto:a@b.example",
          "about:blank",
          "view-source:http://127.0.0.1/",
        ].map((location) => [location, to(location), unavailable("redirect-scheme")]),
      ),
    ],
  },
  {
    id: 11,
    title: "A redirect to an internal address",
    cases: [
      blocked,
      servedTable(
        "to a port of another service",
        [22, 25, 465, 6_000, 6_667].map((port) => [
          String(port),
          to(`http://127.0.0.1:${port}/robots.txt`),
          unreachable("blocked-port"),
        ]),
        { check: () => (toServices.every((attempts) => attempts() === 0) ? [] : ["a connection was attempted"]) },
      ),
    ],
    missing: () => (process.platform === "linux" ? undefined : "only Linux has more of 127.0.0.0/8 than 127.0.0.1"),
  },
  {
    id: 12,
    title: "A Location with unusual content",
    cases: [
      {
        ...across("credentials", [false, false], (target) => `${target.replace("//", "//user:secret@")}/rules.txt`),
      },
      servedTable(
        "octets",
        [
          ["UTF-8", "/caf\u00c3\u00a9.txt"],
          ["Latin-1", "/caf\u00e9.txt"],
          ["an escaped line end", "/a%0d%0aX-Injected:%201"],
          ["a tab in the middle", "/a\tb"],
        ].map(([label = "", location = ""]) => [label, once(location), ruled(2)]),
        {
          requests: [8, 8],
          check: (_outcomes, { requests }) => {
            const paths = requests.map(({ path }) => path).filter((path) => path !== "/robots.txt");
            const wanted = ["/a%0d%0aX-Injected:%201", "/ab", "/caf%C3%A9.txt", "/caf%E9.txt"];
            return paths.toSorted().join() === wanted.join() ? [] : [`asked for ${paths.join()}`];
          },
        },
      ),
      served("a Location of 100 KB", bytes(to(`/${"a".repeat(100_000)}`)), unreachable("headers-too-large")),
      served(
        "a second field behind a bare CR",
        (socket, { path }) =>
          socket.end(
            path === "/robots.txt"
              ? head("Location: /x\rX-Injected: 1", "Content-Length: 0").replace("200 OK", "302 Found")
              : ok,
            "latin1",
          ),
        unreachable("protocol"),
        { requests: [1, 3] },
      ),
    ],
  },
  {
    id: 13,
    title: "https redirects to http",
    cases: [across("https to http", [true, false], (target) => `${target}/rules.txt`)],
  },
]);
