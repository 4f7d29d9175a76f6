// Tests the requests and URLs, or the problems, of lines of access logs as real servers write them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineLogFormats } from "./index.ts";
import { isLogProblem, type LogProblem, type LogRequest } from "./types.ts";
import { type Base, urlOf } from "./host.ts";

const base: Base = { scheme: "https", host: "example.com" };

function parse(name: string, ...lines: string[]): LogRequest | LogProblem | undefined {
  const format = lineLogFormats.find((each) => each.name === name);
  if (format === undefined) throw new Error(name);
  const parser = format.createParser();
  return lines.map((line) => parser(line)).at(-1);
}

/** The URL, or the code of the problem. */
function seen(name: string, ...lines: string[]): string {
  const parsed = parse(name, ...lines);
  if (parsed === undefined) return "nothing";
  const url = isLogProblem(parsed) ? parsed : urlOf(parsed, base);
  return typeof url === "string" ? url : url.code;
}

const head = "192.0.2.1 - - [17/May/2015:10:05:03 +0000]";
const tail = '200 123 "-" "Mozilla/5.0 (compatible; bingbot/2.0)"';

describe("request lines", () => {
  test.each([
    ["a path", "GET /a?b=c HTTP/1.1", "https://example.com/a?b=c"],
    ["HTTP/2", "GET /a HTTP/2.0", "https://example.com/a"],
    ["HTTP/0.9", "GET /a", "https://example.com/a"],
    ["an unknown method", "M-SEARCH /a HTTP/1.1", "https://example.com/a"],
    ["two slashes begin a path, not a host", "GET //evil.example/a HTTP/1.1", "https://example.com//evil.example/a"],
    ["an absolute URL", "GET http://other.example:8080/a HTTP/1.1", "http://other.example:8080/a"],
    ["an absolute URL of another scheme", "GET ftp://other.example/a HTTP/1.1", "ftp://other.example/a"],
    ["a web socket", "GET wss://other.example/a HTTP/1.1", "https://other.example/a"],
    ["raw spaces", "GET /a b c HTTP/1.1", "https://example.com/a%20b%20c"],
    ["raw spaces without a version", "GET /a b", "https://example.com/a%20b"],
    ["two spaces", "GET  /a  HTTP/1.1", "https://example.com/a"],
    ["escaped bytes", String.raw`GET /\xc3\xbc\x22 HTTP/1.1`, 'https://example.com/\u00c3\u00bc"'],
    ["an escaped quote", String.raw`GET /a\"b HTTP/1.1`, 'https://example.com/a"b'],
    ["a bare quote", 'GET /a"b HTTP/1.1', 'https://example.com/a"b'],
    ["an escaped backslash", String.raw`GET /a\\b HTTP/1.1`, String.raw`https://example.com/a\b`],
    ["a backslash that begins no escape", String.raw`GET /a\qb HTTP/1.1`, String.raw`https://example.com/a\qb`],
    ["a line end", String.raw`GET /a\nb\x09 HTTP/1.1`, "https://example.com/a%0Ab%09"],
    ["a fragment", "GET /a#b HTTP/1.1", "https://example.com/a#b"],
    ["the server as a whole", "OPTIONS * HTTP/1.1", "no-url"],
    ["HTTP/2's preface", "PRI * HTTP/2.0", "no-url"],
    ["CONNECT", "CONNECT other.example:443 HTTP/1.1", "no-url"],
    ["no target", "GET HTTP/1.1", "no-url"],
    ["an empty target", "GET  HTTP/1.1", "no-url"],
    ["a target that is not a path", "GET index.html HTTP/1.1", "no-url"],
    ["an empty request", "", "no-request"],
    ["a dash", "-", "no-request"],
    ["TLS", String.raw`\x16\x03\x01\x00\xee\x01\x00`, "not-http"],
    ["TLS with spaces", String.raw`\x16\x03\x01 /x \x00`, "not-http"],
    ["SSH", "SSH-2.0-Go", "not-http"],
    ["RTSP", "OPTIONS / RTSP/1.0", "not-http"],
    ["SIP", "OPTIONS sip:nm SIP/2.0", "not-http"],
    ["T3", String.raw`t3 12.1.2\n`, "not-http"],
    ["CONNECT without HTTP", "CONNECT other", "not-http"],
    ["a space first", " /a HTTP/1.1", "not-http"],
  ])("%s", (_what, request, expected) => {
    expect(seen("combined", `${head} "${request}" ${tail}`)).toBe(expected);
  });
});

