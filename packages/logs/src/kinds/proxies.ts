// Logs of proxies: Squid's native format, HAProxy's HTTP format, Envoy's default format and Istio's.
import type { TextLogKind } from "../text-log.ts";

const http =
  "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r";

/** The texts that may precede HAProxy's part of a line: nothing, or a prefix of syslog. */
const behind = [
  "",
  "%month %day %clock %H haproxy[%pid]: ",
  "%month  %day %clock %H haproxy[%pid]: ",
  "%time %H haproxy[%pid]: ",
  "<%pri>1 %time %H haproxy %pid - - ",
];

const requested =
  '[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS%';
const sent =
  '%BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" "%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%"';

/** The text logs of proxies. */
export const proxyLogs: readonly TextLogKind[] = [
  /** Squid's native format, `logformat squid`. */
  {
    name: "squid",
    about: "Squid access logs in the native format",
    documented: "http://www.squid-cache.org/Doc/config/logformat/",
    pattern: "%ts.%03tu %6tr %>a %Ss/%03>Hs %<st %rm %ru %[un %Sh/%<a %mt",
    hasRest: true,
    namesHost: true,
    samples: {
      record: "1431857103.123     57 192.0.2.1 TCP_MISS/200 1 GET {url} {other} HIER_DIRECT/10.0.0.1 text/html",
      broken: ["1431857103.123      0 192.0.2.1 NONE/400 3 NONE error:invalid-request - HIER_NONE/- text/html", "oops"],
      fragments: [
        "1431857103.123     57 192.0.2.1 TCP_MISS/200 1 GET http://a.example/a - HIER_DIRECT/10.0.0.1 text/html",
        "1431857103.123     57 192.0.2.1 TCP_TUNNEL/200 39 CONNECT a.example:443 - HIER_DIRECT/10.0.0.1 -",
        "TCP_HIT/200",
        "      ",
      ],
      log: [
        "1286536308.779    180 192.168.0.224 TCP_MISS/200 411 GET http://shop.example/images/a.gif - HIER_DIRECT/203.0.113.5 image/gif",
        "1286536308.910     37 192.168.0.224 TCP_TUNNEL/200 3913 CONNECT www.shop.example:443 ann HIER_DIRECT/203.0.113.5 -",
        "1286536309.001      0 192.168.0.227 NONE/400 3917 NONE error:invalid-request - HIER_NONE/- text/html",
        "1286536309.586    921 192.168.0.68 TCP_MISS/200 507 POST http://api.shop.example/v1?a=b - HIER_DIRECT/203.0.113.6 application/json",
        "1286536311.115      2 2001:db8::12 TCP_MEM_HIT/304 210 GET http://shop.example/style.css - HIER_NONE/- text/css",
        "1286536312.005 120034 192.168.0.68 TCP_MISS_ABORTED/000 0 GET http://slow.example/ - HIER_DIRECT/203.0.113.7 -",
      ],
      hostile: [
        ' 1286536312.005 5 192.168.0.68 TCP_MISS/200 0 GET http://a.example/"x - HIER_DIRECT/203.0.113.7 -',
        "1286536312.005      5 192.168.0.68 TCP_MISS/200 0 GET http://user@evil.example/ - HIER_DIRECT/203.0.113.7 a b",
      ],
    },
  },
  /** HAProxy's `option httplog`, and `option httpslog`, which adds fields. */
  {
    name: "haproxy",
    about: "HAProxy HTTP logs, also from syslog",
    documented: "https://docs.haproxy.org/3.0/configuration.html#8.2.3",
    pattern: behind.map((before) => before + http),
    hasRest: true,
    namesHost: true,
    samples: {
      record:
        'Feb  6 12:14:14 localhost haproxy[14389]: 192.0.2.1:33317 [06/Feb/2015:12:14:14.655] in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {{other}} "GET {url} HTTP/1.1"',
      broken: [
        '192.0.2.1:33317 [06/Feb/2015:12:14:14.655] in in/<NOSRV> -1/-1/-1/-1/0 400 0 - - PR-- 1/1/0/0/0 0/0 "<BADREQ>"',
        "oops",
      ],
      fragments: [
        '192.0.2.1:33317 [06/Feb/2015:12:14:14.655] in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a.example|x/1} {} "GET /a HTTP/1.1"',
        "{",
        "} ",
        '"',
      ],
      log: [
        'Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {www.shop.example} {} "GET /index.html HTTP/1.1"',
        'Feb  6 12:14:15 localhost haproxy[14389]: 10.0.1.3:33318 [06/Feb/2009:12:14:15.001] http-in~ static/srv2 0/0/1/2/3 304 166 - - ---- 2/2/1/1/0 0/0 {www.shop.example} {} "GET /style.css?v=3 HTTP/1.1"',
        'Feb  6 12:14:16 localhost haproxy[14389]: 10.0.1.2:33319 [06/Feb/2009:12:14:16.120] http-in http-in/<NOSRV> -1/-1/-1/-1/0 400 0 - - PR-- 1/1/0/0/0 0/0 {} "<BADREQ>"',
        'Feb  6 12:14:17 localhost haproxy[14389]: 2001:db8::2:33320 [06/Feb/2009:12:14:17.001] http-in dynamic/app1 0/0/1/200/201 200 9001 - - ---- 2/2/1/1/0 0/0 {api.shop.example} {} "POST /v1/orders HTTP/1.1"',
        'Feb 16 12:14:18 localhost haproxy[14389]: 10.0.1.2:33321 [16/Feb/2009:12:14:18.002] http-in static/srv1 0/0/1/2/3 200 +44 - - ---- 1/1/1/1/0 0/0 {www.shop.example} {} "GET /a HTTP/1.1"',
      ],
      hostile: [
        '10.0.1.2:33321 [16/Feb/2009:12:14:18.002] in s/s 0/0/1/2/3 200 44 - - ---- 1/1/1/1/0 0/0 {a.example|evil.example} "GET /a HTTP/1.1"',
        '10.0.1.2:33321 [16/Feb/2009:12:14:18.002] in s/s 0/0/1/2/3 200 44 - - ---- 1/1/1/1/0 0/0 {a.example|Mozilla/5.0 (#22x#7Cevil.example#7C)} "GET /a#22b HTTP/1.1"',
        '10.0.1.2:33321 [16/Feb/2009:12:14:18.002] in s/s 0/0/1/2/3 200 44 - - ---- 1/1/1/1/0 0/0 {a.example} "x} {} "GET /a HTTP/1.1"',
      ],
    },
  },
  /** Envoy's default format, and Istio's, which adds fields. */
  {
    name: "envoy",
    about: "Envoy and Istio access logs as text",
    documented:
      "https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#default-format-string",
    pattern: [
      `${requested} %RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS% "%UPSTREAM_TRANSPORT_FAILURE_REASON%" ${sent} %UPSTREAM_CLUSTER% %UPSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS% %REQUESTED_SERVER_NAME% %ROUTE_NAME%`,
      `${requested} ${sent}`,
    ],
    samples: {
      record:
        '[2015-05-17T10:05:03.123Z] "GET {target} HTTP/1.1" 200 - 0 1 2 1 "192.0.2.1" "{other}" "id" "{host}" "10.0.0.1:80"',
      broken: ['[2015-05-17T10:05:03.123Z] "- - HTTP/1.1" 400 DPE 0 11 0 - "-" "-" "-" "-" "-"', "oops"],
      fragments: [
        '[2015-05-17T10:05:03.123Z] "GET /a HTTP/1.1" 200 - 0 1 2 1 "-" "x" "id" "a.example" "10.0.0.1:80"',
        '[2015-05-17T10:05:03.123Z] "',
        '" "',
        "-",
      ],
      log: [
        '[2016-04-15T20:17:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "10.0.35.28" "nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations.shop.example" "tcp://10.0.2.1:80"',
        '[2016-04-15T20:17:01.002Z] "GET /robots.txt HTTP/1.1" 200 - 0 68 3 2 "198.51.100.9,10.0.0.2" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" "9a" "www.shop.example" "10.0.2.2:80"',
        '[2016-04-15T20:17:02.500Z] "- - HTTP/1.1" 400 DPE 0 11 0 - "-" "-" "-" "-" "-"',
        '[2016-04-15T20:17:03.000Z] "GET /cart?id=7 HTTP/2" 503 UF 0 91 10 - "-" "curl/8.5.0" "9b" "www.shop.example:8443" "10.0.2.2:80"',
        '[2016-04-15T20:17:04.000Z] "GET / HTTP/2" 200 - 0 5120 4 3 "2001:db8::3" "Mozilla/5.0" "9c" "www.shop.example" "10.0.2.2:80"',
        '[2024-04-15T20:17:04.000Z] "GET /b HTTP/2" 200 - via_upstream - "-" 0 5120 4 3 "-" "Mozilla/5.0" "9c" "www.shop.example" "10.0.2.2:80" outbound|80||web.default.svc.cluster.local 10.0.2.1:40000 10.0.2.1:8443 192.0.2.7:50000 outbound_.80_._.web default',
      ],
      hostile: [
        '[2016-04-15T20:17:04.000Z] "GET / HTTP/2" 200 - 0 5120 4 3 "x" "a" "b" "evil.example" "c" "9c" "www.shop.example" "10.0.2.2:80"',
        '[2016-04-15T20:17:04.000Z] "GET /a b" 200 - HTTP/2" 200 - 0 1 4 3 "x" "a" "b" "a.example" "c"',
      ],
    },
  },
];
