// Logs of web servers that have the fields of combined and more: the host at another place, Traefik, varnishncsa, lighttpd, Akamai.
import { isAbsolute } from "../request-line.ts";
import { namesDomain, type TextLogKind } from "../text-log.ts";
import { closingQuoteOf } from "../quoted.ts";
import { isDomain } from "../pattern/captures.ts";
import type { Field } from "../pattern/read.ts";
import { namesHost } from "../pattern/steps.ts";

const tail = '"%r" %>s %b "%{Referer}i" "%{User-Agent}i"';
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]+)$/i;

/** The beginning of a pattern: `%h`, alone or after X-Forwarded-For. */
const leads = ["%h", "%{X-Forwarded-For}i %h"];

/** The text logs of web servers whose lines may also fit the formats common or combined. */
export const webServerLogs: readonly TextLogKind[] = [
  /** Combined with the host between the time and the request, or after the user agent. */
  {
    name: "combined_host",
    about: "combined with the host after the time or after the user agent",
    documented: "https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format",
    pattern: leads.flatMap((lead) => [
      `${lead} - %u %t "%V" ${tail}`,
      `${lead} - %u %t %V ${tail}`,
      `${lead} - %u %t ${tail} "%V"`,
      `${lead} - %u %t ${tail} %V`,
    ]),
    hasRest: true,
    fitsRest: isBehindAgent,
    alsoReads: leads.map((lead) => `${lead} - %u %t ${tail}`),
    isSure: (fields, request) => request !== undefined && namesDomain(request) && fields("user") !== undefined,
    samples: {
      record: '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {target} HTTP/1.1" 200 1 "-" "{other}" {host}',
      broken: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-" a.example', "oops"],
      fragments: [
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] a.example "GET /a HTTP/1.1" 200 1 "-" "x"',
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x" "a.example"',
        '"',
        " a.example",
      ],
      log: [
        '203.0.113.7 - - [12/Mar/2024:10:15:32 +0000] "GET / HTTP/1.1" 200 5120 "-" "Mozilla/5.0 (X11; Linux x86_64)" www.shop.example 0.012',
        '203.0.113.8 - - [12/Mar/2024:10:15:33 +0000] "GET /cart?id=1 HTTP/2.0" 302 0 "https://www.shop.example/" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" www.shop.example 0.003',
        '2001:db8::1 - ann [12/Mar/2024:10:15:34 +0000] "HEAD /health HTTP/1.1" 200 0 "-" "curl/8.5.0" static.shop.example 0.001',
        '203.0.113.9 - - [12/Mar/2024:10:15:35 +0000] "\\x16\\x03\\x01" 400 157 "-" "-" shop.example 0.000',
        '203.0.113.7 - - [12/Mar/2024:10:15:36 +0000] "GET /a%20b HTTP/1.1" 404 99 "-" "CCBot/2.0 (https://commoncrawl.org/faq/)" www.shop.example 0.002',
        '203.0.113.7 - - [12/Mar/2024:10:15:37 +0000] "POST /login HTTP/1.1" 200 12 "https://www.shop.example/" "Mozilla/5.0" www.shop.example 0.101',
      ],
      hostile: [
        '203.0.113.7 - - [12/Mar/2024:10:15:36 +0000] "GET /" evil.example "x HTTP/1.1" 404 99 "-" "x" www.shop.example 1',
        '203.0.113.7 - - [12/Mar/2024:10:15:36 +0000] "GET / HTTP/1.1" 404 99 "-" "x\\" evil.example" www.shop.example 1',
        '203.0.113.7 - - [12/Mar/2024:10:15:36 +0000] "GET / HTTP/1.1" 404 99 "-" "x" evil.example "y" www.shop.example 1',
        '203.0.113.7 - - [12/Mar/2024:10:15:36 +0000] "GET / HTTP/1.1" 404 99 "-" "x" "evil.example" www.shop.example',
        '203.0.113.7 - - [12/Mar/2024:10:15:36 +0000] "GET / HTTP/1.1" 404 99 "-" "x" "3.example" 4.example',
        '203.0.113.7 - - [12/Mar/2024:10:15:36 +0000] "GET / HTTP/1.1" 404 99 "-" "x" evil.example y" www.shop.example 1',
        '2001:db8::1 - "a b" [12/Mar/2024:10:15:36 +0000] "GET /\u00e2\u0080\u00ae HTTP/1.1" 200 1 "-" "x" [2001:db8::2]:8080',
      ],
    },
  },
  /** lighttpd's default accesslog.format. */
  {
    name: "lighttpd",
    about: "lighttpd access logs: the host after the client",
    documented: "https://redmine.lighttpd.net/projects/lighttpd/wiki/Mod_accesslog",
    pattern: `%h %V %u %t ${tail}`,
    hasRest: true,
    isSure: (fields, request) => fits(fields, request) && address.test(fields("client") ?? ""),
    mayBe: fits,
    samples: {
      record: '192.0.2.1 {host} - [17/May/2015:10:05:03 +0000] "GET {target} HTTP/1.1" 200 1 "-" "{other}"',
      broken: ['192.0.2.1 a.example - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-"', "oops"],
      fragments: ['192.0.2.1 a.example - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"', '"', " - ["],
      log: [
        '192.0.2.44 www.shop.example - [04/Jan/2024:12:00:01 +0100] "GET /index.html HTTP/1.1" 200 4521 "-" "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"',
        '192.0.2.45 www.shop.example - [04/Jan/2024:12:00:02 +0100] "GET /robots.txt HTTP/1.1" 200 68 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"',
        '2001:db8::7 static.shop.example ann [04/Jan/2024:12:00:02 +0100] "GET /a?b=c HTTP/1.1" 304 0 "https://www.shop.example/" "Mozilla/5.0"',
        '192.0.2.44 www.shop.example:8080 - [04/Jan/2024:12:00:03 +0100] "POST /form HTTP/1.1" 500 369 "-" "curl/8.5.0"',
        '192.0.2.46 www.shop.example - [04/Jan/2024:12:00:09 +0100] "GET /img/x.png HTTP/1.0" 404 345 "-" "-"',
      ],
      hostile: [
        '192.0.2.44 evil.example/x?@ - [04/Jan/2024:12:00:01 +0100] "GET / HTTP/1.1" 200 1 "-" "x"',
        '192.0.2.44 www.shop.example - [04/Jan/2024:12:00:01 +0100] "GET /a\\"b HTTP/1.1" 200 1 "\\"" "x \\" y"',
      ],
    },
  },
  /** Traefik's access log in its format "common". */
  {
    name: "traefik",
    about: "Traefik access logs as text",
    documented: "https://doc.traefik.io/traefik/observability/access-logs/#format",
    pattern: `%h - %u %t ${tail} %k "%{router}n" "%{server}n" %Dms`,
    samples: {
      record:
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {url} HTTP/1.1" 200 1 "-" "{other}" 1 "web@docker" "http://10.0.0.3:80" 2ms',
      broken: [
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-" 1 "-" "-" 0ms',
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"',
      ],
      fragments: [
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x" 7 "r@file" "-" 0ms',
        '" "',
        "ms",
      ],
      log: [
        '10.42.0.1 - - [27/Feb/2024:08:14:09 +0000] "GET / HTTP/2.0" 200 1034 "-" "-" 1 "whoami@docker" "http://172.18.0.3:80" 3ms',
        '10.42.0.1 - - [27/Feb/2024:08:14:11 +0000] "GET /robots.txt HTTP/1.1" 404 19 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" 2 "-" "-" 0ms',
        '10.42.0.1 - ann [27/Feb/2024:08:14:12 +0000] "POST /api?x=1 HTTP/1.1" 502 11 "https://shop.example/" "curl/8.5.0" 3 "api@docker" "http://172.18.0.4:8080" 30001ms',
        '2001:db8::5 - - [27/Feb/2024:08:14:13 +0000] "GET /a HTTP/1.1" 200 77 "-" "GPTBot/1.2" 4 "whoami@docker" "http://172.18.0.3:80" 1ms',
      ],
      hostile: [
        '10.42.0.1 - - [27/Feb/2024:08:14:13 +0000] "GET /a HTTP/1.1" 200 77 "-" "x\\" 4 \\"y" 4 "r" "http://172.18.0.3:80" 1ms',
      ],
    },
  },
  /** varnishncsa's default format: its requests have absolute URLs, made of the Host header. */
  {
    name: "varnishncsa",
    about: "varnishncsa access logs: requests with whole URLs",
    documented: "https://varnish-cache.org/docs/trunk/reference/varnishncsa.html",
    pattern: leads.map((lead) => `${lead} - %u %t "%r" %s %b "%{Referer}i" "%{User-agent}i"`),
    namesHost: true,
    isSure: (_fields, request) => request !== undefined && isAbsolute(request.target),
    samples: {
      record: '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {url} HTTP/1.1" 200 1 "-" "{other}"',
      broken: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-"', "oops"],
      fragments: [
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET http://a.example/a HTTP/1.1" 200 1 "-" "x"',
        '"',
        "http://",
      ],
      log: [
        '198.51.100.3 - - [05/Apr/2024:09:12:44 +0000] "GET http://www.shop.example/ HTTP/1.1" 200 7512 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"',
        '198.51.100.4 - - [05/Apr/2024:09:12:44 +0000] "GET http://www.shop.example/style.css?v=2 HTTP/1.1" 304 0 "http://www.shop.example/" "Mozilla/5.0 (X11; Linux x86_64; rv:124.0) Gecko/20100101 Firefox/124.0"',
        '2001:db8::9 - - [05/Apr/2024:09:12:45 +0000] "HEAD http://img.shop.example/a.png HTTP/1.1" 200 0 "-" "curl/8.5.0"',
        '198.51.100.3 - - [05/Apr/2024:09:12:46 +0000] "POST http://www.shop.example/cart HTTP/1.1" 503 278 "-" "-"',
      ],
      hostile: [
        '198.51.100.3 - - [05/Apr/2024:09:12:46 +0000] "GET http://user@evil.example:80/ HTTP/1.1" 200 278 "-" "a\\"b"',
      ],
    },
  },
  /** Akamai's Log Delivery Service in its format "combined": the path begins with the host. */
  {
    name: "akamai",
    about: "Akamai Log Delivery as combined with cookies: the path begins with the host",
    documented: "https://techdocs.akamai.com/log-delivery/docs/log-format",
    pattern: '%h - %u %t "%m /%V%U%q %H" %>s %b "%{Referer}i" "%{User-Agent}i" "%{Cookie}i"',
    alsoReads: ['%h - %u %t "%m /%V%U%q %H" %>s %b "%{Referer}i" "%{User-Agent}i"', `%h - %u %t ${tail}`],
    isSure: (fields, request) => isHostFirst(fields, request) && /^[^=;]+=/.test(fields("spaced") ?? ""),
    mayBe: isHostFirst,
    samples: {
      record: '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /{host}{target} HTTP/1.1" 200 1 "-" "{other}" "a=b"',
      broken: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-" "-"', "oops"],
      fragments: [
        '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a.example/a HTTP/1.1" 200 1 "-" "x" "a=b"',
        '"',
        "/",
      ],
      log: [
        '203.0.113.20 - - [14/Dec/2023:18:45:59 +0000] "GET /www.shop.example/images/logo.gif HTTP/1.1" 200 1116 "https://www.shop.example/" "Mozilla/5.0 (Windows NT 10.0; Win64; x64)" "session=8f1; lang=en"',
        '203.0.113.21 - - [14/Dec/2023:18:46:01 +0000] "GET /www.shop.example/ HTTP/1.1" 200 8841 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" "bm_sv=1"',
        '203.0.113.20 - - [14/Dec/2023:18:46:02 +0000] "GET /www.shop.example/search?q=shoes HTTP/1.1" 302 0 "https://www.shop.example/" "Mozilla/5.0 (Windows NT 10.0; Win64; x64)" "session=8f1; lang=en"',
        '203.0.113.22 - - [14/Dec/2023:18:46:03 +0000] "POST /api.shop.example/v1 HTTP/1.1" 200 31 "-" "curl/8.5.0" "session=8f2"',
      ],
      hostile: [
        '203.0.113.22 - - [14/Dec/2023:18:46:03 +0000] "GET /www.shop.example//evil.example/%22 HTTP/1.1" 200 31 "-" "\\"" "a=\\"b\\""',
      ],
    },
  },
];

