// Parses lines of access logs as Apache httpd and nginx write them: Common Log Format, combined and vhost_combined.
import { namedHostOf } from "./host.ts";
import { accessBeginning, hasTwoClients, isLineBeforeTime, isTwice, joinedLines, mayBeClient } from "./joined-lines.ts";
import { isDomain } from "./pattern/captures.ts";
import { isPatternProblem, logPatternsOf, stepsOf } from "./pattern/steps.ts";
import { closingQuoteOf, unescaped, valueOf } from "./quoted.ts";
import { type RequestLine, isAbsolute, requestLineOf } from "./request-line.ts";
import { type LineLogFormat, type LogPattern, type LogProblem, type LogRequest, isLogProblem } from "./types.ts";

/**
 * Makes the pattern of a format from its notation in Apache httpd's documentation. Ident is "-" in the pattern, as on nearly all servers.
 * Lines with another ident are left to the parser, which can distinguish ident from a client.
 */
function patternOf(written: string): LogPattern {
  const steps = stepsOf(written);
  if (isPatternProblem(steps)) throw new Error(steps.message);
  return { ...logPatternsOf(steps, true)[0]!, beginning: accessBeginning, behindTime: "]" };
}

/** Delays making the patterns of a format until their first use, because a process uses few formats. */
function atFirstUse(make: () => readonly LogPattern[]): () => readonly LogPattern[] {
  let made: readonly LogPattern[] | undefined;
  return () => (made ??= make());
}

const documented = "https://httpd.apache.org/docs/current/mod/mod_log_config.html#examples";
const commonPatterns = atFirstUse(() => [patternOf('%h - %u %t "%r" %>s %b')]);
const combinedPatterns = atFirstUse(() => [patternOf('%h - %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"')]);
const vhostPatterns = atFirstUse(() => [
  {
    ...patternOf('%v:%p %h - %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"'),
    // If the client is "-", only the parser can decide whether the first field is the host or an address of the client.
    needsClient: true,
    originOf(field) {
      const isOther = isForwarded(field) || isInstant.test(field) || twoHosts.test(field);
      return isOther ? undefined : namedHostOf(field);
    },
  },
]);

/** The format `host ident user [time] "request" status bytes`. */
export const common: LineLogFormat = {
  name: "common",
  about: "Apache and nginx access logs without user agents",
  facts: ["time", "client", "method", "status", "bytes"],
  namesHost: false,
  recognizes: (line) => hasShape(line) && leadOf(line) !== "host" && !tailHasAgent(line) && !mayNameHost(line),
  createParser: () => (line) => parse(line, false, false),
  patternsOf: commonPatterns,
  documented,
  samples: {
    record: '192.0.2.1 - {other} [17/May/2015:10:05:03 +0000] "GET {url} HTTP/1.1" 200 1',
    broken: [String.raw`192.0.2.1 - - [17/May/2015:10:05:03 +0000] "\x16\x03" 400 0`, "oops"],
    fragments: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1', '"', "[", "] ", " - ", "\\x16"],
    log: [
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326',
      '192.0.2.3 - - [10/Oct/2000:13:55:37 -0700] "GET /a?b=c HTTP/1.0" 304 -',
      'crawl-1.bot.example - - [10/Oct/2000:13:55:38 -0700] "HEAD / HTTP/1.0" 200 0',
      '2001:db8::1 - - [10/Oct/2000:13:55:39 -0700] "\\x16\\x03" 400 226',
      '192.0.2.3 - - [10/Oct/2000:13:55:40 -0700] "POST /form HTTP/1.0" 500 599',
    ],
  },
};

