// Tests the request and the URL of records of JSON logs as their vendors document them, and of hostile records.
import { describe, expect, test } from "vitest";
import { instantOf, isLogProblem, objectLogFormats, scalarTextOf, urlOf, valueAt } from "./index.ts";

type Json = Readonly<Record<string, unknown>>;

const base = { scheme: "https", host: "base.example" } as const;

/** URL, instant, client, method, status, bytes, referer and User-Agent header of a record; or the code of its problem. */
function seen(name: string, record: Json): unknown {
  const { requestOf } = objectLogFormats.find((format) => format.name === name)!;
  const request = requestOf(record);
  if (isLogProblem(request)) return request.code;
  const url = urlOf(request, base);
  const { time = "", client, method, status, bytes, referer, userAgent } = request;
  return typeof url === "string" ? [url, instantOf(time), client, method, status, bytes, referer, userAgent] : url.code;
}

const agent = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
const client = "192.0.2.10";
const headers = [
  { name: "Host", value: "shop.example" },
  { name: "X-Forwarded-Proto", value: "https" },
  { name: "User-Agent", value: agent },
];

test.each<[name: string, what: string, record: Json, expected: unknown]>([
  [
    "nginx_json",
    "Elastic's example: the request in one member",
    {
      time: "17/May/2015:08:05:32 +0000",
      remote_ip: "93.180.71.3",
      remote_user: "-",
      request: "GET /downloads/product_1 HTTP/1.1",
      response: 304,
      bytes: 0,
      referrer: "-",
      agent: "Debian APT-HTTP/1.3 (0.8.16~exp12ubuntu10.21)",
    },
    [
      "https://base.example/downloads/product_1",
      "2015-05-17T08:05:32Z",
      "93.180.71.3",
      "GET",
      "304",
      "0",
      undefined,
      "Debian APT-HTTP/1.3 (0.8.16~exp12ubuntu10.21)",
    ],
  ],
  [
    "nginx_json",
    "host, path, query and scheme in separate members",
    {
      time_iso8601: "2026-11-21T06:55:09+01:00",
      remote_addr: client,
      request_method: "GET",
      scheme: "http",
      http_host: "shop.example:8080",
      host: "shop.example",
      uri: "/a",
      args: "b=c",
      status: "200",
      body_bytes_sent: "12",
      http_user_agent: agent,
    },
    ["http://shop.example:8080/a?b=c", "2026-11-21T05:55:09Z", client, "GET", "200", "12", undefined, agent],
  ],
  [
    "nginx_json",
    "behind a proxy, the server for any name",
    {
      msec: "1795244109.391",
      remote_addr: client,
      request_uri: "//a?b",
      server_name: "_",
      http_x_forwarded_proto: "http, https",
    },
    [
      "http://base.example//a?b",
      "2026-11-21T06:55:09.391Z",
      client,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  ],
  [
    "nginx_json",
    'a "?" that nginx decoded, and the time at which Filebeat read the line',
    {
      "@timestamp": "2026-11-21T08:00:00Z",
      remote_addr: client,
      time_local: "21/Nov/2026:06:55:09 +0000",
      uri: "/a?#",
      args: "b=c",
    },
    [
      "https://base.example/a%3F%23?b=c",
      "2026-11-21T06:55:09Z",
      client,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  ],
  [
    "nginx_json",
    "a path with the query, which is also in another member",
    { remote_addr: client, uri: "/a?b=c", args: "b=c" },
    ["https://base.example/a?b=c", undefined, client, undefined, undefined, undefined, undefined, undefined],
  ],
  [
    "nginx_json",
    "the name of the machine in a member with the name of a variable",
    { remote_addr: client, request_uri: "/a", host: "web-01", server_name: "shop.example" },
    ["https://shop.example/a", undefined, client, undefined, undefined, undefined, undefined, undefined],
  ],
  [
    "nginx_json",
    "a request for the address of the server",
    { remote_addr: client, request_uri: "/a", host: "203.0.113.5", server_name: "shop.example" },
    ["https://203.0.113.5/a", undefined, client, undefined, undefined, undefined, undefined, undefined],
  ],
  ["nginx_json", "no request", { remote_addr: client, request: "" }, "no-request"],
  ["nginx_json", "the beginning of TLS", { remote_addr: client, request: "\u0016\u0003\u0001" }, "not-http"],
  ["nginx_json", "the server as a whole", { remote_addr: client, request: "OPTIONS * HTTP/1.1" }, "no-url"],
  ["nginx_json", "an invalid host", { remote_addr: client, request_uri: "/", host: "a@b/?c" }, "no-host"],
  [
    "envoy_json",
    "Istio",
    {
      authority: "httpbin:8000",
      bytes_sent: 13,
      downstream_remote_address: "[2001:db8::1]:41854",
      method: "GET",
      path: "/status/418",
      response_code: 418,
      response_flags: "-",
      start_time: "2020-11-25T21:26:18.409Z",
      user_agent: "curl/7.64.0",
      x_forwarded_for: null,
    },
    [
      "https://httpbin:8000/status/418",
      "2020-11-25T21:26:18.409Z",
      "2001:db8::1",
      "GET",
      "418",
      "13",
      undefined,
      "curl/7.64.0",
    ],
  ],
  [
    "envoy_json",
    "Envoy Gateway",
    {
      ":authority": "shop.example",
      "x-envoy-origin-path": "/a?b",
      "x-forwarded-for": `${client}, 10.0.0.1`,
      "user-agent": agent,
      response_code: 200,
      response_flags: "-",
    },
    ["https://shop.example/a?b", undefined, client, undefined, "200", undefined, undefined, agent],
  ],
  [
    "envoy_json",
    "a route that rewrites host and path",
    {
      authority: "inner.svc.cluster.local",
      path: "/inner",
      "x-envoy-original-host": "shop.example",
      "x-envoy-original-path": "/a",
      response_code: 200,
      response_flags: "-",
    },
    ["https://shop.example/a", undefined, undefined, undefined, "200", undefined, undefined, undefined],
  ],
  ["envoy_json", "a connection", { response_code: 0, response_flags: "UF", authority: null, path: null }, "no-request"],
  [
    "traefik_json",
    "with headers kept",
    {
      ClientHost: client,
      DownstreamContentSize: 5,
      DownstreamStatus: 200,
      RequestAddr: "shop.example:8443",
      RequestHost: "shop.example",
      RequestMethod: "GET",
      RequestPath: "/a?b",
      RequestScheme: "https",
      StartUTC: "2026-11-21T06:55:09.391287654Z",
      "request_User-Agent": agent,
      request_Referer: "https://r.example/",
    },
    [
      "https://shop.example:8443/a?b",
      "2026-11-21T06:55:09.391287654Z",
      client,
      "GET",
      "200",
      "5",
      "https://r.example/",
      agent,
    ],
  ],
  [
    "gcp",
    "a load balancer",
    {
      httpRequest: {
        referer: "https://r.example/",
        remoteIp: "2001:db8::1",
        requestMethod: "GET",
        requestUrl: "https://shop.example/a?b",
        responseSize: "273",
        status: 404,
        userAgent: agent,
      },
      timestamp: "2026-11-21T06:55:09.391287Z",
    },
    [
      "https://shop.example/a?b",
      "2026-11-21T06:55:09.391287Z",
      "2001:db8::1",
      "GET",
      "404",
      "273",
      "https://r.example/",
      agent,
    ],
  ],
  ["gcp", "another log", { httpRequest: "GET /", textPayload: "x" }, "no-request"],
  [
    "azure_frontdoor",
    "access",
    {
      time: "2026-11-21T06:55:09.3912876Z",
      category: "FrontDoorAccessLog",
      properties: {
        httpMethod: "GET",
        requestUri: "https://shop.example:443/a?b",
        responseBytes: "730",
        userAgent: agent,
        clientIp: client,
        httpStatusCode: "200",
        referer: "https://r.example/",
      },
    },
    [
      "https://shop.example:443/a?b",
      "2026-11-21T06:55:09.3912876Z",
      client,
      "GET",
      "200",
      "730",
      "https://r.example/",
      agent,
    ],
  ],
  [
    "azure_gateway",
    "the client's URL before a rewrite",
    {
      timeStamp: "2017-04-26T19:27:38+00:00",
      category: "ApplicationGatewayAccessLog",
      properties: {
        clientIP: "191.96.249.97",
        httpMethod: "GET",
        requestUri: "/inner",
        requestQuery: "x=1",
        originalRequestUriWithArgs: "/phpmyadmin/setup.php?a=b",
        userAgent: "-",
        httpStatus: 404,
        sentBytes: 553,
        sslEnabled: "off",
        host: "10.0.0.4",
        originalHost: "www.contoso.com",
      },
    },
    [
      "http://www.contoso.com/phpmyadmin/setup.php?a=b",
      "2017-04-26T19:27:38Z",
      "191.96.249.97",
      "GET",
      "404",
      "553",
      undefined,
      undefined,
    ],
  ],
  [
    "azure_gateway",
    "path and query in separate members",
    { properties: { requestUri: "/a", requestQuery: "b=c", host: "shop.example", sslEnabled: "on" } },
    ["https://shop.example/a?b=c", ...Array<undefined>(7).fill(undefined)],
  ],
  [
    "azure_gateway",
    "the first version: its variables are not a query",
    {
      properties: {
        requestUri: "/a",
        requestQuery: "X-AzureApplicationGateway-CACHE-HIT=0&SERVER-ROUTED=10.4.0.4",
        host: "shop.example",
      },
    },
    ["https://shop.example/a", ...Array<undefined>(7).fill(undefined)],
  ],
  [
    "aws_waf",
    "headers as a list",
    {
      timestamp: 1_683_355_579_981,
      webaclId: "arn",
      responseCodeSent: null,
      httpRequest: { clientIp: "52.46.82.45", headers, uri: "/CanaryTest", args: "a=b", httpMethod: "GET" },
    },
    [
      "https://shop.example/CanaryTest?a=b",
      "2023-05-06T06:46:19.981Z",
      "52.46.82.45",
      "GET",
      undefined,
      undefined,
      undefined,
      agent,
    ],
  ],
  [
    "aws_waf",
    "headers that are not headers",
    { httpRequest: { uri: "/", headers: [null, 5, { name: 1, value: {} }, [[["Host"]]]] } },
    ["https://base.example/", ...Array<undefined>(7).fill(undefined)],
  ],
  [
    "cloudfront_json",
    "the fields of the text log",
    {
      date: "2026-11-21",
      time: "06:55:09",
      "sc-bytes": "5",
      "c-ip": client,
      "cs-method": "GET",
      "cs(Host)": "d1.cloudfront.net",
      "cs-uri-stem": "/a%20b",
      "sc-status": "200",
      "cs(Referer)": "-",
      "cs(User-Agent)": "Mozilla/5.0%2520(caf%25C3%25A9)",
      "cs-uri-query": "c=d",
      "x-host-header": "shop.example",
      "cs-protocol": "https",
    },
    [
      "https://shop.example/a%20b?c=d",
      "2026-11-21T06:55:09Z",
      client,
      "GET",
      "200",
      "5",
      undefined,
      "Mozilla/5.0 (caf\u00e9)",
    ],
  ],
  [
    "fastly",
    "the usual format",
    {
      timestamp: "2026-11-21T06:55:09+0000",
      client_ip: client,
      host: "shop.example",
      url: "/a?b",
      request_method: "GET",
      request_referer: "",
      request_user_agent: agent,
      response_status: 200,
      response_body_size: 5,
      fastly_is_edge: true,
    },
    ["https://shop.example/a?b", "2026-11-21T06:55:09Z", client, "GET", "200", "5", undefined, agent],
  ],
  [
    "akamai_json",
    "the documentation's example, whose path does not begin with a slash",
    {
      reqTimeSec: "1573840000",
      bytes: "4995",
      cliIP: "128.147.28.68",
      statusCode: "206",
      proto: "HTTPS",
      reqHost: "test.hostname.net",
      reqMethod: "GET",
      reqPath: "path1/path2/file.ext",
      queryStr: "param=value",
      UA: "Mozilla%2F5.0+%28Macintosh%3B+Intel+Mac+OS+X+10_14_3%29",
      referer: "https%3A%2F%2Ftest.referrer.net%2Fen-US",
    },
    [
      "https://test.hostname.net/path1/path2/file.ext?param=value",
      "2019-11-15T17:46:40Z",
      "128.147.28.68",
      "GET",
      "206",
      "4995",
      "https://test.referrer.net/en-US",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_3)",
    ],
  ],
  [
    "akamai_json",
    "a plus sign of the header",
    { reqHost: "a.example", reqPath: "/", UA: "x%20(+http://b.example)%ff" },
    ["https://a.example/", ...Array<undefined>(6).fill(undefined), "x (+http://b.example)%ff"],
  ],
  [
    "vercel",
    "a request: the header is an array",
    {
      deploymentId: "dpl",
      projectId: "p",
      source: "lambda",
      host: "my-app-abc123.vercel.app",
      timestamp: 1_573_817_187_330,
      path: "/dynamic/[route].json",
      proxy: {
        timestamp: 1_573_817_250_172,
        method: "GET",
        scheme: "https",
        host: "my-app.vercel.app",
        path: "/dynamic/some-value.json?route=some-value",
        userAgent: [agent],
        referer: "*.vercel.app",
        statusCode: 200,
        clientIp: "120.75.16.101",
      },
    },
    [
      "https://my-app.vercel.app/dynamic/some-value.json?route=some-value",
      "2019-11-15T11:27:30.172Z",
      "120.75.16.101",
      "GET",
      "200",
      undefined,
      "*.vercel.app",
      agent,
    ],
  ],
  ["vercel", "the output of a function", { deploymentId: "dpl", projectId: "p", source: "lambda" }, "no-request"],
])("%s: %s", (name, _what, record, expected) => {
  expect(seen(name, record)).toEqual(expected);
});

describe.each(objectLogFormats.map((format) => [format.name, format] as const))("%s", (name, format) => {
  const { samples, members, requestOf } = format;
  const parts = {
    url: "https://a.example/b?c",
    scheme: "https",
    host: "a.example",
    target: "/b?c",
    path: "/b",
    query: "c",
  };
  const record = Object.entries({ ...parts, other: "x" }).reduce(
    (text, [part, value]) => text.replaceAll(`{${part}}`, value),
    samples.record,
  );

  test("no other format recognizes the format's sample; if the format has facts, no format recognizes the damaged sample", () => {
    const namesOf = (line: string): string[] =>
      objectLogFormats.filter((each) => each.recognizes(line)).map((each) => each.name);
    expect(namesOf(record)).toEqual([name]);
    if (format.facts !== undefined) expect(namesOf(record.slice(0, -1))).toEqual([]);
  });

  test("any value of each member is read without an error, in linear time", () => {
    const sample = JSON.parse(record) as Json;
    const taken = (changed: Json): void => {
      const request = requestOf(changed);
      const url = isLogProblem(request) ? request : urlOf(request, base);
      expect(typeof url === "string" ? url.slice(0, 4) : typeof url.code).toMatch(/^(?:http|string)/);
    };
    const hostile: readonly unknown[] = [
      null,
      true,
      0,
      -1e300,
      "",
      "-",
      "\u202e\ufeff\u0000\u001b[2J",
      '"\\" HTTP/1.1',
      "[2001:db8::1]:443, unknown",
      "\ud800",
      "x".repeat(1_048_576),
      `${"%".repeat(300_000)}${"%ff".repeat(300_000)}`,
      [],
      [[[[]]]],
      {},
      { name: "Host", value: [] },
      JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
      JSON.parse('{"__proto__":{"uri":"/"},"constructor":"x"}'),
    ];
    for (const value of hostile) {
      for (const member of members) {
        taken({ ...sample, [member]: value });
        const inner: unknown = sample[member];
        if (typeof inner !== "object" || inner === null || Array.isArray(inner)) continue;
        for (const key of Object.keys(inner)) {
          taken({ ...sample, [member]: { ...inner, [key]: value } });
        }
      }
    }
    expect(format.recognizes(`{${'"'.repeat(100_000)}`)).toBe(false);
  });
});

test.each<[path: string, value: unknown]>([
  ["a.b", 1],
  ["list.0", "first"],
  ["list.9", undefined],
  ["named.Host", "h"],
  ["named.1.value", "u"],
  ["named.name", "host"],
  ["objects.id", 7],
  ["nested.0.0", "deep"],
  ["nested.x", undefined],
  ["toString", undefined],
  ["a.b.c", undefined],
])("the value at %s", (path, value) => {
  const record = {
    a: { b: 1 },
    list: ["first", "second"],
    named: [
      { name: "host", value: "h" },
      { name: "user-agent", value: "u" },
    ],
    objects: [{ id: 7 }, { id: 8 }],
    nested: [["deep"]],
  };
  expect(valueAt(record, path.split("."))).toEqual(value);
});

test("the text of a value: a string, a number, or the first element of an array", () => {
  expect(["a", 5, ["b", "c"], [], "", null, {}, [["d"]], true].map(scalarTextOf)).toEqual([
    "a",
    "5",
    "b",
    ...Array<undefined>(6).fill(undefined),
  ]);
});
