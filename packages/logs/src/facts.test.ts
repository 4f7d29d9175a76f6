// Tests the client, size and referer of requests in text logs and JSON records, and the conversion of times to instants.
import { expect, test } from "vitest";
import { instantOf, isLogProblem, lineLogFormats, objectLogFormats } from "./index.ts";

const access = '- - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 123 "https://r.example/" "x"';
const alb = '- - 0 0 0 200 200 57 42 "GET https://a.example:443/ HTTP/1.1" "x" - - arn "Root=1" "a.example"';
test.each<
  [name: string, line: string, client?: string | undefined, bytes?: string | undefined, referer?: string | undefined]
>([
  ["combined", `192.0.2.1 ${access}`, "192.0.2.1", "123", "https://r.example/"],
  ["combined", `2001:db8::1 ${access}`, "2001:db8::1", "123", "https://r.example/"],
  ["combined", `crawl-1.example ${access}`, "crawl-1.example", "123", "https://r.example/"],
  ["combined", `203.0.113.9, 198.51.100.7 ${access}`, "203.0.113.9", "123", "https://r.example/"],
  ["combined", `203.0.113.9 192.0.2.1 ${access}`, "203.0.113.9", "123", "https://r.example/"],
  ["combined", `- 192.0.2.1 ${access}`, "192.0.2.1", "123", "https://r.example/"],
  ["combined", `- ${access}`, undefined, "123", "https://r.example/"],
  ["combined", `192.0.2.1 ${access.replace("123", "-")}`, "192.0.2.1", undefined, "https://r.example/"],
  ["combined", `192.0.2.1 ${access.replace("https://r.example/", "-")}`, "192.0.2.1", "123", undefined],
  ["combined", `192.0.2.1 ${access.replace("https://r.example/", String.raw`\x22r`)}`, "192.0.2.1", "123", '"r'],
  ["combined", '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 123', "192.0.2.1", "123", undefined],
  ["common", `192.0.2.1 ${access}`, "192.0.2.1", "123", undefined],
  ["vhost_combined", `a.example:443 192.0.2.1 ${access}`, "192.0.2.1", "123", "https://r.example/"],
  ["vhost_combined", `a.example:443 203.0.113.9, 198.51.100.7 ${access}`, "203.0.113.9", "123", "https://r.example/"],
  ["vhost_combined", `a.example 203.0.113.9, 10.0.0.1, 10.0.0.2 ${access}`, "203.0.113.9", "123", "https://r.example/"],
  ["vhost_combined", `a.example:443 - ${access}`, undefined, "123", "https://r.example/"],
  ["vhost_combined", `203.0.113.9 192.0.2.1 ${access}`, "203.0.113.9", "123", "https://r.example/"],
  ["alb", `https 2018-07-02T22:23:00.186641Z app/x/5 ${alb.replace("-", "192.0.2.1:2817")}`, "192.0.2.1", "42"],
  ["alb", `https 2018-07-02T22:23:00.186641Z app/x/5 ${alb.replace("-", "[2001:db8::1]:2817")}`, "2001:db8::1", "42"],
  ["cdx", "com,a)/ 20240722120756 http://a.example/ text/html 200"],
])("%s: %s", (name, line, client, bytes, referer) => {
  const parsed = lineLogFormats.find((format) => format.name === name)!.createParser()(line);
  if (parsed === undefined || isLogProblem(parsed)) throw new Error(JSON.stringify(parsed));
  expect([parsed.client, parsed.bytes, parsed.referer]).toEqual([client, bytes, referer]);
});

test("cloudfront: client, size and referer", () => {
  const parse = lineLogFormats.find((format) => format.name === "cloudfront")!.createParser();
  parse("#Fields: c-ip sc-bytes cs(Referer) cs-uri-stem");
  expect(parse("192.0.2.1\t123\thttps://r.example/\t/a")).toMatchObject({
    client: "192.0.2.1",
    bytes: "123",
    referer: "https://r.example/",
  });
  expect(parse("-\t-\t-\t/a")).toMatchObject({ client: undefined, bytes: undefined, referer: undefined });
});