describe("access logs", () => {
  test("all facts", () => {
    expect(parse("combined", `${head} "GET /a HTTP/1.1" ${tail}`)).toEqual({
      method: "GET",
      target: "/a",
      scheme: undefined,
      host: undefined,
      userAgent: "Mozilla/5.0 (compatible; bingbot/2.0)",
      time: "17/May/2015:10:05:03 +0000",
      client: "192.0.2.1",
      status: "200",
      bytes: "123",
      referer: undefined,
    });
  });

  test.each([
    ["common", `${head} "GET /a HTTP/1.1" 200 123`, { status: "200", userAgent: undefined }],
    ["common", `${head} "GET /a HTTP/1.1" 200 -`, { status: "200" }],
    ["combined", `${head} "GET /a HTTP/1.1" - - "-" "-"`, { status: "-", userAgent: undefined }],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123`, { userAgent: undefined }],
    [
      "combined",
      `${head} "GET /a HTTP/1.1" 200 123 "http://r.example/\\"" "a \\"b\\" \\xc3"`,
      { userAgent: 'a "b" \u00c3' },
    ],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "a "b" c" "203.0.113.9" 0.004`, { userAgent: 'a "b' }],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "cut short`, { userAgent: undefined }],
    // Fields that touch the user agent, because the server's configuration has no space there.
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "a (b)"rt=0.003 uct="0.000" uht="-"`, { userAgent: "a (b)" }],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "a (b)"upstream: 10.0.0.1`, { userAgent: "a (b)" }],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "a (b)""203.0.113.9"`, { userAgent: "a (b)" }],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "a (b)"0.003 0.001`, { userAgent: "a (b)" }],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "-"rt=0.003`, { userAgent: undefined }],
    ["combined", `${head} "GET /a HTTP/1.1" 200 123 "-" "a \\"b=c" rt=0.003`, { userAgent: 'a "b=c' }],
    ["vhost_combined", `a.example:443 ${head} "GET /a HTTP/1.1" 200 123 "-" "a (b)"rt=0.003`, { userAgent: "a (b)" }],
    ["combined", `192.0.2.1 - John Q. Public [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" ${tail}`, { target: "/a" }],
    ["combined", `2001:db8::1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" ${tail}`, { host: undefined }],
  ])("%s: %s", (name, line, facts) => {
    expect(parse(name, line)).toMatchObject(facts);
  });

  test.each([
    ["the port implies http", "a.example:80", "http://a.example/a"],
    ["the port implies https", "a.example:443", "https://a.example/a"],
    ["the port implies no scheme", "a.example:8443", "https://a.example:8443/a"],
    ["without a port", "a.example", "https://a.example/a"],
    ["an IPv4 address is a client's", "203.0.113.9", "https://example.com/a"],
    ["an IPv4 address with a port", "203.0.113.9:443", "https://example.com/a"],
    ["an IPv6 address with a port", "[2001:db8::1]:80", "https://example.com/a"],
    ["a number, which URL parsers read as an address", "2130706433:80", "https://example.com/a"],
    ["a list of addresses", "203.0.113.9, 198.51.100.7", "https://example.com/a"],
    ["a host that would reach into the path", "a.example/b", "no-host"],
    ["a host that would be a user's name", "a.example@b.example", "no-host"],
    ["a missing host", "-", "https://example.com/a"],
  ])("vhost_combined, %s", (_what, host, expected) => {
    expect(seen("vhost_combined", `${host} ${head} "GET /a HTTP/1.1" ${tail}`)).toBe(expected);
  });

  test.each([
    ["no client", "a.example:80 - -", "http://a.example/a"],
    ["no client, and a user", "a.example:443 - frank", "https://a.example/a"],
    ["no client and no port", "a.example - -", "https://a.example/a"],
  ])("vhost_combined, %s", (_what, lead, expected) => {
    const line = `${lead.replace(" ", " - ")} [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" ${tail}`;
    expect(seen("vhost_combined", line)).toBe(expected);
  });

  test("an IPv6 address in brackets before the time is not the time", () => {
    const line = `a.example:443 [2001:db8::1]:4711 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" ${tail}`;
    expect(parse("vhost_combined", line)).toMatchObject({ host: "a.example", time: "17/May/2015:10:05:03 +0000" });
  });

  describe("X-Forwarded-For before the client, or in its place, is not a host", () => {
    const addresses = [
      "203.0.113.9",
      "203.0.113.9:52114",
      "2001:db8::9",
      "::ffff:203.0.113.9",
      "[2001:db8::9]",
      "[2001:db8::9]:52114",
      "fe80::1%eth0",
      "-",
      "unknown",
      "203.0.113.9, 198.51.100.7",
      "203.0.113.9,198.51.100.7",
      "2001:db8::9, 198.51.100.7, [2001:db8::7]:80",
      "unknown, 198.51.100.7",
      "made.up.example, 198.51.100.7",
      "2130706433",
      "127.1",
      "0x7f.1",
      "127.0.0.1.",
    ];
    const ends = ["192.0.2.1 - -", "[2001:db8::1]:80 - -", "- - -", "- -", "192.0.2.1 - John Q. Public"];
    test.each(addresses.flatMap((address) => ends.map((end) => [`${address} ${end}`])))("%s", (lead) => {
      const line = `${lead} [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" ${tail}`;
      expect(lineLogFormats.filter((format) => format.recognizes(line)).map(({ name }) => name)).toEqual(["combined"]);
      expect(parse("combined", line)).toMatchObject({
        host: undefined,
        target: "/a",
        time: "17/May/2015:10:05:03 +0000",
      });
      const forced = parse("vhost_combined", line);
      if (forced !== undefined && !isLogProblem(forced)) expect(forced.host).toBeUndefined();
    });
  });

  test("a line with a host is not a line of combined, and a line without a host is not a line of vhost_combined", () => {
    const line = `${head} "GET /a HTTP/1.1" ${tail}`;
    expect(parse("combined", `a.example:80 ${line}`)).toMatchObject({
      code: "not-a-log-line",
      message: /vhost_combined/,
    });
    expect(parse("vhost_combined", line)).toMatchObject({ code: "not-a-log-line" });
  });

  test("a request without a host has no URL, unless its target is absolute or a host is given", () => {
    const request = parse("combined", `${head} "GET /a HTTP/1.1" ${tail}`) as LogRequest;
    expect(urlOf(request, undefined)).toMatchObject({ code: "no-host" });
    expect(urlOf({ ...request, target: "http://b.example/" }, undefined)).toBe("http://b.example/");
    expect(urlOf({ ...request, host: "b.example" }, { scheme: "http", host: "x" })).toBe("http://b.example/a");
  });
});

