// Two lines of a log in one: wherever the first line was cut, the result is a reject, or has the second line's fields alone.
import { describe, expect, test } from "vitest";
import { lineLogFormats, logFormatOf } from "./index.ts";
import { type LineLogFormat, type LogProblem, type LogRequest, isLogProblem } from "./types.ts";

const ownPatterns = [
  '$remote_addr $host [$time_local] "$request" $status "$http_user_agent"',
  '$time_iso8601|$remote_addr|"$request"|$status|"$http_user_agent"',
  '%t %h "%r" %>s "%{User-Agent}i"',
  "$time_iso8601 $remote_addr $status $body_bytes_sent $request_uri",
].map((pattern, index) => logFormatOf(pattern, `own ${index}`) as LineLogFormat);

/** Lines of the user's own patterns. */
const ownLines: readonly (readonly string[])[] = [
  [
    '192.0.2.7 a.example [17/May/2015:10:05:03 +0000] "GET /private/3 HTTP/1.1" 200 "Mozilla/5.0"',
    '66.249.66.1 a.example [17/May/2015:10:05:04 +0000] "GET /ok HTTP/1.1" 200 "Googlebot/2.1"',
  ],
  [
    '2015-05-17T10:05:03+00:00|192.0.2.7|"GET /private/3 HTTP/1.1"|200|"Mozilla/5.0"',
    '2015-05-17T10:05:04+00:00|66.249.66.1|"GET /ok HTTP/1.1"|200|"Googlebot/2.1"',
  ],
  [
    '[17/May/2015:10:05:03 +0000] 192.0.2.7 "GET /private/3 HTTP/1.1" 200 "Mozilla/5.0"',
    '[17/May/2015:10:05:04 +0000] 66.249.66.1 "GET /ok HTTP/1.1" 200 "Googlebot/2.1"',
  ],
  ["2015-05-17T10:05:03+00:00 192.0.2.7 200 12 /private/3", "2015-05-17T10:05:04+00:00 66.249.66.1 200 12 /ok"],
];

type Parsed = LogRequest | LogProblem | undefined;

/** The log's lines with requests, and a parser that knows the log's heading. */
function openedLog(log: LineLogFormat, given?: readonly string[]): [lines: string[], parse: (line: string) => Parsed] {
  const all = given ?? log.samples.log ?? [];
  const heading = all.find((line) => log.isHeading?.(line) === true);
  const parse = (line: string): Parsed => {
    const parser = log.createParser();
    if (heading !== undefined) parser(heading);
    return parser(line);
  };
  const lines = all.filter((line) => {
    const parsed = parse(line);
    return parsed !== undefined && !isLogProblem(parsed);
  });
  return [lines, parse];
}

/** The parts of a request that do not come from the beginning of its line. */
function factsOf({ method, target, time, userAgent, status, bytes, referer }: LogRequest): readonly unknown[] {
  return [method, target, time, userAgent, status, bytes, referer];
}

const logs = [
  ...lineLogFormats
    .filter(({ name, samples }) => name !== "cdx" && samples.log !== undefined)
    .map((log) => [log.name, log, undefined] as const),
  ...ownPatterns.map((log, index) => [log.name, log, ownLines[index]!] as const),
];

describe.each(logs)("%s", (_name, log, given) => {
  const [lines, parse] = openedLog(log, given);

  test("a line that was cut anywhere, and a whole line behind it", () => {
    expect(lines.length).toBeGreaterThan(1);
    const seen: string[] = [];
    for (const [index, first] of lines.entries()) {
      const second = lines[(index + 1) % lines.length]!;
      const expected = factsOf(parse(second) as LogRequest);
      for (let cut = 1; cut <= first.length; cut++) {
        const parsed = parse(first.slice(0, cut) + second)!;
        if (isLogProblem(parsed)) continue;
        if (JSON.stringify(factsOf(parsed)) !== JSON.stringify(expected)) seen.push(first.slice(0, cut) + "¦" + second);
      }
    }
    expect(seen).toEqual([]);
  });
});