/** The common format followed by `"referer" "user agent"`, which may be missing; any text after them is ignored. */
export const combined: LineLogFormat = {
  name: "combined",
  about: "Apache and nginx access logs",
  facts: ["time", "client", "method", "status", "bytes", "referer", "userAgent"],
  namesHost: false,
  recognizes: (line) => hasShape(line) && leadOf(line) !== "host" && tailHasAgent(line) && !mayNameHost(line),
  createParser: () => (line) => parse(line, false, true),
  patternsOf: combinedPatterns,
  documented,
  samples: {
    record: '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {url} HTTP/1.1" 200 1 "-" "{other}"',
    // The sample has whole URLs, because no field has the host.
    detectedAs: "varnishncsa",
    broken: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-"', "oops"],
    fragments: [
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"',
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "',
      '"',
      '" 200 ',
      "\\",
    ],
    log: [
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.shop.example/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"',
      '203.0.113.9, 10.0.0.1 - - [10/Oct/2000:13:55:37 -0700] "GET / HTTP/1.1" 200 17 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"',
      'crawl-1.bot.example - - [10/Oct/2000:13:55:38 -0700] "GET /robots.txt HTTP/1.1" 404 196 "-" "CCBot/2.0 (https://commoncrawl.org/faq/)"',
      '2001:db8::1 - - [10/Oct/2000:13:55:39 -0700] "-" 408 - "-" "-"',
      '192.0.2.3 - - [10/Oct/2000:13:55:40 -0700] "GET /a%20b?c HTTP/2.0" 301 - "-" "curl/8.5.0"',
      '203.0.113.9 10.0.0.2 - - [10/Oct/2000:13:55:41 -0700] "GET /b HTTP/1.1" 200 9 "-" "GPTBot/1.2"',
    ],
  },
};

/** The combined format with the server's name, and usually its port, at the beginning of the line. */
export const vhostCombined: LineLogFormat = {
  name: "vhost_combined",
  about: "Apache and nginx access logs whose lines begin with host:port",
  facts: ["time", "client", "method", "status", "bytes", "referer", "userAgent"],
  namesHost: true,
  recognizes: (line) => hasShape(line) && leadOf(line) === "host",
  // A line that begins with two addresses: the first is the name of a virtual server, or X-Forwarded-For before `%h`.
  mayBe: (line) => hasShape(line) && leadOf(line) === "either",
  createParser: () => (line) => parse(line, true, true),
  patternsOf: vhostPatterns,
  documented,
  samples: {
    record: '{host}:443 192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {target} HTTP/1.1" 200 1 "-" "{other}"',
    broken: ["oops"],
    fragments: ['a.example:443 192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"', '"', " "],
    log: [
      'www.shop.example:443 192.0.2.3 - - [10/Oct/2023:13:55:36 +0000] "GET / HTTP/1.1" 200 2326 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"',
      'www.shop.example:80 192.0.2.4 - ann [10/Oct/2023:13:55:37 +0000] "GET /a?b HTTP/1.1" 301 461 "https://www.shop.example/" "curl/8.5.0"',
      'img.shop.example:443 2001:db8::1 - - [10/Oct/2023:13:55:38 +0000] "GET /x.png HTTP/2.0" 404 196 "-" "-"',
      'www.shop.example:443 192.0.2.3 - - [10/Oct/2023:13:55:39 +0000] "\\x16\\x03\\x01" 400 0 "-" "-"',
      'www.shop.example:443 192.0.2.3 - - [10/Oct/2023:13:55:40 +0000] "POST /cart HTTP/2.0" 200 12 "-" "Mozilla/5.0"',
    ],
  },
};

const behindText: LogProblem = { code: "not-a-log-line", message: "has other text before the client's address" };
/** A timestamp in front of the line. */
const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

const notALine: LogProblem = { code: "not-a-log-line", message: "is not a line of an access log" };
const withHost: LogProblem = { code: "not-a-log-line", message: "begins with a host, like vhost_combined" };

const time =
  /\[(?:\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: [+-]\d{4})?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)\] "/;

/** A NUL: servers write none, damaged files have many. */
const nul = "\0";

function hasShape(line: string): boolean {
  const start = line.slice(0, 2_048);
  return time.test(start) && !start.includes(nul) && !isDamaged(parse(line, leadOf(line) === "host", true));
}

