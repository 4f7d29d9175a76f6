// Tests which texts name the host of a request, and which of a line's hosts is the one of its URL.
import { describe, expect, test } from "vitest";
import {
  canBeHost,
  isLogProblem,
  type LineLogFormat,
  lineLogFormats,
  logFormatOf,
  type LogProblem,
  type LogRequest,
  namedHostOf,
  objectLogFormats,
  urlOf,
} from "./index.ts";
import type { Base } from "./host.ts";

const base = { scheme: "https", host: "base.example" } as const;

test.each<[field: string, host: string | undefined, scheme?: "http" | "https"]>([
  ["shop.example", "shop.example"],
  ["shop.example:443", "shop.example", "https"],
  ["shop.example:80", "shop.example", "http"],
  ["shop.example:8443", "shop.example:8443"],
  ["shop.example:", "shop.example"],
  ["shop.example:*", "shop.example"],
  ['"shop.example"', "shop.example"],
  ["SHOP.example.", "SHOP.example."],
  ["my_shop.example", "my_shop.example"],
  ["default.example", "default.example"],
  ["www", "www"],
  // A name that clients can request; `--base host:localhost=ORIGIN` gives it another origin.
  ["localhost", "localhost"],
  ["192.0.2.1:80", "192.0.2.1", "http"],
  ["[2001:db8::1]:443", "[2001:db8::1]", "https"],
  ["2001:db8::1", "[2001:db8::1]"],
  ["::1", "[::1]"],
  ["2001:db8:1:2:3:4:5:443", "[2001:db8:1:2:3:4:5:443]"],
  ["2001:db8:1:2:3:4:5:6:443", "[2001:db8:1:2:3:4:5:6]", "https"],
  ["2001:db8::1:51820", "[2001:db8::1]:51820"],
  ["2001:db8:::8443", "[2001:db8::]:8443"],
  ["::ffff:192.0.2.1:8443", "[::ffff:192.0.2.1]:8443"],
  // An address, or a shorter one with a port.
  ["2001:db8::1:443", undefined],
  ["::1:80", undefined],
  // Two ports: the client's and the server's.
  ["shop.example:8080:8080", "shop.example:8080"],
  ["shop.example:443:443", "shop.example", "https"],
  ["shop.example:8080:443", "shop.example:8080:443"],
  ["shop.example:80:80:80", "shop.example:80:80:80"],
  ["[2001:db8::1]:8080:443", "[2001:db8::1]:8080:443"],
  ["b\u00fccher.example", "b\u00fccher.example"],
  // No server writes these: they are a client's text, which `urlOf` refuses.
  ["evil.example/@", "evil.example/@"],
  ["a b", "a b"],
  ...[
    "",
    "-",
    '""',
    ":443",
    "-:80",
    "_",
    "_:443",
    "*",
    "*:80",
    "*:*",
    "*.shop.example",
    "www.shop.*:443",
    ".shop.example",
    "default",
    "Default:8080",
    "_default_",
    "_default_:443",
    "default_server",
    "(null)",
    "unknown",
    String.raw`~^(?<sub>.+)\.example$`,
    String.raw`~^www\d{1,3}\.shop\.example$:443`,
    String.raw`^(www\.)?shop\.example$`,
    "$host",
    "${HOST}",
    "0.0.0.0",
    "0.0.0.0:80",
    "[::]:443",
    "::",
  ].map((field): [string, undefined] => [field, undefined]),
])("%s", (field, host, scheme) => {
  expect(namedHostOf(field)).toEqual({ host, scheme });
});

/** The URL of the last line; a problem's code instead of a URL. */
function urlIn(log: LineLogFormat, ...lines: readonly string[]): string {
  const parse = log.createParser();
  const parsed = lines.map((line) => parse(line)).at(-1)!;
  return shown(parsed);
}

function shown(parsed: LogRequest | LogProblem): string {
  const url = isLogProblem(parsed) ? parsed : urlOf(parsed, base);
  return typeof url === "string" ? url : url.code;
}

