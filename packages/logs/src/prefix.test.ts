// Tests the format, URL and client of lines with the prefixes of syslog and container runtimes.
import { describe, expect, test } from "vitest";
import { type LineLogFormat, type LogRequest, isLogProblem, lineLogFormats, logFormatOf, urlOf } from "./index.ts";

const rest = '- - [12/Mar/2024:10:15:32 +0000] "GET /a HTTP/1.1" 200 5120 "-" "GPTBot/1.2"';
const written: readonly (readonly [format: string, line: string, url: string, client: string])[] = [
  ["combined", `203.0.113.1 ${rest}`, "https://base/a", "203.0.113.1"],
  ["combined", `203.0.113.1, 10.0.0.1 ${rest}`, "https://base/a", "203.0.113.1"],
  ["vhost_combined", `a.example:443 2001:db8::1 ${rest}`, "https://a.example/a", "2001:db8::1"],
  ["combined_host", `203.0.113.1 ${rest} a.example`, "https://a.example/a", "203.0.113.1"],
];

const prefixes: readonly (readonly [name: string, prefix: string])[] = [
  ["nothing", ""],
  ["CRI", "2026-11-21T06:55:09.391287654Z stdout F "],
  ["CRI with more tags", "2026-11-21T06:55:09.391287654+01:00 stderr F:x "],
  ["syslog", "Mar  2 00:00:03 web1 nginx: "],
  ["syslog with a priority", "<190>Mar 12 00:00:03 10.0.0.7 httpd[12]: "],
  ["syslog with a whole time", "2026-11-21T06:55:09.391287+00:00 web1 nginx: "],
  ["syslog of RFC 5424", "<134>1 2026-11-21T06:55:09Z web1 nginx 12 - - "],
  ["journald, short-precise", "Mar 12 00:00:03.123456 web1 nginx[12]: "],
  ["journald, short-iso", "2026-11-21T06:55:09+0100 web1 nginx[12]: "],
  ["journald, short-full", "Thu 2026-11-21 06:55:09 UTC web1 nginx[12]: "],
  ["docker compose", "web_1  | "],
  ["docker compose, one blank", "web-1 | "],
  ["docker compose in colors", "\u001b[36mweb_1    |\u001b[0m "],
  ["docker compose with timestamps", "web-1  | 2026-11-21T06:55:09.391287654Z "],
  ["kubectl --prefix", "[pod/web-5d8f9c7b6-x2x4z/nginx] "],
  ["kubectl --prefix --timestamps", "[pod/web-5d8f9c7b6-x2x4z/nginx] 2026-11-21T06:55:09.391287654Z "],
  ["docker logs --timestamps", "2026-11-21T06:55:09.391287654Z "],
];

describe.each(prefixes)("after %s", (_name, prefix) => {
  test.each(written)("%s: %s", (name, line, url, client) => {
    const [format, ...others] = lineLogFormats.filter((each) => each.recognizes(prefix + line));
    expect([format?.name, others]).toEqual([name, []]);
    const request = format!.createParser()(prefix + line) as LogRequest;
    expect([urlOf(request, { scheme: "https", host: "base" }), request.client]).toEqual([url, client]);
  });
});

/** The client, or that there is none. */
function clientBy(format: LineLogFormat, line: string): string {
  const parsed = format.createParser()(line);
  if (parsed === undefined || (isLogProblem(parsed) && parsed.request === undefined)) return "rejected";
  return ("target" in parsed ? parsed : parsed.request!).client ?? "none";
}

const ownPatterns = [
  '%h %l %u %t "%r" %>s %b',
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
].map((pattern) => logFormatOf(pattern, "own") as LineLogFormat);
const combinedLine = `203.0.113.1 ${rest}`;
const commonLine = combinedLine.slice(0, combinedLine.indexOf(' "-" "'));

test.each(prefixes)("a user's own pattern after the prefix of %s", (_name, prefix) => {
  expect(clientBy(ownPatterns[0]!, prefix + commonLine)).toBe("203.0.113.1");
  expect(clientBy(ownPatterns[1]!, prefix + combinedLine)).toBe("203.0.113.1");
});