/** Whether a line is no evidence of its format. */
function isDamaged(parsed: LogRequest | LogProblem): boolean {
  return isLogProblem(parsed) && (parsed.code === "not-a-log-line" || parsed.code === "joined-lines");
}

/**
 * Whether a field that `common` and `combined` do not read may be the requested host: a domain between the client and the time, before an
 * address of the client, or behind the user agent. Such a line is no evidence of these formats, whose paths are all on one host: its log
 * needs its pattern. `line` has the shape of these formats.
 */
function mayNameHost(line: string): boolean {
  const timeEnd = line.indexOf('] "');
  const requestEnd = closingQuoteOf(line, timeEnd + 3, endsRequest);
  const requestLine = requestLineOf(unescaped(line.slice(timeEnd + 3, requestEnd)));
  if (!isLogProblem(requestLine) && isAbsolute(requestLine.target)) return false;
  const bytesEnd = endOfField(line, endOfField(line, requestEnd + 2) + 1);
  const { end = bytesEnd } = headersOf(line, bytesEnd + 1);
  const firstEnd = endOfAddresses(line, 0);
  const beforeTime = line.slice(firstEnd, line.lastIndexOf(" [", timeEnd));
  const isBeforeClient = isDomain(line.slice(0, firstEnd)) && beforeTime.split(" ").some((word) => isForwarded(word));
  return isBeforeClient || hasDomain(beforeTime) || hasDomain(line.slice(end));
}

/** Maximum number of characters of unread text in which a domain is searched. */
const longestUnread = 2_048;

