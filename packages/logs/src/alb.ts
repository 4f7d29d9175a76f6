// Parses lines of access logs of AWS Application Load Balancers: the documented fields up to the domain name.
import { closingQuoteOf, unescaped, valueOf } from "./quoted.ts";
import { isAbsolute, requestLineOf } from "./request-line.ts";
import { type LineLogFormat, type LogProblem, type LogRequest, isLogProblem } from "./types.ts";

/** The access log of the load balancer. Fields that newer versions append are ignored. */
export const alb: LineLogFormat = {
  name: "alb",
  about: "AWS Application Load Balancer access logs",
  facts: ["time", "client", "method", "status", "bytes", "userAgent"],
  namesHost: true,
  recognizes: (line) =>
    /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z [^ ]+ [^ ]+:\d+ /.test(line.slice(0, 1_024)) &&
    !isNotALine(parse(line)),
  createParser: () => parse,
  samples: {
    record:
      'https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET {url} HTTP/1.1" "{other}" - - arn "Root=1" "-" "-" 0',
    broken: [
      'https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 - -1 -1 -1 400 - 0 57 "- http://a.example:443- -" "-" - - arn "Root=1" "-" "-" 0',
      "oops",
    ],
    fragments: [
      'http 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET http://a.example:80/ HTTP/1.1" "x" - -',
      '"',
      " ",
    ],
  },
};

const notALine: LogProblem = { code: "not-a-log-line", message: "is not a line of a load balancer's log" };

/** The number of fields before the request. */
const fieldsBefore = 12;

function isNotALine(parsed: LogRequest | LogProblem): boolean {
  return isLogProblem(parsed) && parsed.code === "not-a-log-line";
}

/** Whether a quote closes the request: the quoted user agent begins after it. */
function endsRequest(line: string, quote: number): boolean {
  return line.startsWith(' "', quote + 1);
}

function parse(line: string): LogRequest | LogProblem {
  const requestAt = line.indexOf(' "') + 2;
  if (requestAt === 1) return notALine;
  const fields = line.slice(0, requestAt - 2).split(" ");
  if (fields.length !== fieldsBefore || !/^(?:https?|h2|grpcs|wss?)$/.test(fields[0] ?? "")) return notALine;
  const requestEnd = closingQuoteOf(line, requestAt, endsRequest);
  const agentEnd = requestEnd < 0 ? -1 : closingQuoteOf(line, requestEnd + 3);
  if (agentEnd < 0) return notALine;
  const request = requestLineOf(unescaped(line.slice(requestAt, requestEnd)));
  if (isLogProblem(request)) return { code: request.code, message: request.message };
  const { method, target } = request;
  return {
    method,
    target,
    scheme: fields[0] === "http" || fields[0] === "ws" ? "http" : "https",
    host: isAbsolute(target) ? undefined : domainOf(line, agentEnd + 1),
    userAgent: valueOf(line.slice(requestEnd + 3, agentEnd)),
    time: valueOf(fields[1] ?? "-"),
    client: addressOf(fields[3] ?? "-"),
    status: valueOf(fields[8] ?? "-"),
    bytes: valueOf(fields[11] ?? "-"),
    referer: undefined,
  };
}

/** The address of `client:port`; IPv6 addresses may stand in brackets. */
function addressOf(field: string): string | undefined {
  return valueOf(field.replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1"));
}

/** The requested host: the second quoted field after the user agent. The first is the trace id. */
function domainOf(line: string, from: number): string | undefined {
  const traceAt = line.indexOf(' "', from);
  const traceEnd = traceAt < 0 ? -1 : closingQuoteOf(line, traceAt + 2);
  if (traceEnd < 0 || !line.startsWith(' "', traceEnd + 1)) return undefined;
  const end = closingQuoteOf(line, traceEnd + 3);
  return end < 0 ? undefined : valueOf(line.slice(traceEnd + 3, end));
}
