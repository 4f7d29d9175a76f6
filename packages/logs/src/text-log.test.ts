// Tests the addresses, hosts and URLs of requests in lines of users' own patterns.
import { expect, test } from "vitest";
import { type LineLogFormat, type LogRequest, isPatternProblem, logFormatOf, timeTextOf, urlOf } from "./index.ts";
import { textLogOf } from "./text-log.ts";

function requestOf(pattern: string, line: string): LogRequest {
  return (logFormatOf(pattern, "own") as LineLogFormat).createParser()(line) as LogRequest;
}

test.each<[pattern: string, line: string, client: string | undefined, clients: string | undefined]>([
  ["%h %U", "192.0.2.1 /", "192.0.2.1", undefined],
  ["%{X-Forwarded-For}i %h %U", "192.0.2.1, 192.0.2.2 10.0.0.1 /", "192.0.2.1", "192.0.2.1, 192.0.2.2, 10.0.0.1"],
  ["%{X-Forwarded-For}i %h %U", "- 10.0.0.1 /", "10.0.0.1", undefined],
  // The peer's own address is first: nobody can forge it.
  ["%h %U %{X-Forwarded-For}i", "10.0.0.1 / 192.0.2.1", "10.0.0.1", undefined],
  ["%{X-Forwarded-For}i %U", "192.0.2.1 /", "192.0.2.1", undefined],
  ["$proxy_add_x_forwarded_for $uri", "192.0.2.1, 192.0.2.2 /", "192.0.2.1", "192.0.2.1, 192.0.2.2"],
  ["%a:%{remote}p %U", "2001:db8::1:80 /", "2001:db8::1", undefined],
])("%s: %s", (pattern, line, client, clients) => {
  const request = requestOf(pattern, line);
  expect([request.client, request.clients]).toEqual([client, clients]);
});

test.each<[pattern: string, line: string, target: string]>([
  ["$remote_addr $uri $args", "192.0.2.1 /a?#b c=d", "/a%3F%23b?c=d"],
  ["$remote_addr $uri", "192.0.2.1 /a?", "/a%3F"],
  ["$remote_addr $request_uri", "192.0.2.1 /a?", "/a?"],
  ["%HM %HP %HQ", "GET /a ?b", "/a?b"],
  ['$remote_addr $uri $args "$request"', '192.0.2.1 /index.php - "GET /news HTTP/1.1"', "/news"],
  ['$remote_addr $uri$is_args$args "$request"', '192.0.2.1 /index.php?a=b "GET /news HTTP/1.1"', "/news"],
  ["$remote_addr $uri $request_uri", "192.0.2.1 /index.php /news", "/news"],
])("%s: the path of %s", (pattern, line, target) => {
  expect(requestOf(pattern, line)).toMatchObject({ target });
});

// A User-Agent header or a request with quotes that the server did not escape, followed by the rest of the line.
test.each<[pattern: string, line: string, other: string]>([
  ['"$request" "$http_user_agent" $remote_addr', '"GET /a HTTP/1.1" "x" 192.0.2.9 y" 192.0.2.1', "client"],
  ['"$request" "$http_user_agent" $host', '"GET /a HTTP/1.1" "x" evil.example y" a.example', "host"],
  ['"$request" $host', '"GET /b" evil.example HTTP/1.1" a.example', "host"],
  ['"$request" "$http_user_agent" $request_time', '"GET /a HTTP/1.1" "Googlebot" 1 y" 0.003', "agent"],
  ['"$request" $http_user_agent', '"GET /a" Googlebot HTTP/1.1" x', "agent"],
  ["$request_uri $remote_addr", "/a 192.0.2.9 192.0.2.1", "client"],
  ["$request_uri $scheme", "/a https http", "scheme"],
  ["$request_uri $request_method", "/a GET HEAD", "method"],
])("%s: a last field does not take the rest of %s", (pattern, line) => {
  expect(requestOf(pattern, line)).toMatchObject({ code: "not-a-log-line" });
});

test.each<[pattern: string, line: string, client: string | undefined, agent: string | undefined]>([
  ["$request_uri $remote_addr", "/a 192.0.2.1", "192.0.2.1", undefined],
  ["$request_uri $proxy_add_x_forwarded_for", "/a 192.0.2.9, 192.0.2.1", "192.0.2.9", undefined],
  ['$remote_addr "$request" $http_user_agent', '192.0.2.1 "GET / HTTP/1.1" x (y; z)', "192.0.2.1", "x (y; z)"],
  ["$remote_addr $request_uri $http_user_agent", '192.0.2.1 / x "y"', "192.0.2.1", 'x "y"'],
  ['$remote_addr "$request" $request_time', '192.0.2.1 "GET / HTTP/1.1" 0.1 more', "192.0.2.1", undefined],
])("%s: %s", (pattern, line, client, agent) => {
  const request = requestOf(pattern, line);
  expect([request.client, request.userAgent]).toEqual([client, agent]);
});

