// Tests the requests and URLs, or the problems, of lines of CloudFront, ALB, W3C, CDX, Cloudflare and Caddy logs.
import { describe, expect, test } from "vitest";
import { lineLogFormats, objectLogFormats } from "./index.ts";
import { isLogProblem, type LogProblem, type LogRequest } from "./types.ts";
import { urlOf } from "./host.ts";

/** The URL and the facts, or the problem, of the last line. */
function seen(name: string, ...lines: string[]): unknown {
  const parser = lineLogFormats.find((each) => each.name === name)!.createParser();
  return factsOf(lines.map((line) => parser(line)).at(-1));
}

function seenObject(name: string, record: Readonly<Record<string, unknown>>): unknown {
  const format = objectLogFormats.find((each) => each.name === name)!;
  expect(format.recognizes(JSON.stringify(record))).toBe(true);
  return factsOf(format.requestOf(record));
}

function factsOf(parsed: LogRequest | LogProblem | undefined): unknown {
  if (parsed === undefined) return undefined;
  const url = isLogProblem(parsed) ? parsed : urlOf(parsed, undefined);
  if (typeof url !== "string") return url.code;
  const { userAgent, time, status } = parsed as LogRequest;
  return [url, userAgent, time, status];
}

describe("CloudFront", () => {
  const fields =
    "#Fields: date time cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header cs-protocol";
  const line = (stem: string, query: string, host: string, protocol: string, agent = "a%20b", method = "GET"): string =>
    ["2014-05-23", "01:13:11", method, "d1.cloudfront.net", stem, "200", agent, query, host, protocol].join("\t");

  test.each([
    [
      "all fields",
      line("/a", "b=c", "a.example", "https"),
      ["https://a.example/a?b=c", "a b", "2014-05-23T01:13:11Z", "200"],
    ],
    ["no query", line("/a", "-", "a.example", "http"), ["http://a.example/a", "a b", "2014-05-23T01:13:11Z", "200"]],
    [
      "a request without a host",
      line("/a", "-", "-", "wss"),
      ["https://d1.cloudfront.net/a", "a b", "2014-05-23T01:13:11Z", "200"],
    ],
    [
      "escapes stay",
      line("/a%20b%2520", "-", "a.example", "ws"),
      ["http://a.example/a%20b%2520", "a b", "2014-05-23T01:13:11Z", "200"],
    ],
    [
      "an agent escaped twice",
      line("/", "-", "a.example", "http", "a%2520b"),
      ["http://a.example/", "a b", "2014-05-23T01:13:11Z", "200"],
    ],
    [
      "an agent with a plus and a percent",
      line("/", "-", "a.example", "http", "a+b%2525"),
      ["http://a.example/", "a+b%25", "2014-05-23T01:13:11Z", "200"],
    ],
    [
      "no agent",
      line("/", "-", "a.example", "http", "-"),
      ["http://a.example/", undefined, "2014-05-23T01:13:11Z", "200"],
    ],
    [
      "two slashes",
      line("//x.example/", "-", "a.example", "http"),
      ["http://a.example//x.example/", "a b", "2014-05-23T01:13:11Z", "200"],
    ],
    ["the server as a whole", line("*", "-", "a.example", "http", "-", "OPTIONS"), "no-url"],
    ["no stem", line("-", "-", "a.example", "http"), "no-url"],
    ["too few fields", "2014-05-23\t01:13:11", "not-a-log-line"],
    ["a comment", "#Version: 1.0", undefined],
  ])("%s", (_what, text, expected) => {
    expect(seen("cloudfront", "#Version: 1.0", fields, text)).toEqual(expected);
  });

  test("lines before the first #Fields are not log lines, and a later #Fields applies to the lines after it", () => {
    expect(seen("cloudfront", line("/a", "-", "a.example", "http"))).toBe("not-a-log-line");
    expect(seen("cloudfront", fields, "#Fields: cs-uri-stem cs(Host)", "/b\tb.example")).toEqual([
      "https://b.example/b",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("CloudFront's real-time logs", () => {
  const heading =
    "#Fields: timestamp\tc-ip\ts-ip\tsc-status\tcs-method\tcs-protocol\tcs-host\tcs-uri-stem\tx-edge-location\tx-host-header\tcs-user-agent\tcs-referer\tcs-uri-query";
  const line = (stem: string, query: string, host = "shop.example"): string =>
    [
      "1573672890.123",
      "192.0.2.1",
      "192.0.2.9",
      "200",
      "GET",
      "https",
      "d1.cloudfront.net",
      stem,
      "FRA2",
      host,
      "bingbot/2.0%20(x)",
      "-",
      query,
    ].join("\t");

  test.each([
    ["a path", line("/a", "-"), "https://shop.example/a"],
    ["the stem has the query, too", line("/a?b=c", "b=c"), "https://shop.example/a?b=c"],
    ["a query", line("/a", "b=c"), "https://shop.example/a?b=c"],
    ["the host of the distribution", line("/a", "-", "-"), "https://d1.cloudfront.net/a"],
  ])("%s", (_what, text, url) => {
    expect(lineLogFormats.filter((each) => each.recognizes(heading)).map(({ name }) => name)).toContain("cloudfront");
    expect((seen("cloudfront", heading, text) as readonly unknown[]).slice(0, 2)).toEqual([url, "bingbot/2.0 (x)"]);
  });

  test("as JSON", () => {
    const record = {
      timestamp: "1573672890.123",
      "c-ip": "192.0.2.1",
      "sc-status": "200",
      "cs-method": "GET",
      "cs-protocol": "https",
      "cs-host": "d1.cloudfront.net",
      "cs-uri-stem": "/a?b=c",
      "cs-uri-query": "b=c",
      "cs-user-agent": "bingbot/2.0%20(x)",
    };
    const [url, agent] = seenObject("cloudfront_json", record) as readonly unknown[];
    expect([url, agent]).toEqual(["https://d1.cloudfront.net/a?b=c", "bingbot/2.0 (x)"]);
  });
});

test("W3C: Edgecast", () => {
  const heading =
    "#Fields: timestamp time-taken c-ip filesize s-ip s-port sc-status sc-bytes cs-method cs-uri-stem - rs-duration rs-bytes c-referrer c-user-agent customer-id x-ec_custom-1";
  const line =
    '1353688050 0 192.0.2.1 4085 203.0.113.9 80 TCP_HIT/200 4381 GET http://www.shop.example/a?b=c - 0 409 "-" "Mozilla/5.0 (compatible; bingbot/2.0)" 12345 "-"';
  expect(lineLogFormats.filter((each) => each.recognizes(heading)).map(({ name }) => name)).toContain("w3c");
  expect(seen("w3c", heading, line)).toEqual([
    "http://www.shop.example/a?b=c",
    "Mozilla/5.0 (compatible; bingbot/2.0)",
    "1353688050",
    "200",
  ]);
});

describe("ALB", () => {
  const line = (request: string, type = "https", domain = "www.example.com"): string =>
    `${type} 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 ` +
    `"${request}" "curl/7.46.0 \\x22x\\x22" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:1:targetgroup/t/73 ` +
    `"Root=1-58337281-1d84f3d73c47ec4e58577259" "${domain}" "arn:aws:acm:us-east-2:1:certificate/1" 1 2018-07-02T22:22:48.364000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-"`;
  const facts = ['curl/7.46.0 "x"', "2018-07-02T22:23:00.186641Z", "200"];

  test.each([
    [
      "an absolute URL",
      line("GET https://www.example.com:443/a?b HTTP/1.1"),
      ["https://www.example.com:443/a?b", ...facts],
    ],
    ["a path", line("GET /a HTTP/1.1"), ["https://www.example.com/a", ...facts]],
    ["a path over plain HTTP", line("GET //a HTTP/1.1", "http"), ["http://www.example.com//a", ...facts]],
    ["a web socket", line("GET ws://www.example.com:80/ HTTP/1.1", "ws"), ["http://www.example.com:80/", ...facts]],
    ["a malformed request", line("- http://www.example.com:80- -"), "no-request"],
    ["no request", line("- - - "), "no-request"],
    ["no domain", line("GET /a HTTP/1.1", "h2", "-"), "no-host"],
    [
      "a line of another log",
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "-"',
      "not-a-log-line",
    ],
    ["cut short", line("GET /a HTTP/1.1").slice(0, 165), "not-a-log-line"],
  ])("%s", (_what, text, expected) => {
    expect(seen("alb", text)).toEqual(expected);
  });

  // The fields of "Access log entries" in the Application Load Balancer's user guide, in its order and with its names.
  const documented = (values: Readonly<Record<string, string>>): string =>
    [
      "type time elb client:port target:port request_processing_time target_processing_time response_processing_time",
      'elb_status_code target_status_code received_bytes sent_bytes "request" "user_agent" ssl_cipher ssl_protocol',
      'target_group_arn "trace_id" "domain_name" "chosen_cert_arn" matched_rule_priority request_creation_time',
      '"actions_executed" "redirect_url" "error_reason" "target:port_list" "target_status_code_list" "classification"',
      '"classification_reason" conn_trace_id "transformed_host" "transformed_uri" "request_transform_status"',
    ]
      .join(" ")
      .replaceAll(/[a-z][a-z_:]*/g, (name) => values[name] ?? "-");

  test.each<[type: string, values: Readonly<Record<string, string>>, url: string, status: string]>([
    ["http", { request: "GET http://www.example.com:80/ HTTP/1.1" }, "http://www.example.com:80/", "200"],
    ["https", { request: "GET https://www.example.com:443/a?b HTTP/1.1" }, "https://www.example.com:443/a?b", "200"],
    ["h2", { request: "GET https://192.0.2.105:773/ HTTP/2.0" }, "https://192.0.2.105:773/", "200"],
    ["grpcs", { request: "POST https://rpc.example:443/a.B/C HTTP/2.0" }, "https://rpc.example:443/a.B/C", "200"],
    ["ws", { request: "GET http://192.0.2.30:80/ HTTP/1.1", elb_status_code: "101" }, "http://192.0.2.30:80/", "101"],
    ["wss", { request: "GET https://192.0.2.30:443/ HTTP/1.1" }, "https://192.0.2.30:443/", "200"],
    // A Lambda function has no target address; a Lambda function that failed has no target status either.
    [
      "http",
      { request: "GET http://www.example.com:80/ HTTP/1.1", "target:port": "-" },
      "http://www.example.com:80/",
      "200",
    ],
    [
      "http",
      {
        request: "GET http://www.example.com:80/ HTTP/1.1",
        "target:port": "-",
        target_status_code: "-",
        elb_status_code: "502",
        error_reason: "LambdaInvalidResponse",
      },
      "http://www.example.com:80/",
      "502",
    ],
    // A redirect, and a rewritten request: the original request counts.
    [
      "h2",
      {
        request: "GET https://www.example.com:443/old HTTP/2.0",
        actions_executed: "redirect",
        redirect_url: "https://other.example:443/new",
        transformed_host: "inner.example",
        transformed_uri: "/inner",
      },
      "https://www.example.com:443/old",
      "200",
    ],
    ["https", { request: "GET /a HTTP/1.1", "client:port": "2001:db8::1:2817" }, "https://www.example.com/a", "200"],
  ])("the documented fields in their order: %s %j", (type, values, url, status) => {
    const text = documented({
      type,
      time: "2018-07-02T22:23:00.186641Z",
      elb: "app/balancer/50dc6c",
      "client:port": "192.0.2.39:2817",
      "target:port": "192.0.2.1:80",
      elb_status_code: "200",
      target_status_code: "200",
      user_agent: "curl/7.46.0",
      trace_id: "Root=1-5833-36d2",
      domain_name: "www.example.com",
      conn_trace_id: "TID_1234abcd",
      ...values,
    });
    expect(seen("alb", text)).toEqual([url, "curl/7.46.0", "2018-07-02T22:23:00.186641Z", status]);
    expect(lineLogFormats.filter((format) => format.recognizes(text)).map(({ name }) => name)).toEqual(["alb"]);
  });

  test("is recognized", () => {
    const names = lineLogFormats.filter((format) => format.recognizes(line("GET /a HTTP/1.1"))).map(({ name }) => name);
    expect(names).toEqual(["alb"]);
  });
});

test.each([
  ["/index.php/Main", "www.shop.example", "https://www.shop.example/index.php/Main"],
  ["/other.example/a", "www.shop.example", "https://www.shop.example/other.example/a"],
  ["/www.shop.example/a", "www.shop.example", "https://www.shop.example/a"],
  ["/www.shop.example/a", "-", "https://www.shop.example/a"],
  ["/index.php/Main", "-", "no-host"],
])("W3C: cs-uri %s, cs-host %s", (uri, host, url) => {
  const shown = seen("w3c", "#Fields: cs-method cs-uri cs-host", `GET ${uri} ${host}`);
  expect(typeof shown === "string" ? shown : (shown as readonly unknown[])[0]).toBe(url);
});

test("the name of a file is not a host: a column with cookies does not show that a log is Akamai's", () => {
  const line = '203.0.113.1 - - [12/Mar/2024:10:15:32 +0000] "GET /index.php/Main HTTP/1.1" 200 1 "-" "x" "a=b"';
  expect(lineLogFormats.filter((each) => each.recognizes(line)).map(({ name }) => name)).toEqual(["combined"]);
});

describe("CDX", () => {
  const facts = [undefined, "20240722120756Z", "200"];
  test.each([
    [
      "as an index server answers",
      ["com,a)/b 20240722120756 http://a.example/b text/html 200 DIGEST 689"],
      ["http://a.example/b", ...facts],
    ],
    [
      "CDXJ",
      ['com,a)/b 20240722120756 {"url": "http://a.example/b", "status": "200"}'],
      ["http://a.example/b", ...facts],
    ],
    [
      "CDXJ with escapes",
      [String.raw`com,a)/b 20240722120756 {"url": "http://a.example/\u00fc\/\ud83d\ude00\\u00fc", "status": 200}`],
      ["http://a.example/\u00c3\u00bc/\u00f0\u009f\u0098\u0080\\u00fc", ...facts],
    ],
    [
      "CDXJ with a lone surrogate",
      [String.raw`com,a)/b 20240722120756 {"url": "http://a.example/\ud83d", "status": "200"}`],
      ["http://a.example/%00".replace("%00", "\u00ef\u00bf\u00bd"), ...facts],
    ],
    ["CDXJ without a URL", ['com,a)/b 20240722120756 {"status": "200"}'], "no-url"],
    ["CDXJ that is not JSON", ['com,a)/b 20240722120756 {"url": '], "not-a-log-line"],
    ["a header", [" CDX N b a m s k r M S V g"], undefined],
    [
      "columns of a header",
      [" CDX A b a m s", "x 20240722120756 http://a.example/b text/html 200"],
      ["http://a.example/b", ...facts],
    ],
    [
      "columns in another order",
      [" CDX a s b", "http://a.example/b 200 20240722120756"],
      ["http://a.example/b", ...facts],
    ],
    ["a header without URLs", [" CDX N b m"], "no-url"],
    [
      "no status",
      ["com,a)/b 20240722120756 http://a.example/b warc/revisit - DIGEST 689"],
      ["http://a.example/b", undefined, "20240722120756Z", undefined],
    ],
    [
      "a URL that is not of a web page",
      ["dns:a.example 20240722120756 dns:a.example text/dns 200 DIGEST"],
      ["dns:a.example", ...facts],
    ],
    ["too few fields", ["com,a)/b 20240722120756"], "not-a-log-line"],
  ])("%s", (_what, lines, expected) => {
    expect(seen("cdx", ...lines)).toEqual(expected);
  });
});

describe("Cloudflare Logpush", () => {
  test.each([
    [
      "all members",
      {
        ClientRequestURI: "/a?b",
        ClientRequestHost: "a.example",
        ClientRequestScheme: "http",
        ClientRequestUserAgent: "ü",
        EdgeStartTimestamp: 1_545_067_628,
        EdgeResponseStatus: 200,
      },
      ["http://a.example/a?b", "ü", "1545067628", "200"],
    ],
    [
      "no scheme",
      { ClientRequestURI: "//a", ClientRequestHost: "a.example:8443" },
      ["https://a.example:8443//a", undefined, undefined, undefined],
    ],
    [
      "a path alone",
      { ClientRequestPath: "/a", ClientRequestHost: "a.example" },
      ["https://a.example/a", undefined, undefined, undefined],
    ],
    ["no host", { ClientRequestURI: "/a" }, "no-host"],
    ["no URI", { ClientRequestURI: null }, "no-request"],
    ["CONNECT", { ClientRequestURI: "a.example:443", ClientRequestMethod: "CONNECT" }, "no-url"],
  ])("%s", (_what, record, expected) => {
    expect(seenObject("cloudflare", record)).toEqual(expected);
  });
});

describe("Caddy", () => {
  const request = { remote_ip: "192.0.2.1", proto: "HTTP/2.0", method: "GET", host: "a.example", uri: "/a?b" };
  test.each([
    ["plain", { request, ts: 1.5, status: 200 }, ["http://a.example/a?b", undefined, "1.5", "200"]],
    [
      "TLS",
      { request: { ...request, tls: { version: 772 } } },
      ["https://a.example/a?b", undefined, undefined, undefined],
    ],
    [
      "behind a proxy",
      { request: { ...request, headers: { "X-Forwarded-Proto": ["https"], "User-Agent": ["x"] } } },
      ["https://a.example/a?b", "x", undefined, undefined],
    ],
    ["no host", { request: { ...request, host: "" } }, "no-host"],
    ["the server as a whole", { request: { ...request, uri: "*" } }, "no-url"],
    [
      "headers in a wrong form",
      { request: { ...request, headers: [1], host: 5 } },
      ["http://5/a?b", undefined, undefined, undefined],
    ],
  ])("%s", (_what, record, expected) => {
    expect(seenObject("caddy", record)).toEqual(expected);
  });

  test("a line that is not about a request", () => {
    const format = objectLogFormats.find(({ name }) => name === "caddy");
    for (const record of [{}, { request: null }, { request: "x" }, { request: 5 }])
      expect(format?.requestOf(record)).toMatchObject({ code: "no-request" });
    expect(format?.recognizes('{"level":"info","msg":"using config"}')).toBe(false);
  });
});

describe("the times of W3C and CloudFront logs", () => {
  const w3c = "cs-method cs-uri-stem cs-host";
  test.each<[what: string, lines: readonly string[], time: string | undefined]>([
    ["date and time", [`#Fields: date time ${w3c}`, "2024-03-12 00:00:05 GET /a a.example"], "2024-03-12T00:00:05Z"],
    [
      "local ones",
      [`#Fields: date-local time-local ${w3c}`, "2024-03-12 00:00:05 GET /a a.example"],
      "2024-03-12T00:00:05",
    ],
    [
      "both",
      [`#Fields: date-local time-local date time ${w3c}`, "2024-03-12 09:00:05 2024-03-12 00:00:05 GET /a a.example"],
      "2024-03-12T00:00:05Z",
    ],
    ["epoch", [`#Fields: timestamp ${w3c}`, "1710201605 GET /a a.example"], "1710201605"],
    ["a date alone", [`#Fields: date ${w3c}`, "2024-03-12 GET /a a.example"], "2024-03-12"],
    ["time without a heading", [`#Fields: time ${w3c}`, "00:00:05 GET /a a.example"], undefined],
    [
      "time and a heading",
      ["#Date: 2024-03-12 00:00:03", `#Fields: time ${w3c}`, "00:00:05 GET /a a.example"],
      "2024-03-12T00:00:05Z",
    ],
    [
      "a heading as in the specification",
      ["#Date: 12-Jan-1996 00:00:00", `#Fields: time ${w3c}`, "00:34:23 GET /a a.example"],
      "1996-01-12T00:34:23Z",
    ],
    [
      "midnight",
      ["#Date: 2024-03-12 23:59:50", `#Fields: time ${w3c}`, "23:59:58 GET /a a.example", "00:00:01 GET /a a.example"],
      "2024-03-13T00:00:01Z",
    ],
    [
      "a line out of order",
      ["#Date: 2024-03-12 10:00:00", `#Fields: time ${w3c}`, "10:00:05 GET /a a.example", "10:00:04 GET /a a.example"],
      "2024-03-12T10:00:04Z",
    ],
    [
      "a line of an unknown day",
      ["#Date: 2024-03-12 10:00:00", `#Fields: time ${w3c}`, "10:30:00 GET /a a.example", "09:00:00 GET /a a.example"],
      undefined,
    ],
    [
      "a line of the day before, or of the end of the day",
      ["#Date: 2024-03-11 23:59:58", `#Fields: time ${w3c}`, "00:00:01 GET /a a.example", "23:59:59 GET /a a.example"],
      undefined,
    ],
    [
      "the end of a quiet day",
      ["#Date: 2024-03-12 00:00:03", `#Fields: time ${w3c}`, "23:59:59 GET /a a.example", "00:00:10 GET /a a.example"],
      "2024-03-13T00:00:10Z",
    ],
    [
      "a second heading",
      [
        "#Date: 2024-03-12 10:00:00",
        `#Fields: time ${w3c}`,
        "09:00:00 GET /a a.example",
        "#Date: 2024-03-13 08:00:00",
        "08:00:01 GET /a a.example",
      ],
      "2024-03-13T08:00:01Z",
    ],
  ])("W3C: %s", (_what, lines, time) => {
    expect(seen("w3c", ...lines)).toEqual(["https://a.example/a", undefined, time, undefined]);
  });

  test.each<[fields: string, values: string, time: string]>([
    ["date time", "2024-03-12\t00:00:05", "2024-03-12T00:00:05Z"],
    ["timestamp(ms)", "1710201605242", "1710201605242"],
    ["timestamp", "1710201605", "1710201605"],
    ["timestamp date time", "1710201605\t-\t-", "1710201605"],
  ])("CloudFront: %s", (fields, values, time) => {
    const line = `${values}\t/a\ta.example\thttps`;
    expect(seen("cloudfront", `#Fields: ${fields} cs-uri-stem x-host-header cs-protocol`, line)).toEqual([
      "https://a.example/a",
      undefined,
      time,
      undefined,
    ]);
  });

  test("a parser that continues after the headings of another one finds the same dates", () => {
    const format = lineLogFormats.find(({ name }) => name === "w3c")!;
    const first = format.createParser();
    const fields = `#Fields: time ${w3c}`;
    for (const line of ["#Date: 2024-03-12 23:59:50", fields, "00:00:01 GET /a a.example"]) first(line);
    const second = format.createParser();
    second(fields);
    second(first.heading!()!);
    expect(second("00:00:09 GET /a a.example")).toMatchObject({ time: "2024-03-13T00:00:09Z" });
  });
});