test.each<[name: string, record: Readonly<Record<string, unknown>>]>([
  [
    "cloudflare",
    {
      ClientRequestURI: "/",
      ClientIP: "192.0.2.1",
      EdgeResponseBytes: 123,
      ClientRequestReferer: "https://r.example/",
    },
  ],
  [
    "caddy",
    {
      request: {
        uri: "/",
        client_ip: "192.0.2.1",
        remote_ip: "10.0.0.1",
        headers: { Referer: ["https://r.example/"] },
      },
      size: 123,
    },
  ],
  ["caddy", { request: { uri: "/", remote_ip: "192.0.2.1", headers: { Referer: ["https://r.example/"] } }, size: 123 }],
])("%s: %j", (name, record) => {
  const { requestOf } = objectLogFormats.find((format) => format.name === name)!;
  expect(requestOf(record)).toMatchObject({
    client: "192.0.2.1",
    bytes: "123",
    referer: "https://r.example/",
  });
});

test.each<[time: string, instant: string | undefined]>([
  ["10/Dec/2025:10:00:00 +0000", "2025-12-10T10:00:00Z"],
  ["1/Jan/2026:00:30:00 +0100", "2025-12-31T23:30:00Z"],
  ["31/Dec/2025:23:30:00 -0545", "2026-01-01T05:15:00Z"],
  ["29/Feb/2024:12:00:00 +0000", "2024-02-29T12:00:00Z"],
  ["29/Feb/2023:12:00:00 +0000", undefined],
  ["31/Apr/2025:12:00:00 +0000", undefined],
  ["10/Dez/2025:10:00:00 +0000", undefined],
  ["10/Dec/2025:24:00:00 +0000", undefined],
  ["10/Dec/2025:10:60:00 +0000", undefined],
  ["10/Dec/2025:10:00:60 +0000", "2025-12-10T10:01:00Z"],
  ["10/Dec/2025:10:00:00 +2400", undefined],
  ["10/Dec/2025:10:00:00", undefined],
  ["10/Dec/0025:10:00:00 +0000", undefined],
  ["01/Jan/1000:00:30:00 +0000", "1000-01-01T00:30:00Z"],
  ["01/Jan/1000:00:30:00 +0100", undefined],
  ["31/Dec/9999:23:30:00 -0000", "9999-12-31T23:30:00Z"],
  ["31/Dec/9999:23:30:00 -0100", undefined],
  ["2018-07-02T22:23:00.186641Z", "2018-07-02T22:23:00.186641Z"],
  ["2018-07-02T22:23:00Z", "2018-07-02T22:23:00Z"],
  ["2018-07-02 22:23:00.5+02:00", "2018-07-02T20:23:00.5Z"],
  ["2018-07-02T22:23:00", undefined],
  ["2018-13-02T22:23:00Z", undefined],
  ["2018-07-02", undefined],
  ["20240722120756", undefined],
  ["20240722120756Z", "2024-07-22T12:07:56Z"],
  ["2026-01-02 00:14:47 +0000", "2026-01-02T00:14:47Z"],
  ["2026/01/02 00:14:47 UTC", "2026-01-02T00:14:47Z"],
  ["2026-01-02 00:14+09", "2026-01-01T15:14:00Z"],
  ["202407221207", undefined],
  ["1286536308.779", "2010-10-08T11:11:48.779Z"],
  ["1286536308", "2010-10-08T11:11:48Z"],
  ["1286536308779", "2010-10-08T11:11:48.779Z"],
  ["1286536308779123", "2010-10-08T11:11:48.779123Z"],
  ["128653630877", undefined],
  ["06/Feb/2009:12:14:14.655 +0100", "2009-02-06T11:14:14.655Z"],
  ["06/Feb/2009:12:14:14.655", undefined],
  ["1795244109", "2026-11-21T06:55:09Z"],
  ["1795244109.391000", "2026-11-21T06:55:09.391Z"],
  ["1795244109391", "2026-11-21T06:55:09.391Z"],
  ["1795244109000", "2026-11-21T06:55:09Z"],
  ["1795244109391.2876", "2026-11-21T06:55:09.3912876Z"],
  ["1795244109391287", "2026-11-21T06:55:09.391287Z"],
  ["1795244109391287654", "2026-11-21T06:55:09.391287654Z"],
  ["17952441093", undefined],
  ["", undefined],
  ["-", undefined],
])("the instant of %j is %j", (time, instant) => {
  expect(instantOf(time)).toBe(instant);
});
