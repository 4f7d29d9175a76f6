// Tests the patterns that are made for logs of unknown format, and which lines look like those of a log.
import { expect, test } from "vitest";
import { type LineLogFormat, type LogRequest, logFormatOf, looksLikeLogLine, suggestedPattern } from "../index.ts";

const agent = "Mozilla/5.0 (compatible; bingbot/2.0)";

test.each<[line: string, pattern: string]>([
  [
    `[10/Oct/2023:13:55:36 +0000] 192.0.2.1 shop.example "GET /a HTTP/1.1" 200 23 "-" "${agent}" rt=0.003`,
    '[$time_local] $remote_addr $host "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" rt=$x1',
  ],
  [
    `127.0.0.1 - - [10/Oct/2023:13:55:36 +0000] GET /a HTTP/1.1 200 12 "${agent}"`,
    '$remote_addr $x1 $x2 [$time_local] $request_method $request_uri $server_protocol $status $body_bytes_sent "$http_user_agent"',
  ],
  [
    `2023-10-10T13:55:36+00:00;192.0.2.1;GET;/a;200;2326;${agent}`,
    "$time_iso8601;$remote_addr;$request_method;$request_uri;$status;$body_bytes_sent;$http_user_agent",
  ],
  [
    `192.0.2.1|2023-10-10 13:55:36|GET /a HTTP/1.1|200|2326|${agent}`,
    "$remote_addr|$time_iso8601|$request|$status|$body_bytes_sent|$http_user_agent",
  ],
  [
    `1696946136.123\t2001:db8::1\tGET\t/a\t200\t"${agent}"`,
    '$msec\t$remote_addr\t$request_method\t$request_uri\t$status\t"$http_user_agent"',
  ],
  [
    `time=2023-10-10T13:55:36Z ip=192.0.2.1 method=GET path=/a status=200 ua="${agent}"`,
    'time=$time_iso8601 ip=$remote_addr method=$request_method path=$request_uri status=$status ua="$http_user_agent"',
  ],
  [
    'Started GET "/a" for 192.0.2.1 at 2023-10-10 13:55:36',
    '$x1 $request_method "$request_uri" $x2 $remote_addr $x3 $x4 $x5',
  ],
])("%s", (line, pattern) => {
  expect(looksLikeLogLine(line)).toBe(true);
  expect(suggestedPattern([line, line, "damaged"])).toBe(pattern);
  const request = (logFormatOf(pattern, "own") as LineLogFormat).createParser()(line) as LogRequest;
  expect([request.method, request.target]).toEqual(["GET", "/a"]);
  if (pattern.includes("user_agent")) expect(request.userAgent).toBe(agent);
});

test.each([
  "",
  "https://shop.example/a?b=GET",
  "time,method,url,status",
  "/private/1",
  "2023-10-10T13:55:36Z something happened",
  "GET /a",
  '{"url":"/a"}',
  "x".repeat(100_000),
])("%s is no line of an access log", (line) => {
  expect(looksLikeLogLine(line)).toBe(false);
});

test.each(["dXNlcjpYT1dHbERnTnlVREVMTw==:443", "dXNlcjpYT1dHbERnTnlVREVMTw=", "Passw0rd=x", 'dXNlcjpYT1dHbERn="x"'])(
  "a pattern has no text that may be a credential: %s",
  (text) => {
    const line = `Basic ${text} 192.0.2.1 [10/Oct/2023:13:55:36 +0000] "GET /a HTTP/1.1" 200 23`;
    const pattern = suggestedPattern([line, line]);
    expect(pattern).toContain("$request");
    expect(pattern).not.toMatch(/dXNl|Passw/);
  },
);

test("no pattern is made that does not read most lines", () => {
  expect(suggestedPattern(['192.0.2.1 "GET /a HTTP/1.1" 200', "a b c", "d e f"])).toBeUndefined();
  expect(suggestedPattern(["192.0.2.1 nothing 2023-10-10T13:55:36Z"])).toBeUndefined();
  expect(suggestedPattern([])).toBeUndefined();
  const long = `192.0.2.1 "GET /a HTTP/1.1" ${"x ".repeat(1_000)}`;
  expect(suggestedPattern([long])).toBeUndefined();
});