test.each([
  ["$ssl_server_name|$request_uri", "shop.example|/a", "https://shop.example/a"],
  ["$ssl_server_name|$host|$request_uri", "tls.example|shop.example|/a", "https://shop.example/a"],
  ["$server_name|$ssl_server_name|$request_uri", "_|shop.example|/a", "https://shop.example/a"],
  ["$vhost|$request_uri", "shop.example|/a", "https://shop.example/a"],
  ["$http_x_original_host|$request_uri", "shop.example|/a", "https://shop.example/a"],
  ["%{SSL_TLS_SNI}x|%U", "shop.example|/a", "https://shop.example/a"],
  ["%{SERVER_NAME}e|%U", "shop.example|/a", "https://shop.example/a"],
  ["%{SSL_TLS_SNI}x|%{HTTP_HOST}e|%U", "tls.example|shop.example|/a", "https://shop.example/a"],
  ["%RESPONSE_CODE% %REQUESTED_SERVER_NAME% %REQ(:PATH)%", "200 shop.example /a", "https://shop.example/a"],
  ["%[ssl_fc_sni] %HU", "shop.example /a", "https://shop.example/a"],
  ["$hostname|$request_uri", "web-1.shop.example|/a", "https://base.example/a"],
  ["$http_x_forwarded_proto|$host|$request_uri", "http,https|shop.example|/a", "http://shop.example/a"],
  ["$http_x_forwarded_proto|$scheme|$host|$request_uri", "https, http|http|shop.example|/a", "https://shop.example/a"],
])("the host and the scheme in a line of %s", (pattern, line, url) => {
  expect(urlIn(logFormatOf(pattern, "own") as LineLogFormat, line)).toBe(url);
});

const placeholders = ["_", "*.shop.example", "*:80", "_:443", "default", "-", "~^(?<sub>.+)\\x5C.example$", '""', ""];

describe.each(placeholders)("placeholder %j", (none) => {
  const combined = '192.0.2.1 - - [10/Oct/2023:13:55:36 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"';

  test("first field of vhost_combined", () => {
    const log = lineLogFormats.find(({ name }) => name === "vhost_combined")!;
    expect(urlIn(log, `${none} ${combined}`)).toBe("https://base.example/a");
    const request = log.createParser()(`${none} ${combined}`) as LogRequest;
    expect([request.host, request.scheme, request.client]).toEqual([undefined, undefined, "192.0.2.1"]);
  });

  test.each([
    ["$server_name|$host|$request_uri", `${none}|shop.example|/a`, "https://shop.example/a"],
    ["$host|$server_name|$request_uri", `${none}|shop.example|/a`, "https://shop.example/a"],
    ["%v|%{Host}i|%U", `${none}|shop.example:80|/a`, "http://shop.example/a"],
    ["%v|%U", `${none}|/a`, "https://base.example/a"],
    ["%V|%U", `${none}|/a`, "https://base.example/a"],
    ["$http_host|$server_port|$request_uri", `${none}|80|/a`, "https://base.example/a"],
    [
      "%RESPONSE_CODE% %REQ(X-ENVOY-ORIGINAL-HOST?:AUTHORITY)% %REQ(:PATH)%",
      "200 shop.example /a",
      "https://shop.example/a",
    ],
    ["%[req.hdr(host)] %HU", `${none} /a`, "https://base.example/a"],
  ])("%s", (pattern, line, url) => {
    expect(urlIn(logFormatOf(pattern, "own") as LineLogFormat, line)).toBe(url);
  });

  const written = none.replace("\\x5C", "\\");

  test.each<[format: string, record: object]>([
    ["nginx_json", { remote_addr: "192.0.2.1", request_uri: "/a", host: written }],
    ["nginx_json", { remote_addr: "192.0.2.1", request_uri: "/a", http_host: written, server_name: written }],
    ["envoy_json", { response_flags: "-", response_code: 200, path: "/a", authority: written }],
    ["traefik_json", { RequestPath: "/a", RequestAddr: written, RequestHost: written }],
    ["azure_gateway", { category: "ApplicationGatewayAccessLog", properties: { requestUri: "/a", host: written } }],
    ["cloudfront_json", { "cs-uri-stem": "/a", "x-host-header": written }],
    ["akamai_json", { reqPath: "/a", reqHost: written, cp: 1 }],
    ["fastly", { url: "/a", host: written, request_method: "GET", fastly_is_edge: true }],
    ["vercel", { deploymentId: "d", projectId: "p", source: "edge", proxy: { path: "/a", host: written } }],
    [
      "aws_waf",
      { webaclId: "w", httpRequest: { uri: "/a", headers: [{ name: "Host", value: written }], host: written } },
    ],
    ["caddy", { request: { remote_ip: "192.0.2.1", uri: "/a", host: written, tls: {} } }],
    ["cloudflare", { ClientRequestURI: "/a", ClientRequestHost: written }],
  ])("%s", (name, record) => {
    const log = objectLogFormats.find((each) => each.name === name)!;
    const request = log.requestOf(record as Readonly<Record<string, unknown>>) as LogRequest;
    expect(request.host).toBeUndefined();
    expect(shown(request)).toBe("https://base.example/a");
  });

  test("W3C extended logs and CloudFront", () => {
    if (none === "" || none === '""') return;
    const w3c = lineLogFormats.find(({ name }) => name === "w3c")!;
    const heading = "#Fields: cs-method cs-uri-stem s-port cs-host x-host-header";
    expect(urlIn(w3c, heading, `GET /a 80 ${written} -`)).toBe("https://base.example/a");
    expect(urlIn(w3c, heading, `GET /a 443 shop.example ${written}`)).toBe("https://shop.example/a");
    const cloudfront = lineLogFormats.find(({ name }) => name === "cloudfront")!;
    const line = `GET\t/a\t${written}\tshop.example`;
    expect(urlIn(cloudfront, "#Fields: cs-method cs-uri-stem x-host-header cs(Host)", line)).toBe(
      "https://shop.example/a",
    );
  });

  test("absolute target", () => {
    const log = lineLogFormats.find(({ name }) => name === "combined")!;
    expect(urlIn(log, combined.replace("/a", `https://${none}/a?b`))).toBe("https://base.example/a?b");
  });
});