function fits(
  fields: (is: "user") => string | undefined,
  request: Parameters<typeof namesDomain>[0] | undefined,
): boolean {
  return request !== undefined && namesDomain(request) && !fields("user")!.includes(" ");
}

function isHostFirst(_fields: unknown, request: Parameters<typeof namesDomain>[0] | undefined): boolean {
  return request !== undefined && namesDomain(request);
}

/**
 * Whether the text after the last field contains no part of the User-Agent header, which is the last field that a client chooses. Two signs
 * show such a part: a quote that does not surround a whole word, and a domain other than the line's host after a closing quote, where a log
 * has its host. Linear in the text.
 */
function isBehindAgent(rest: string, fields: readonly Field[]): boolean {
  const agent = fields.findIndex(({ is }) => is === "userAgent");
  const hostAt = fields.findIndex(({ is }) => namesHost(is));
  const host = fields[hostAt];
  const isOther = (word: string): boolean => isDomain(word) && word !== host?.text;
  // A host that precedes the header in the line cannot be part of the header.
  const isBehind = agent >= 0 && hostAt < agent && host !== undefined ? () => true : (word: string) => !isOther(word);
  let followsQuote = host === undefined || host.isQuoted;
  for (let at = 0; at < rest.length;) {
    const isQuoted = rest[at] === '"';
    const end = isQuoted ? closingQuoteOf(rest, at + 1) : endOfWord(rest, at);
    if (end < 0) return false;
    const word = rest.slice(isQuoted ? at + 1 : at, end);
    if (/(?<!\\)"/.test(word) || (followsQuote && !isBehind(word))) return false;
    followsQuote = isQuoted;
    at = end + (isQuoted ? 2 : 1);
  }
  return true;
}

function endOfWord(text: string, from: number): number {
  const end = text.indexOf(" ", from);
  return end < 0 ? text.length : end;
}