describe("the format of a line", () => {
  const lines: readonly (readonly [line: string, name: string | undefined, another?: string])[] = [
    [`${head} "GET /a HTTP/1.1" 200 123`, "common"],
    [`${head} "\\x16\\x03" 400 0`, "common"],
    [`${head} "GET /a HTTP/1.1" ${tail}`, "combined"],
    [`${head} "-" 408 - "-" "-"`, "combined"],
    [`192.0.2.1 - John Q. Public [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" ${tail}`, "combined"],
    [`a.example:443 ${head} "GET /a HTTP/1.1" ${tail}`, "vhost_combined"],
    [`a.example ${head} "GET /a HTTP/1.1" ${tail}`, "vhost_combined"],
    [`a.example:443 - - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" ${tail}`, "vhost_combined"],
    [`crawler.example - - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" ${tail}`, "combined"],
    [`1.example:443 ${head} "GET /a HTTP/1.1" ${tail}`, "vhost_combined"],
    [`cafe:443 ${head} "GET /a HTTP/1.1" ${tail}`, "vhost_combined"],
    // Headings that both formats have; the lines after them decide.
    ["#Version: 1.0", "cloudfront", "w3c"],
    ["#Fields: date time cs-uri-stem", "cloudfront", "w3c"],
    ["#Fields: date time s-ip cs-uri-stem", "w3c"],
    ["#Fields: date time other", undefined],
    [" CDX N b a m s k r M S V g", "cdx"],
    ["com,example)/ 20240722120756 http://example.com/ text/html 200 DIGEST 689", "cdx"],
    ['com,example)/ 20240722120756 {"url": "http://example.com/"}', "cdx"],
    ["https://example.com/", undefined],
    ["url,title", undefined],
    ['{"url":"https://example.com/"}', undefined],
    ["", undefined],
  ];
  const cases = lines.map(([line, ...names]) => ({ line, names: names.filter((each) => each !== undefined) }));
  test.each(cases)("$line", ({ line, names }) => {
    expect(lineLogFormats.filter((format) => format.recognizes(line)).map(({ name }) => name)).toEqual(names);
  });
});

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