test.each<[pattern: string, line: string, url: string]>([
  ["$scheme://$host$request_uri", "http://a.example/b?c", "http://a.example/b?c"],
  ["%V %p %U %q", "a.example 80 /b ?c", "http://a.example/b?c"],
  ["$host:$server_port $uri$is_args$args", "a.example:443 /b?c", "https://a.example/b?c"],
  ["$server_name $http_host $request_uri", "_ b.example /", "https://b.example/"],
  ['"%m %U%q %H" %v', '"GET /a b HTTP/1.1" a.example', "https://a.example/a%20b"],
  ["%m|%U|%V", "GET|/a|a.example", "https://a.example/a"],
])("%s: %s", (pattern, line, url) => {
  expect(urlOf(requestOf(pattern, line), undefined)).toBe(url);
});

test.each<[what: string, pattern: string, line: string, target: string, agent: string | undefined]>([
  [
    "HAProxy",
    '%hr "%r"',
    '{Mozilla/5.0 (#22x#7C#7d#23)} "GET /a#22b#c3#a9 HTTP/1.1"',
    '/a"b\xc3\xa9',
    'Mozilla/5.0 ("x|}#)',
  ],
  ["HAProxy, backslashes", '%hr "%r"', String.raw`{x/1 \x22\b} "GET /\x22 HTTP/1.1"`, "/\\x22", String.raw`x/1 \x22\b`],
  ["HAProxy, expressions", "%HM %HU %[req.hdr(User-Agent)]", "GET /a#3f #22x", "/a?", "#22x"],
  [
    "Envoy",
    '"%REQ(:METHOD)% %REQ(:PATH)% %PROTOCOL%" "%REQ(USER-AGENT)%"',
    String.raw`"GET /a\b HTTP/2" "x\by\x22\"`,
    String.raw`/a\b`,
    "x\\by\\x22\\",
  ],
  ["nginx", '"$request" "$http_user_agent"', String.raw`"GET /a\x22b HTTP/1.1" "x\"y#22"`, '/a"b', 'x"y#22'],
])("escapes of %s", (_what, pattern, line, target, agent) => {
  expect(requestOf(pattern, line)).toMatchObject({ target, userAgent: agent });
});

test("a kind without requests has no shape for readers of bytes: each line is rejected", () => {
  const line = "192.0.2.1:33317 [06/Feb/2015:12:14:14.655] in static/srv1 0/0/5007 212";
  const tcp = textLogOf({
    name: "tcp",
    about: "connections",
    documented: "https://docs.haproxy.org/3.0/configuration.html#8.2.2",
    pattern: "%ci:%cp [%t] %ft %b/%s %Tw/%Tc/%Tt %B",
    samples: { record: line, broken: ["oops"], fragments: [] },
  });
  expect(tcp.patternsOf!(undefined)).toEqual([]);
  expect(tcp.createParser()(line)).toMatchObject({ code: "no-request" });
});