test.each(["Mozilla/5.0", "Mozilla/5.0 | x", "Mozilla/5.0 | /b", "/b | x", "https://b.example/ | x"])(
  "a user's own pattern whose fields look like a prefix, with the text %j",
  (text) => {
    for (const [pattern, client] of [
      ["$remote_addr | $request_uri | $http_user_agent", "203.0.113.1"],
      ["$host | $request_uri | $http_user_agent", "a.example"],
    ] as const) {
      const parse = (logFormatOf(pattern, "own") as LineLogFormat).createParser();
      for (const prefix of ["", "web-1  | ", "Mar 12 00:00:03 web1 nginx[12]: "]) {
        expect(parse(`${prefix}${client} | /a | ${text}`)).toMatchObject({ target: "/a", userAgent: text });
      }
    }
  },
);

test("lines of kinds with times of other forms are read after a prefix as without it, also if the prefix has a time", () => {
  for (const { name, samples, createParser } of lineLogFormats) {
    if (!["elb", "heroku", "squid", "haproxy", "envoy", "s3", "alb"].includes(name)) continue;
    for (const line of samples.log!) {
      const parsed = createParser()(line);
      for (const prefix of ["2026-11-21T06:55:09.391287654Z ", "web-1  | "])
        expect([name, createParser()(prefix + line)]).toEqual([name, parsed]);
    }
  }
});

const formats = [...lineLogFormats.filter(({ name }) => /^(?:comm|comb)/.test(name)), ...ownPatterns];
const clients = ["203.0.113.1", "crawl-1.bot.example", "2001:db8::1", "203.0.113.1, 10.0.0.1"];

// Prefixes that are not known: stern's, and any other words.
test.each([
  "web-5d8f9-x2x4z nginx ",
  "ns/pod nginx ",
  "foo bar ",
  "a b c ",
  "foo: ",
  "foo - ",
  "[web] ",
  "app[web.1]: ",
  "id=7 ",
])("a line after %j is rejected, or read with its client", (prefix) => {
  // One word before the client may be X-Forwarded-For, in which a client may send any text.
  const isOneWord = prefix.split(" ").length === 2;
  const wrong = formats
    .filter(({ name }) => name !== "combined_host" || !isOneWord)
    .flatMap((format) =>
      clients.flatMap((client) =>
        ["-", "ann"].flatMap((user) => {
          const text = format === ownPatterns[0] ? commonLine : combinedLine;
          const line = `${prefix}${client} - ${user}${text.slice("203.0.113.1 - -".length)}`;
          const seen = clientBy(format, line);
          return ["rejected", client.split(",")[0]].includes(seen) ? [] : [`${format.name}: ${seen} of ${line}`];
        }),
      ),
    );
  expect(wrong).toEqual([]);
});

test("the parts of a line that a CRI runtime divided are rejected, whatever their form; lines of the other stream are read", () => {
  const [, line] = written[0]!;
  const parse = lineLogFormats.find(({ name }) => name === "combined")!.createParser();
  const codes = [
    "stdout F",
    "stdout P",
    "stderr F",
    "stdout P:x",
    "stdout F",
    "stdout F",
    "stderr P",
    "stderr F",
    "stderr F",
  ].map((tag) => {
    const parsed = parse(`2026-11-21T06:55:09.391287654Z ${tag} ${line}`)!;
    return [tag, isLogProblem(parsed) ? parsed.code : "read"];
  });
  expect(codes).toEqual([
    ["stdout F", "read"],
    ["stdout P", "not-a-log-line"],
    ["stderr F", "read"],
    ["stdout P:x", "not-a-log-line"],
    ["stdout F", "not-a-log-line"],
    ["stdout F", "read"],
    ["stderr P", "not-a-log-line"],
    ["stderr F", "not-a-log-line"],
    ["stderr F", "read"],
  ]);
});