test("no line makes a parser throw, and each line has a problem, or a URL without spaces and control characters", () => {
  const piece = fc.constantFrom(
    " ",
    '"',
    "\\",
    "[",
    "]",
    "-",
    "GET",
    "/",
    "#",
    "HTTP/1.1",
    "200",
    "{",
    "\t",
    "\\x16",
    "\u00ff",
    "#Fields:",
    "CDX a",
  );
  const text = fc.oneof(
    fc
      .array(fc.oneof(piece, fc.string({ maxLength: 4, unit: "binary" })), { maxLength: 40 })
      .map((parts) => parts.join("")),
    fc.string({ maxLength: 30 }).map((request) => `${head} "${request}" ${tail}`),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (lines) => {
      for (const format of lineLogFormats) {
        const parser = format.createParser();
        for (const line of lines) {
          format.recognizes(line);
          const parsed = parser(line);
          if (parsed === undefined) continue;
          const url = isLogProblem(parsed) ? parsed : urlOf(parsed, base);
          if (typeof url === "string") expect(url).not.toMatch(/[\0- ]/);
          else expect(url.code).toMatch(/^[a-z-]+$/);
        }
      }
    }),
    { numRuns: isThorough ? 2_000 : 150 },
  );
});

test("long lines take linear time, and their URLs have bounded length", () => {
  const many = isThorough ? 200_000 : 40_000;
  for (const part of [
    '"',
    "\\",
    '\\"',
    " ",
    "[",
    "] ",
    '" 200 ',
    "\\x41",
    "%20",
    "GET ",
    "{",
    "\\u0041",
    "a)",
    "-",
    "[::",
    "1.",
    ", ",
  ]) {
    for (const line of [
      part.repeat(many),
      `${head} "${part.repeat(many)}`,
      `${head} "GET /${part.repeat(many)} HTTP/1.1" ${tail}`,
    ]) {
      for (const format of lineLogFormats) {
        format.recognizes(line);
        const parsed = format.createParser()(line);
        if (parsed === undefined || isLogProblem(parsed)) continue;
        const url = urlOf(parsed, base);
        expect(typeof url === "string" ? url.length : 0).toBeLessThanOrEqual(line.length * 3 + 30);
      }
    }
  }
});
