// Parses lines of access logs as Apache httpd and nginx write them: Common Log Format, combined and vhost_combined.
import { closingQuoteOf, unescaped, valueOf } from "./quoted.ts";
import { requestLineOf } from "./request-line.ts";
import { type LineLogFormat, type LogProblem, type LogRequest, isLogProblem } from "./types.ts";

/** The format `host ident user [time] "request" status bytes`. */
export const common: LineLogFormat = {
  name: "common",
  about: "Apache and nginx access logs without user agents",
  facts: ["time", "method", "status"],
  namesHost: false,
  recognizes: (line) => hasShape(line) && !startsWithHost(line) && !tailHasAgent(line),
  createParser: () => (line) => parse(line, false, false),
  samples: {
    record: '192.0.2.1 - {other} [17/May/2015:10:05:03 +0000] "GET {url} HTTP/1.1" 200 1',
    broken: [String.raw`192.0.2.1 - - [17/May/2015:10:05:03 +0000] "\x16\x03" 400 0`, "oops"],
    fragments: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1', '"', "[", "] ", " - ", "\\x16"],
  },
};

/** The common format followed by `"referer" "user agent"`, which a line may lack; any text after them is ignored. */
export const combined: LineLogFormat = {
  name: "combined",
  about: "Apache and nginx access logs",
  facts: ["time", "method", "status", "userAgent"],
  namesHost: false,
  recognizes: (line) => hasShape(line) && !startsWithHost(line) && tailHasAgent(line),
  createParser: () => (line) => parse(line, false, true),
  samples: {
    record: '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {url} HTTP/1.1" 200 1 "-" "{other}"',
    broken: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-"', "oops"],
    fragments: [
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"',
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "',
      '"',
      '" 200 ',
      "\\",
    ],
  },
};

/** The combined format with the server's name, and usually its port, at the beginning of the line. */
export const vhostCombined: LineLogFormat = {
  name: "vhost_combined",
  about: "the same, each line beginning with host:port",
  facts: ["time", "method", "status", "userAgent"],
  namesHost: true,
  recognizes: (line) => hasShape(line) && startsWithHost(line),
  createParser: () => (line) => parse(line, true, true),
  samples: {
    record: '{host}:443 192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {target} HTTP/1.1" 200 1 "-" "{other}"',
    broken: ["oops"],
    fragments: ['a.example:443 192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"', '"', " "],
  },
};

const notALine: LogProblem = { code: "not-a-log-line", message: "is not a line of an access log" };
const withHost: LogProblem = { code: "not-a-log-line", message: "begins with a host, like vhost_combined" };

const time = /\[\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?\] "/;

function hasShape(line: string): boolean {
  return time.test(line.slice(0, 2_048)) && !isNotALine(parse(line, startsWithHost(line), true));
}

function isNotALine(parsed: LogRequest | LogProblem): boolean {
  return isLogProblem(parsed) && parsed.code === "not-a-log-line";
}

/**
 * Whether a line begins with `host client ident user`, not `client ident user`. Recognized by ident, which is "-" on nearly all
 * servers. Counting fields would fail, because a user may contain spaces.
 */
function startsWithHost(line: string): boolean {
  const fields = line.split(" ", 4);
  return fields[1] !== "-" && fields[2] === "-" && fields[3]?.startsWith("[") === false;
}

function tailHasAgent(line: string): boolean {
  return /" (?:\d{3}|-) [^ ]+ "/.test(line);
}

/** Whether a quote closes the request: a status follows, or "-" for a missing status. */
function endsRequest(line: string, quote: number): boolean {
  return /^ (?:\d{3}|-)(?: |$)/.test(line.slice(quote + 1, quote + 6));
}

function parse(line: string, hasHost: boolean, hasAgent: boolean): LogRequest | LogProblem {
  const timeAt = line.indexOf(" [");
  const timeEnd = line.indexOf('] "', timeAt);
  if (timeAt < 0 || timeEnd < 0) return notALine;
  const requestAt = timeEnd + 3;
  const requestEnd = closingQuoteOf(line, requestAt, endsRequest);
  if (requestEnd < 0) return notALine;
  const isHostFirst = startsWithHost(line);
  if (isHostFirst !== hasHost) return hasHost ? notALine : withHost;
  const request = requestLineOf(unescaped(line.slice(requestAt, requestEnd)));
  if (isLogProblem(request)) return request;
  const statusEnd = endOfField(line, requestEnd + 2);
  const [host, scheme] = hasHost ? hostOf(line.slice(0, line.indexOf(" "))) : [];
  return {
    method: request.method,
    target: request.target,
    scheme,
    host,
    userAgent: hasAgent ? agentOf(line, endOfField(line, statusEnd + 1) + 1) : undefined,
    time: line.slice(timeAt + 2, timeEnd),
    status: valueOf(line.slice(requestEnd + 2, statusEnd)),
  };
}

/** The server's name with its port. The ports 80 and 443 are removed and give the scheme. */
function hostOf(field: string): [host?: string, scheme?: "http" | "https"] {
  if (field.endsWith(":443")) return [field.slice(0, -4), "https"];
  if (field.endsWith(":80")) return [field.slice(0, -3), "http"];
  return field === "-" ? [] : [field];
}

function endOfField(line: string, from: number): number {
  const space = line.indexOf(" ", from);
  return space < 0 ? line.length : space;
}

/** The user agent: the second of the two quoted fields that begin at `refererAt`. */
function agentOf(line: string, refererAt: number): string | undefined {
  if (line.charCodeAt(refererAt) !== 0x22) return undefined;
  const refererEnd = closingQuoteOf(line, refererAt + 1);
  if (refererEnd < 0 || !line.startsWith(' "', refererEnd + 1)) return undefined;
  const end = closingQuoteOf(line, refererEnd + 3);
  return end < 0 ? undefined : valueOf(line.slice(refererEnd + 3, end));
}