test.each<[pattern: string, line: string, time: string | undefined]>([
  // Times in the forms of strftime, alone and in parts; those without a zone stay without one.
  ["%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t %U", "10/Jun/2019:11:26:07.242 +0200 /a", "2019-06-10T09:26:07.242Z"],
  ["[%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t] %U", "[10/Jun/2019:11:26:07.242 +0200] /a", "2019-06-10T09:26:07.242Z"],
  ["%{%d/%b/%Y %T}t.%{usec_frac}t %U", "10/Jun/2019 11:26:07.242123 /a", "2019-06-10T11:26:07.242123"],
  ["%{%Y-%m-%dT%H:%M:%S}t %U", "2019-06-10T11:26:07 /a", "2019-06-10T11:26:07"],
  ["%{%F %T}t %U", "2019-06-10 11:26:07 /a", "2019-06-10T11:26:07"],
  ['"%{%F %T %z}t" %U', '"2019-06-10 11:26:07 +0000" /a', "2019-06-10T11:26:07Z"],
  ["%{%FT%TZ}t %U", "2019-06-10T11:26:07Z /a", "2019-06-10T11:26:07Z"],
  ["%{%FT%T}t.%{msec_frac}tZ %U", "2019-06-10T11:26:07.242Z /a", "2019-06-10T11:26:07.242Z"],
  ["%{%F}t %U %{%T}t", "2019-06-10 /a 11:26:07", "2019-06-10T11:26:07"],
  ["%{%e.%m.%y, %I:%M:%S %p}t %U", " 1.06.19, 11:26:07 PM /a", "2019-06-01T23:26:07"],
  ["%{%a %b %e %T %Z %Y}t %U", "Mon Jun 10 11:26:07 UTC 2019 /a", "2019-06-10T11:26:07Z"],
  ["%{%a %b %e %T %Z %Y}t %U", "Mon Jun 10 11:26:07 JST 2019 /a", "2019-06-10T11:26:07"],
  ["%{%c}t %U", "Sat Jun  1 11:26:07 2019 /a", "2019-06-01T11:26:07"],
  ["%{%D %R}t %U", "06/10/19 11:26 /a", "2019-06-10T11:26:00"],
  ["%{%Y%m%d%H%M%S}t %U", "20190610112607 /a", "2019-06-10T11:26:07"],
  ["%{%s}t %U", "1560158767 /a", "2019-06-10T09:26:07Z"],
  ["%{sec}t.%{msec_frac}t %U", "1560158767.242 /a", "2019-06-10T09:26:07.242Z"],
  ["%{msec}t %U", "1560158767242 /a", "2019-06-10T09:26:07.242Z"],
  ["%{usec}t %U", "1560158767242123 /a", "2019-06-10T09:26:07.242123Z"],
  [
    "%{begin:%FT%T%z}t %{end:%FT%T%z}t %U",
    "2019-06-10T11:26:07+0200 2019-06-10T11:27:00+0200 /a",
    "2019-06-10T09:26:07Z",
  ],
  ["%{end:%s}t %{begin:%s}t %U", "1560158770 1560158767 /a", "2019-06-10T09:26:07Z"],
  ["%{end:%s}t %U", "1560158770 /a", "2019-06-10T09:26:10Z"],
  ["%{begin:msec}t %U", "1560158767242 /a", "2019-06-10T09:26:07.242Z"],
  ["%t %{msec_frac}t %U", "[10/Jun/2019:11:26:07 +0200] 242 /a", "2019-06-10T09:26:07Z"],
  // Names of months that the server's locale writes are not read.
  ["%{%d/%b/%Y:%T}t %U", "10/Jui/2019:11:26:07 /a", undefined],
  ["%{%d %B %Y %T}t %U", "10 Dez. 2019 11:26:07 /a", undefined],
  ["%{%F %T}t %U", "- /a", undefined],
  // Envoy writes %START_TIME% in UTC, Squid %tg.
  ["%START_TIME(%Y/%m/%d %H:%M:%S.%3f)% %REQ(:PATH)%", "2019/06/10 11:26:07.242 /a", "2019-06-10T11:26:07.242Z"],
  ["%START_TIME(%s.%6f)% %REQ(:PATH)%", "1560158767.242123 /a", "2019-06-10T09:26:07.242123Z"],
  ["%START_TIME_LOCAL(%F %T)% %REQ(:PATH)%", "2019-06-10 11:26:07 /a", "2019-06-10T11:26:07"],
  ["%{%F %T}tg %>a %ru", "2019-06-10 11:26:07 192.0.2.1 /a", "2019-06-10T11:26:07Z"],
  ["%{%F %T}tl %>a %ru", "2019-06-10 11:26:07 192.0.2.1 /a", "2019-06-10T11:26:07"],
])("%s: the time of %s", (pattern, line, time) => {
  const request = requestOf(pattern, line);
  expect(request).toMatchObject({ target: "/a" });
  expect(request.time === undefined ? undefined : timeTextOf(request.time)).toBe(time);
});

test("a pattern whose times lack a date has no time, and an unknown form is refused by name", () => {
  expect((logFormatOf("%{%T}t %U", "own") as LineLogFormat).facts).not.toContain("time");
  expect((logFormatOf("%{%F}t %{%T}t %U", "own") as LineLogFormat).facts).toContain("time");
  const problem = logFormatOf("%{%F %Q}t %U", "own");
  expect(isPatternProblem(problem) && problem.message).toContain("%{%F %Q}t");
});

// Fields without quotes that hold no space.
test.each<[pattern: string, line: string]>([
  ['%h %{SSL_PROTOCOL}x %{SSL_CIPHER}x "%r" %>s', '192.0.2.1 TLSv1.3 TLS_AES_256_GCM_SHA384 "GET /a HTTP/1.1" 200'],
  ['%h %{cookie}n "%r" %>s', '192.0.2.1 - "GET /a HTTP/1.1" 200'],
  ['%{sid}C %{UNIQUE_ID}e %{X-Request-Id}i %{Content-Length}o "%r" %>s', 'a b c 7 "GET /a HTTP/1.1" 200'],
  ['$http_client_ip $remote_addr "$request" $status', '192.0.2.9, 198.51.100.1 192.0.2.1 "GET /a HTTP/1.1" 200'],
  ['$http_cf_ray $cookie_sid $http_accept_encoding "$request" $status', '7d - gzip, deflate "GET /a HTTP/1.1" 200'],
  ["$remote_addr $request $status", "192.0.2.1 GET /a HTTP/1.1 200"],
])("%s reads fields without quotes: %s", (pattern, line) => {
  expect(requestOf(pattern, line)).toMatchObject({ method: "GET", target: "/a", status: "200" });
});

test.each<[pattern: string, word: string]>([
  ['%{SSL_CLIENT_S_DN}x "%r"', "%D"],
  ['%{Content-Type}o "%r"', "%D"],
  ['$sent_http_content_type "$request"', "$x"],
  ["%[capture.req.hdr(0)] %HU", "%ID"],
])("%s: the hint names a word for an old log", (pattern, word) => {
  expect(logFormatOf(pattern, "own")).toMatchObject({
    code: "ambiguous",
    hint: expect.stringContaining(`write ${word} in its place`) as string,
  });
});
