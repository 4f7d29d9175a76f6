// Records that have the members of a request, or are in the stream of an access log, but are no access records.
import { expect, test } from "vitest";
import { isLogProblem, lineLogFormats, objectLogFormats } from "./index.ts";

type Json = Readonly<Record<string, unknown>>;

/** The target of a record, or the code of its problem. */
function seen(name: string, record: Json): string {
  const { requestOf } = objectLogFormats.find((format) => format.name === name)!;
  const request = requestOf(record);
  return isLogProblem(request) ? request.code : request.target;
}

const none = "no-access-record";
const ofCaddy = { request: { remote_ip: "192.0.2.1", host: "a.example", method: "GET", uri: "/a" } };
const ofCloudflare = { ClientRequestHost: "a.example", ClientRequestURI: "/a" };
const ofFirewall = { ClientRequestHost: "a.example", ClientRequestPath: "/a", ClientRequestQuery: "?b" };
const ofGoogle = { httpRequest: { requestUrl: "https://a.example/a", requestMethod: "GET" } };
const ofFrontDoor = { properties: { requestUri: "https://a.example/a", httpMethod: "GET" } };
const ofGateway = { properties: { requestUri: "/a", host: "a.example" } };
const ofFastly = { url: "/a", host: "a.example", request_method: "GET" };

test.each<[name: string, record: Json, expected: string]>([
  ["caddy", { logger: "http.log.access.log0", msg: "handled request", ...ofCaddy }, "/a"],
  ["caddy", { logger: "http.log.access", msg: "handled request", ...ofCaddy }, "/a"],
  ["caddy", { logger: "http.log.access.shop", msg: "requête", ...ofCaddy }, "/a"],
  ["caddy", { logger: "shop", msg: "handled request", ...ofCaddy }, "/a"],
  ["caddy", { msg: "handled request", ...ofCaddy }, "/a"],
  ["caddy", ofCaddy, "/a"],
  ["caddy", { logger: "http.handlers.rewrite", msg: "rewrote request", ...ofCaddy }, none],
  ["caddy", { logger: "http.handlers.reverse_proxy", msg: "upstream roundtrip", ...ofCaddy }, none],
  ["caddy", { logger: "http.log.error.log0", msg: "dial tcp 127.0.0.1:1: connection refused", ...ofCaddy }, none],
  ["caddy", { logger: "http.log.accessible", msg: "x", ...ofCaddy }, none],
  ["caddy", { msg: "rewrote request", ...ofCaddy }, none],
  ["cloudflare", { ...ofCloudflare, ClientRequestSource: "eyeball", WorkerSubrequest: false }, "/a"],
  ["cloudflare", { ...ofCloudflare, ClientRequestSource: "unknown" }, "/a"],
  ["cloudflare", { ...ofCloudflare, WorkerSubrequest: true }, none],
  ["cloudflare", { ...ofCloudflare, ClientRequestSource: "edgeWorkerFetch" }, none],
  ["cloudflare", { ...ofCloudflare, ClientRequestSource: "healthcheck" }, none],
  ["cloudflare", { ...ofFirewall, Action: "block", Kind: "firewall", MatchIndex: 0, RuleID: "1" }, none],
  ["cloudflare", ofFirewall, "/a"],
  ["gcp", { ...ofGoogle, logName: "projects/shop/logs/requests" }, "/a"],
  ["gcp", { ...ofGoogle, logName: "projects/shop/logs/run.googleapis.com%2Frequests" }, "/a"],
  ["gcp", { ...ofGoogle, logName: "projects/shop/logs/appengine.googleapis.com%2Frequest_log" }, "/a"],
  ["gcp", { ...ofGoogle, logName: "projects/requests/logs/run.googleapis.com%2Fstdout" }, none],
  ["gcp", { ...ofGoogle, logName: "projects/shop/logs/cloudaudit.googleapis.com%2Fdata_access" }, none],
  ["gcp", ofGoogle, "/a"],
  ["azure_frontdoor", { ...ofFrontDoor, category: "FrontDoorAccessLog" }, "/a"],
  ["azure_frontdoor", { ...ofFrontDoor, category: "FrontdoorAccessLog" }, "/a"],
  ["azure_frontdoor", { ...ofFrontDoor, category: "FrontDoorWebApplicationFirewallLog" }, none],
  [
    "azure_frontdoor",
    { category: "FrontdoorAccessLog", properties: { ...ofFrontDoor.properties, isReceivedFromClient: true } },
    "/a",
  ],
  [
    "azure_frontdoor",
    { category: "FrontdoorAccessLog", properties: { ...ofFrontDoor.properties, isReceivedFromClient: false } },
    none,
  ],
  ["azure_gateway", { ...ofGateway, category: "ApplicationGatewayAccessLog" }, "/a"],
  ["azure_gateway", { ...ofGateway, category: "ApplicationGatewayFirewallLog" }, none],
  ["fastly", { ...ofFastly, fastly_is_edge: true }, "/a"],
  ["fastly", { ...ofFastly, fastly_is_edge: false }, none],
  ["fastly", { ...ofFastly, fastly_is_edge: "false" }, none],
  ["fastly", ofFastly, "/a"],
])("%s: %j", (name, record, expected) => {
  expect(seen(name, record).replace("https://a.example", "")).toBe(expected);
});

test.each([
  '2026/11/21 06:55:09 [error] 12#12: *1 open() "/srv/a" failed (2: No such file or directory), request: "GET /a HTTP/1.1"',
  "[Sat Nov 21 06:55:09.391287 2026] [core:error] [pid 12:tid 34] [client 192.0.2.1:1] AH00126: Invalid URI",
  "[Sat Nov 21 06:55:09 2026] [error] [client 192.0.2.1] File does not exist: /srv/a",
  "I1121 06:55:09.391287       7 controller.go:190] Configuration changes detected",
  "[2026-11-21 06:55:09.391][1][info][main] [source/server/server.cc:404] starting",
  'time="2026-11-21T06:55:09Z" level=info msg="Configuration loaded from file: /a.yml"',
  "2026-11-21T06:55:09Z INF Starting provider",
])("a message of a server: %s", (line) => {
  for (const name of ["common", "combined", "traefik", "envoy"]) {
    const parse = lineLogFormats.find((format) => format.name === name)!.createParser();
    for (const prefix of ["", "2026-11-21T06:55:09.391287654Z stderr F ", "web-1  | "]) {
      expect(parse(prefix + line)).toMatchObject({ code: none });
    }
  }
});