describe("lines of combined", () => {
  const [time, later] = ["[10/Dec/2025:10:00:27 +0000]", "[10/Dec/2025:10:00:28 +0000]"];
  const second = `66.249.66.1 - - ${later} "GET /ok HTTP/1.1" 200 10 "-" "Googlebot/2.1"`;
  const seen = (name: string, line: string): string => {
    const parsed = lineLogFormats.find((format) => format.name === name)!.createParser()(line)!;
    return isLogProblem(parsed) ? parsed.code : parsed.target;
  };

  test.each([
    ["in the address", "192.0."],
    ["in the address of IPv6", "2001:db8:0:0:0:0:0:1"],
    ["behind ident", "192.0.2.7 -"],
    ["behind the user", "192.0.2.7 - ann "],
    ["in the time", "192.0.2.7 - - [10/Dec/20"],
    ["behind the time", `192.0.2.7 - - ${time} "`],
    ["in the method", `192.0.2.7 - - ${time} "GE`],
    ["in the path", `192.0.2.7 - - ${time} "GET /private/3`],
    ["in the protocol", `192.0.2.7 - - ${time} "GET /private/3 HT`],
    ["in the status", `192.0.2.7 - - ${time} "GET /private/3 HTTP/1.1" 2`],
    ["in the size", `192.0.2.7 - - ${time} "GET /private/3 HTTP/1.1" 200 1`],
    ["in the referrer", `192.0.2.7 - - ${time} "GET /private/3 HTTP/1.1" 200 10 "https://a.ex`],
    ["in the agent", `192.0.2.7 - - ${time} "GET /private/3 HTTP/1.1" 200 10 "-" "Mozilla/5.0 (`],
    ["behind the agent", `192.0.2.7 - - ${time} "GET /private/3 HTTP/1.1" 200 10 "-" "Mozilla/5.0"`],
    ["in a further field", `192.0.2.7 - - ${time} "GET /private/3 HTTP/1.1" 200 10 "-" "Mozilla/5.0" 0.0`],
  ])("a cut %s", (_what, beginning) => {
    expect(seen("combined", beginning + second)).toBe("joined-lines");
    const host = "www.a.example:443 ";
    expect(seen("vhost_combined", host + beginning + host + second)).toBe("joined-lines");
    const tail = ' "-" "Googlebot/2.1"';
    if (!beginning.includes("Mozilla")) {
      expect(seen("common", (beginning + second).replace(tail, ""))).toBe("joined-lines");
    }
  });

  test.each([
    ["a quote in the query", '/a?b="c"'],
    ["the beginning of a line, escaped as by nginx", String.raw`/a?66.249.66.1 - - ${later} \x22GET /b`],
    ["the beginning of a line, escaped as by Apache", String.raw`/a?66.249.66.1 - - ${later} \"GET /b`],
    ["a time in brackets", `/a?${later}`],
  ])("%s is read", (_what, target) => {
    expect(seen("combined", `192.0.2.7 - - ${time} "GET ${target} HTTP/1.1" 200 10 "-" "x"`)).toMatch(/^\/a\?/);
    expect(seen("combined", `192.0.2.7 - - ${time} "GET /a? HTTP/1.1" 200 10 "${target}" "${target}"`)).toBe("/a?");
  });

  test.each([
    "192.0.2.7",
    "2001:db8::7",
    "::ffff:192.0.2.7",
    "fe80::1%eth0",
    "crawl-1.bot.example",
    "localhost",
    "-",
    "unix:",
    "unknown",
    "192.0.2.xxx",
    "127.1",
    "192.0.2.7:1234",
    "[2001:db8::7]:1234",
    "203.0.113.9, 10.0.0.1",
    "203.0.113.9 10.0.0.1",
    "a1b2c3d4e5f6",
  ])("the client %s is read", (client) => {
    expect(seen("combined", `${client} - - ${time} "GET /a HTTP/1.1" 200 10 "-" "x"`)).toBe("/a");
  });
});
