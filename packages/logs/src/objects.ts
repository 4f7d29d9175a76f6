// Reads requests from the members of JSON log records: Cloudflare's Logpush (HTTP requests) and Caddy's access log.
import { hostTextOf } from "./host.ts";
import { scalarTextOf } from "./json-record.ts";
import { problemOfTarget, withProblem } from "./request-line.ts";
import { isJsonMessage, noAccessRecord } from "./server-messages.ts";
import type { LogProblem, LogRequest, ObjectLogFormat } from "./types.ts";

/** The data set "HTTP requests" of Cloudflare Logpush. */
export const cloudflare: ObjectLogFormat = {
  name: "cloudflare",
  about: "Cloudflare Logpush, HTTP requests",
  namesHost: true,
  members: [
    "ClientRequestURI",
    "ClientRequestPath",
    "ClientRequestHost",
    "ClientRequestScheme",
    "ClientRequestMethod",
    "ClientRequestUserAgent",
    "EdgeStartTimestamp",
    "EdgeResponseStatus",
    "ClientIP",
    "EdgeResponseBytes",
    "ClientRequestReferer",
    "ClientRequestSource",
    "WorkerSubrequest",
    "MatchIndex",
    "Action",
  ],
  recognizes: (line) => line.startsWith("{") && /"ClientRequest(?:URI|Path)"\s*:/.test(line),
  requestOf(record) {
    const {
      ClientRequestURI: uri,
      ClientRequestUserAgent: userAgent,
      ClientRequestSource: from,
      WorkerSubrequest: isSubrequest,
      MatchIndex: matchIndex,
      Action: action,
    } = record;
    if (uri === undefined && (matchIndex !== undefined || action !== undefined)) return firewallEvent;
    if (isSubrequest === true || (typeof from === "string" && !fromClients.has(from))) {
      return userAgent === undefined ? subrequest : { ...subrequest, hasAgents: true };
    }
    return requestOf({
      target: scalarTextOf(uri) ?? scalarTextOf(record["ClientRequestPath"]),
      host: record["ClientRequestHost"],
      scheme: record["ClientRequestScheme"],
      method: record["ClientRequestMethod"],
      userAgent,
      time: record["EdgeStartTimestamp"],
      client: record["ClientIP"],
      status: record["EdgeResponseStatus"],
      bytes: record["EdgeResponseBytes"],
      referer: record["ClientRequestReferer"],
      hasAgents: userAgent !== undefined,
    });
  },
  samples: {
    record:
      '{"n":"{other}","ClientRequestScheme":"{scheme}","ClientRequestHost":"{host}","ClientRequestURI":"{target}"}',
    broken: ['{"ClientRequestURI":', "oops"],
    fragments: [
      '{"ClientRequestHost":"a.example","ClientRequestURI":"/a"}',
      '{"ClientRequestURI":"',
      "}",
      '{"ClientRequestURI":"*"}',
    ],
  },
};

const firewallEvent = noAccessRecord("is a firewall event");
const subrequest = noAccessRecord("is a request from within Cloudflare");
/** The sources of requests that are not a service of Cloudflare, such as a Worker. */
const fromClients: ReadonlySet<string> = new Set(["", "unknown", "eyeball", "orangeToOrange"]);

/** Caddy's access log in its JSON format. Other logs of Caddy, in the same file by default, have the member `request`, too. */
export const caddy: ObjectLogFormat = {
  name: "caddy",
  about: "Caddy's access log as JSON",
  namesHost: true,
  members: ["request", "ts", "status", "size", "logger", "msg"],
  recognizes: (line) =>
    line.startsWith("{") &&
    /"request"\s*:\s*\{/.test(line) &&
    /"uri"\s*:/.test(line) &&
    /"remote_(?:ip|addr)"\s*:/.test(line),
  isMessage: isJsonMessage,
  requestOf({ request, ts: time, status, size: bytes, logger, msg: message }) {
    if (typeof request !== "object" || request === null) return noRequest;
    if (!isOfAccessLog(logger, message)) return ofOtherLogger;
    const { method, host, uri, tls, headers, client_ip, remote_ip } = request as Readonly<Record<string, unknown>>;
    const isSecure = typeof tls === "object" && tls !== null;
    // Behind a proxy Caddy sees no TLS, but the proxy may have sent the client's scheme in a header.
    const scheme = isSecure ? "https" : (headerOf(headers, "X-Forwarded-Proto") ?? "http");
    return requestOf({
      target: scalarTextOf(uri),
      host,
      scheme,
      method,
      userAgent: headerOf(headers, "User-Agent"),
      time,
      // Behind a trusted proxy, client_ip is the address that the proxy gives.
      client: client_ip ?? remote_ip,
      status,
      bytes,
      referer: headerOf(headers, "Referer"),
      hasAgents: typeof headers === "object" && headers !== null,
    });
  },
  samples: {
    record:
      '{"n":"{other}","request":{"remote_ip":"192.0.2.1","host":"{host}","uri":"{target}","tls":{"version":772}}}',
    broken: ['{"level":"info","msg":"using config"}', "oops"],
    fragments: ['{"request":{"remote_ip":"192.0.2.1","host":"a.example","uri":"/a"}}', '{"request":', "{", "}", "[[[["],
  },
};

/** Whether a record of Caddy is of an access log. Filters of the log's encoder may have removed both members. */
function isOfAccessLog(logger: unknown, message: unknown): boolean {
  if (logger === undefined && message === undefined) return true;
  return (typeof logger === "string" && /^http\.log\.access(?:\.|$)/.test(logger)) || message === "handled request";
}

const ofOtherLogger = noAccessRecord("is of another logger than http.log.access");

const noRequest: LogProblem = { code: "no-request", message: "contains no request" };

function requestOf(
  facts: Readonly<
    Record<Exclude<keyof LogRequest, "target" | "otherTarget" | "clients" | "isPartial" | "lacksAgents">, unknown>
  > & {
    readonly target: string | undefined;
    readonly hasAgents: boolean;
  },
): LogRequest | LogProblem {
  const { target } = facts;
  if (target === undefined) return noRequest;
  const method = scalarTextOf(facts.method);
  const scheme = scalarTextOf(facts.scheme)?.toLowerCase();
  const request: LogRequest = {
    method,
    target,
    scheme: scheme === "http" || scheme === "https" ? scheme : undefined,
    host: hostTextOf(scalarTextOf(facts.host)),
    userAgent: scalarTextOf(facts.userAgent),
    time: scalarTextOf(facts.time),
    client: scalarTextOf(facts.client),
    status: scalarTextOf(facts.status),
    bytes: scalarTextOf(facts.bytes),
    referer: scalarTextOf(facts.referer),
    ...(facts.hasAgents ? {} : { lacksAgents: true as const }),
  };
  return withProblem(request, problemOfTarget(method, target));
}

/** The first value of a header; Caddy writes a list of values for each header. */
function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null || !Object.hasOwn(headers, name)) return undefined;
  return scalarTextOf((headers as Readonly<Record<string, unknown>>)[name]);
}
