// Rows 1 to 4, 6 and 14 to 22 of the fault matrix: statuses, fields and bodies of complete responses (RFC 9309 §2.3.1).
import { createMemoryStore } from "@robots-stream/fetch";
import { responseOf } from "@robots-stream/raw-servers";
import { bytes, endless, head, length, ok, rules, served, servedTable } from "../faults/http.ts";
import { noGroup, noRule, ruled, unavailable, unreachable } from "../row.ts";
import { testRows } from "../run.ts";

const statuses = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

const minuteMs = 60_000;

const cacheControls: readonly string[] = [
  "max-age=0",
  "max-age=1000000000000",
  "max-age=99999999999999999999999999",
  "max-age=-1",
  "max-age=junk",
  "max-age",
  "no-store",
  'private=""',
  'private="set-cookie, max-age=5',
  `${'private="",'.repeat(500)}max-age=1`,
  ",,,=,;",
];

/** The response to a request: the file for the first request; for later requests, a file that allows the probe. */
const changing = (index: number): Buffer =>
  responseOf(200, {}, index === 0 ? rules : "User-agent: *\n# the rule is gone\nAllow: /private\n");

testRows([
  {
    id: 1,
    title: "200 with a file",
    cases: [
      served("the rule's line", bytes(ok), ruled(2)),
      served(
        "a longer rule further down",
        bytes(responseOf(200, {}, `# a comment\n\n${rules}Allow: /private$\n`)),
        ruled(5, "allow"),
      ),
    ],
  },
  {
    id: 2,
    title: "200 without a rule",
    cases: [
      served("empty", bytes(responseOf(200)), noGroup),
      served("comments only", bytes(responseOf(200, {}, "# nothing\n#\n\n")), noGroup),
      served("line ends only", bytes(responseOf(200, {}, "\r\n\r\r\n\n")), noGroup),
      served("a group without a rule", bytes(responseOf(200, {}, "User-agent: *\n")), noRule),
      served("a rule without a pattern", bytes(responseOf(200, {}, "User-agent: *\nDisallow:\n")), ruled(2, "allow")),
    ],
  },
  {
    id: 3,
    title: "Other 2xx",
    cases: [
      served("203", bytes(responseOf(203, {}, rules)), ruled(2)),
      served("204", bytes("HTTP/1.1 204 No Content\r\n\r\n"), noGroup),
      served("206", bytes(responseOf(206, { "content-range": "bytes 0-31/99" }, rules)), unreachable("partial")),
      servedTable(
        "201, 202, 207 to 299",
        [201, 202, ...statuses(207, 299)].map((status) => [`${status}`, responseOf(status, {}, rules), ruled(2)]),
      ),
    ],
  },
  {
    id: 4,
    title: "4xx",
    cases: [
      servedTable(
        "400 to 499 except 429",
        statuses(400, 499)
          .filter((status) => status !== 429)
          .map((status) => [`${status}`, responseOf(status, {}, rules), unavailable(`http-${status}`)]),
      ),
    ],
  },
  {
    id: 6,
    title: "5xx",
    cases: [
      servedTable(
        "500 to 599 except 503",
        statuses(500, 599)
          .filter((status) => status !== 503)
          .map((status) => [`${status}`, responseOf(status, {}, rules), unreachable(`http-${status}`)]),
      ),
    ],
  },
  {
    id: 14,
    title: "HTML instead of a file",
    cases: [
      served(
        "a page with a meta refresh",
        bytes(
          responseOf(
            200,
            { "content-type": "text/html" },
            '<!doctype html>\n<meta http-equiv="refresh" content="0; url=/other.txt">\n<p>Welcome</p>\n',
          ),
        ),
        noGroup,
      ),
      served(
        "a page around rules",
        bytes(responseOf(200, { "content-type": "text/html" }, `<html><pre>\n${rules}</pre></html>\n`)),
        ruled(3),
      ),
    ],
  },
  {
    id: 15,
    title: "A wrong or missing Content-Type",
    cases: [
      servedTable(
        "types",
        ["image/png", "text/pain", "application/octet-stream", "", "\u00ff\u00fe", "text/plain; charset=utf-16"].map(
          (type) => [JSON.stringify(type), responseOf(200, { "content-type": type }, rules), ruled(2)],
        ),
      ),
      served("none", bytes(ok), ruled(2)),
    ],
  },
  {
    id: 16,
    title: "An invalid status",
    cases: [
      servedTable(
        "outside 100 to 599",
        ["099", "000", "600", "601", "700", "999", "abc", "20", "2000", "-200"].map((status) => [
          status,
          `HTTP/1.1 ${status} Odd\r\n${length}\r\n\r\n${rules}`,
          unreachable("protocol"),
        ]),
        { requests: [10, 20] },
      ),
    ],
  },
  {
    id: 17,
    title: "1xx before the response",
    cases: [
      served("103", bytes("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", ok), ruled(2)),
      served("102, twice", bytes("HTTP/1.1 102 Processing\r\n\r\n".repeat(2), ok), ruled(2)),
      served("an unexpected 100", bytes("HTTP/1.1 100 Continue\r\n\r\n", ok), ruled(2), { requests: [1, 2] }),
    ],
  },
  {
    id: 18,
    title: "Endless 1xx responses",
    cases: [
      served(
        "a storm of 103",
        endless("", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000)),
        unreachable("headers-too-large"),
        { maxBytes: 1_000_000 },
      ),
      served(
        "102 for ever",
        (socket) => {
          const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 5);
          socket.on("close", () => clearInterval(timer));
        },
        unreachable("timeout"),
        { client: { limits: { headersTimeoutMs: 300 } }, maxBytes: 16_000_000 },
      ),
    ],
  },
  {
    id: 19,
    title: "An unrequested 101",
    cases: [
      served(
        "to websocket",
        (socket) => {
          socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        },
        unreachable("protocol"),
        { requests: [1, 2] },
      ),
    ],
  },
  {
    id: 20,
    title: "Set-Cookie, HSTS, Alt-Svc",
    cases: [
      served(
        "a redirect that sets all of it",
        (socket, { index }) =>
          socket.end(
            index === 0
              ? head(
                  "Location: /again.txt",
                  ...Array.from({ length: 300 }, (_, i) => `Set-Cookie: c${i}=${"v".repeat(50)}`),
                  "Strict-Transport-Security: max-age=31536000",
                  'Alt-Svc: h3=":443"',
                  "Content-Length: 0",
                ).replace("200 OK", "302 Found")
              : ok,
          ),
        ruled(2),
        {
          requests: [2, 2],
          check: (_outcomes, { requests }) =>
            /^cookie:/im.test(requests[1]?.head ?? "") ? ["a cookie was sent back"] : [],
        },
      ),
    ],
  },
  {
    id: 21,
    title: "A different response to each request",
    cases: [
      {
        what: "requested five times in a row",
        expected: ruled(2),
        async open() {
          const base = served("", (socket, { index }) => socket.end(changing(index)), ruled(2));
          const scene = await base.open();
          const [origin = ""] = scene.origins;
          return { ...scene, origins: Array.from({ length: 5 }, () => origin), client: { store: createMemoryStore() } };
        },
      },
    ],
  },
  {
    id: 22,
    title: "Cache-Control that is too long, too short or missing",
    cases: [
      servedTable(
        "values",
        cacheControls.map((value) => [
          value.slice(0, 40),
          responseOf(200, { "cache-control": value }, rules),
          ruled(2),
        ]),
        {
          check: (outcomes) =>
            outcomes.flatMap(({ loaded: { stored } }, index) => {
              const minutes = (stored.freshUntil - stored.fetchedAt) / minuteMs;
              return minutes >= 5 && minutes <= 24 * 60
                ? []
                : [`${JSON.stringify(cacheControls[index])} is fresh for ${minutes} minutes`];
            }),
        },
      ),
    ],
  },
]);