/** Whether a text has a domain: as a word, in quotes or brackets, or behind a name such as `host=`. */
function hasDomain(text: string): boolean {
  const words = text.slice(0, longestUnread).split(/[\s"'()[\]{}<>,;|=/]+/);
  return words.some((word) => isDomain(word) || word.split(":").some((part) => isDomain(part)));
}

/**
 * The meaning of a line's first field: "host" in `host client ident user`, "client" in `client ident user`. "either": both are possible.
 */
type Lead = "host" | "client" | "either";

/**
 * The meaning of the first field, found by the position of ident, which is "-" on nearly all servers. A user name may contain spaces, so
 * the number of fields before the time is no evidence. If another field is between an address and ident, the address is a host or
 * X-Forwarded-For before `%h`: "either".
 */
function leadOf(line: string): Lead {
  const firstEnd = endOfAddresses(line, 0);
  const secondEnd = endOfAddresses(line, firstEnd + 1);
  if (!line.startsWith(" - ", secondEnd) || line.charCodeAt(secondEnd + 3) === bracket) return "client";
  const first = line.slice(0, firstEnd);
  if (first === "-" || isForwarded(first)) return "either";
  // If the client is missing, only a port shows that the first field is a host: the name of a client has no port, and a user name may begin
  // with "- ".
  return !line.startsWith(" - ", firstEnd) || port.test(first) ? "host" : "either";
}

/**
 * The end of the first or second field, which begins at `from`. The field may be X-Forwarded-For, a list such as "client, proxy": a space
 * after a comma does not end the field.
 */
function endOfAddresses(line: string, from: number): number {
  let end = line.indexOf(" ", from);
  while (end > from && line.charCodeAt(end - 1) === comma) end = line.indexOf(" ", end + 1);
  return end < 0 ? line.length : end;
}

const comma = 0x2c;
const bracket = 0x5b;
const port = /:\d{1,5}$/;
/** Two names of hosts in one: a name is behind a colon, or behind a part of a port. */
const twoHosts = /^(?:\[[^\]]*\]|[^:[\]]*):\d{0,5}[a-z][\w.-]*(?::\d{1,5})?$/i;

/**
 * Matches a name whose last label is a number, perhaps with a port: by the URL Standard, such a name is an IPv4 address ("2130706433",
 * "127.1", "0x7f.1").
 */
const ipv4 = /^(?:[^:/?#@]*\.)?(?:\d+|0x[\da-f]*)\.?(?::\d*)?$/i;
const ipv6 = /^(?:\[[\da-f:.]*:[\da-f:.]*(?:%[^\]]*)?\](?::\d*)?|[\da-f]*:[\da-f]*:[\da-f:.]*(?:%.*)?)$/i;

/**
 * Whether a first field has the form of a client: an address, a list of addresses as proxies write it (no host contains a comma), or
 * "unknown", which proxies write for a client that they hide.
 */
function isForwarded(first: string): boolean {
  // nginx writes "~" before a regular expression, the name of a virtual server, in which a comma may be part of "{1,3}".
  if (first.startsWith("~")) return false;
  return first.includes(",") || ipv4.test(first) || ipv6.test(first) || first === "unknown";
}

function tailHasAgent(line: string): boolean {
  return /" (?:\d{3}|0|-) [^ ]+ "/.test(line);
}

/** Whether a quote closes the request: a status follows, or "-" or 0 for a missing status. */
function endsRequest(line: string, quote: number): boolean {
  return /^ (?:\d{3}|0|-)(?: |$)/.test(line.slice(quote + 1, quote + 6));
}

function parse(line: string, hasHost: boolean, hasAgent: boolean): LogRequest | LogProblem {
  const timeEnd = line.indexOf('] "');
  // The search for the time's bracket goes backwards, because IPv6 addresses before the time may be in brackets.
  const timeAt = timeEnd < 0 ? -1 : line.lastIndexOf(" [", timeEnd);
  if (timeAt < 0) return notALine;
  if (isTwice(line, accessBeginning)) return joinedLines;
  const requestAt = timeEnd + 3;
  const requestEnd = closingQuoteOf(line, requestAt, endsRequest);
  if (requestEnd < 0) return notALine;
  const lead = leadOf(line);
  if (isJoinedBeforeTime(line, lead, timeAt)) return joinedLines;
  const isOther = lead === (hasHost ? "client" : "host");
  if (isOther || (lead === "client" && isClientBehindText(line, timeAt))) {
    if (hasTwoClients(line.slice(0, timeAt))) return joinedLines;
    return !isOther ? behindText : hasHost ? notALine : withHost;
  }
  const requestLine = requestLineOf(unescaped(line.slice(requestAt, requestEnd)));
  const asked = isLogProblem(requestLine) ? (requestLine.line ?? nothing) : requestLine;
  if (isLogProblem(requestLine) && requestLine.line === undefined) return requestLine;
  const statusEnd = endOfField(line, requestEnd + 2);
  const bytesEnd = endOfField(line, statusEnd + 1);
  const namesHost = hasHost && hasName(line, lead);
  const { host, scheme } = namesHost ? namedHostOf(unescaped(line.slice(0, line.indexOf(" ")))) : noHost;
  const { referer, userAgent } = hasAgent ? headersOf(line, bytesEnd + 1) : noHeaders;
  const request: LogRequest = {
    ...asked,
    scheme,
    host,
    time: line.slice(timeAt + 2, timeEnd),
    ...clientOf(line, lead, namesHost),
    status: line.slice(requestEnd + 2, statusEnd),
    bytes: valueOf(line.slice(statusEnd + 1, bytesEnd)),
    referer,
    userAgent,
  };
  if (!isLogProblem(requestLine)) return request;
  const { code, message } = requestLine;
  return { code, message, request };
}

/**
 * Whether the text before the time holds the beginning of another line. Of two fields before ident, the first is the host or
 * X-Forwarded-For; a client may have written the latter.
 */
function isJoinedBeforeTime(line: string, lead: Lead, timeAt: number): boolean {
  const firstEnd = endOfAddresses(line, 0);
  const first = line.slice(0, firstEnd);
  const secondEnd = endOfAddresses(line, firstEnd + 1);
  const hasTwo = lead !== "client" && line.startsWith(" - ", secondEnd);
  const client = hasTwo ? line.slice(firstEnd + 1, secondEnd) : first;
  if (isLineBeforeTime(line.slice(hasTwo ? secondEnd : firstEnd, timeAt))) return true;
  if (hasTwo && lead === "host" && !isForwarded(first) && twoHosts.test(first)) return true;
  return !client.includes(",") && !mayBeClient(client);
}

/** Whether text that no server writes precedes the client: the "-" of a missing ident or user is then not at its usual position. */
function isClientBehindText(line: string, timeAt: number): boolean {
  const clientEnd = endOfAddresses(line, 0);
  const rest = line.slice(clientEnd, timeAt);
  return !rest.startsWith(" - ") && rest.includes(" - ");
}

const nothing: RequestLine = { method: "", target: "" };

/**
 * The client: the field after the host, or the first field of a line without a host. If an X-Forwarded-For before `%h` is empty, the client
 * is `%h`.
 */
function clientOf(line: string, lead: Lead, namesHost: boolean): Pick<LogRequest, "client" | "clients"> {
  const firstEnd = endOfAddresses(line, 0);
  const first = line.slice(0, firstEnd);
  const second = line.slice(firstEnd + 1, endOfAddresses(line, firstEnd + 1));
  const field = namesHost || (first === "-" && lead === "either") ? second : first;
  const end = field.indexOf(",");
  const client = valueOf(end < 0 ? field : field.slice(0, end));
  // Of two fields before ident, the second is the peer's address.
  const isPeerBehind =
    !namesHost && lead === "either" && field === first && line.startsWith(" - ", firstEnd + 1 + second.length);
  if (isPeerBehind) return { client, clients: `${field}, ${second}` };
  return end < 0 ? { client } : { client, clients: field };
}

/** Whether a line of `vhost_combined` names the host. */
function hasName(line: string, lead: Lead): boolean {
  return lead === "host" || !isForwarded(line.slice(0, endOfAddresses(line, 0)));
}

const noHost = { host: undefined, scheme: undefined };

function endOfField(line: string, from: number): number {
  const space = line.indexOf(" ", from);
  return space < 0 ? line.length : space;
}

/** The headers in a line, and the offset behind the last of them; undefined without headers. */
interface Headers {
  readonly referer?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly end?: number;
}

const noHeaders: Headers = {};

/** Referer and user agent, two quoted fields that begin at `refererAt`. */
function headersOf(line: string, refererAt: number): Headers {
  if (line.charCodeAt(refererAt) !== 0x22) return noHeaders;
  const refererEnd = closingQuoteOf(line, refererAt + 1);
  if (refererEnd < 0) return noHeaders;
  const referer = valueOf(line.slice(refererAt + 1, refererEnd));
  if (!line.startsWith(' "', refererEnd + 1)) return { referer, end: refererEnd + 1 };
  const end = closingQuoteOf(line, refererEnd + 3, endsAgent);
  if (end < 0) return { referer, end: refererEnd + 1 };
  return { referer, userAgent: valueOf(line.slice(refererEnd + 3, end)), end: end + 1 };
}

/**
 * Whether a quote closes the user agent: at the end of the line, before a space, or before a field that touches it. nginx joins the strings
 * of a log_format without a space between them: `"…agent"rt=0.003 uct="0.000"`, `"…agent""203.0.113.9"`.
 */
function endsAgent(line: string, quote: number): boolean {
  const next = line[quote + 1];
  if (next === undefined || next === " ") return true;
  return next === '"'
    ? /^"[^" ]/.test(line.slice(quote + 1, quote + 3))
    : touching.test(line.slice(quote + 1, quote + 42));
}

/** A field that touches the user agent: a name and its value, or a time in seconds. */
const touching = /^(?:[a-z_][\w.-]{0,38}[=:]|\d{1,6}\.\d{3}(?: |$))/i;