test.each<[host: string, scheme: "http" | "https" | undefined, url: string]>([
  ["shop.example:80", undefined, "http://shop.example/a"],
  ["shop.example:443", undefined, "https://shop.example/a"],
  ["shop.example:443", "http", "http://shop.example:443/a"],
  ["shop.example:80", "http", "http://shop.example/a"],
  ["_:80", "http", "http://base.example/a"],
  ["2001:db8::1", undefined, "https://[2001:db8::1]/a"],
])("%s with scheme %s", (host, scheme, url) => {
  expect(urlOf({ host, scheme, target: "/a" }, base)).toBe(url);
});

test.each(["a/b", "a b", "a@b", "a\tb", 'a"b', "a,b", "a<b", "a%zz"])("%j is an invalid host", (host) => {
  expect(urlOf({ host, scheme: undefined, target: "/a" }, base)).toMatchObject({ message: "names an invalid host" });
});

test("without --base, a placeholder is a missing host", () => {
  expect(urlOf({ host: "_", scheme: undefined, target: "/a" }, undefined)).toMatchObject({
    message: "does not name the host of the request",
  });
});

test("a long text is read in linear time and without recursion", () => {
  for (const text of [":80", ":1.1", "::", "1.:", ":", "a:80:443"]) {
    const repeated = text.repeat(300_000);
    expect(canBeHost(namedHostOf(repeated).host ?? "")).toBe(false);
    expect(canBeHost(namedHostOf(`:${repeated}:g`).host ?? "")).toBe(false);
  }
});

const hosts = new Map<string, Base>([
  ["shop.example", { scheme: "https", host: "www.shop.example" }],
  ["shop.example:8080", { scheme: "http", host: "api.shop.example:81" }],
  ["b:443", { scheme: "https", host: "b.example" }],
]);

test.each<[host: string | undefined, scheme: "http" | "https" | undefined, target: string, url: string]>([
  ["shop.example", undefined, "/a", "https://www.shop.example/a"],
  ["Shop.Example.", undefined, "/a", "https://www.shop.example/a"],
  ["shop.example.:8080", undefined, "/a", "http://api.shop.example:81/a"],
  ["shop.example.:9", undefined, "/a", "https://www.shop.example/a"],
  ["b.", "https", "/a", "https://b.example/a"],
  ["b.", "http", "/a", "http://b./a"],
  [undefined, undefined, "http://shop.example./a", "https://www.shop.example/a"],
  [undefined, undefined, "http://shop.example.:8080/a", "http://api.shop.example:81/a"],
  ["shop.example..", undefined, "/a", "https://shop.example../a"],
  ["other.example.", undefined, "/a", "https://other.example./a"],
])("%s, %s, %s", (host, scheme, target, url) => {
  expect(urlOf({ host, scheme, target }, undefined, hosts)).toBe(url);
});
