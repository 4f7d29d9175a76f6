// Tests the requests of the documented lines of every kind of text log, and of lines that were written to mislead.
import { expect, test } from "vitest";
import { isLogProblem, lineLogFormats, timeTextOf, urlOf } from "./index.ts";

const formats = lineLogFormats.filter(({ samples }) => samples.log !== undefined);

/** A request as text: method, URL, client, time, status, bytes, referer, user agent; or the code of its problem. */
function shown(parsed: ReturnType<ReturnType<(typeof formats)[number]["createParser"]>>): string {
  if (parsed === undefined) return "-";
  if (isLogProblem(parsed)) return parsed.code;
  const url = urlOf(parsed, { scheme: "https", host: "base" });
  if (typeof url !== "string") return url.code;
  const { method, client, time, status, bytes, referer, userAgent } = parsed;
  const instant = time === undefined ? undefined : timeTextOf(time);
  return [method, url, client, instant, status, bytes, referer, userAgent].map((value) => value ?? "-").join(" ");
}

/** The requests of the lines of `samples.log` and then of `samples.hostile`. */
const requests: Readonly<Record<string, readonly string[]>> = {
  common: [
    "GET https://base/apache_pb.gif 127.0.0.1 2000-10-10T20:55:36Z 200 2326 - -",
    "GET https://base/a?b=c 192.0.2.3 2000-10-10T20:55:37Z 304 - - -",
    "HEAD https://base/ crawl-1.bot.example 2000-10-10T20:55:38Z 200 0 - -",
    "not-http",
    "POST https://base/form 192.0.2.3 2000-10-10T20:55:40Z 500 599 - -",
  ],
  combined: [
    "GET https://base/apache_pb.gif 127.0.0.1 2000-10-10T20:55:36Z 200 2326 http://www.shop.example/start.html Mozilla/4.08 [en] (Win98; I ;Nav)",
    "GET https://base/ 203.0.113.9 2000-10-10T20:55:37Z 200 17 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GET https://base/robots.txt crawl-1.bot.example 2000-10-10T20:55:38Z 404 196 - CCBot/2.0 (https://commoncrawl.org/faq/)",
    "no-request",
    "GET https://base/a%20b?c 192.0.2.3 2000-10-10T20:55:40Z 301 - - curl/8.5.0",
    "GET https://base/b 203.0.113.9 2000-10-10T20:55:41Z 200 9 - GPTBot/1.2",
  ],
  vhost_combined: [
    "GET https://www.shop.example/ 192.0.2.3 2023-10-10T13:55:36Z 200 2326 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GET http://www.shop.example/a?b 192.0.2.4 2023-10-10T13:55:37Z 301 461 https://www.shop.example/ curl/8.5.0",
    "GET https://img.shop.example/x.png 2001:db8::1 2023-10-10T13:55:38Z 404 196 - -",
    "not-http",
    "POST https://www.shop.example/cart 192.0.2.3 2023-10-10T13:55:40Z 200 12 - Mozilla/5.0",
  ],
  combined_host: [
    "GET https://www.shop.example/ 203.0.113.7 2024-03-12T10:15:32Z 200 5120 - Mozilla/5.0 (X11; Linux x86_64)",
    "GET https://www.shop.example/cart?id=1 203.0.113.8 2024-03-12T10:15:33Z 302 0 https://www.shop.example/ Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "HEAD https://static.shop.example/health 2001:db8::1 2024-03-12T10:15:34Z 200 0 - curl/8.5.0",
    "not-http",
    "GET https://www.shop.example/a%20b 203.0.113.7 2024-03-12T10:15:36Z 404 99 - CCBot/2.0 (https://commoncrawl.org/faq/)",
    "POST https://www.shop.example/login 203.0.113.7 2024-03-12T10:15:37Z 200 12 https://www.shop.example/ Mozilla/5.0",
    'GET https://www.shop.example/"%20evil.example%20"x 203.0.113.7 2024-03-12T10:15:36Z 404 99 - x',
    'GET https://www.shop.example/ 203.0.113.7 2024-03-12T10:15:36Z 404 99 - x" evil.example',
    "not-a-log-line",
    "not-a-log-line",
    "not-a-log-line",
    "not-a-log-line",
    "GET https://[2001:db8::2]:8080/â® 2001:db8::1 2024-03-12T10:15:36Z 200 1 - x",
  ],
  lighttpd: [
    "GET https://www.shop.example/index.html 192.0.2.44 2024-01-04T11:00:01Z 200 4521 - Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
    "GET https://www.shop.example/robots.txt 192.0.2.45 2024-01-04T11:00:02Z 200 68 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GET https://static.shop.example/a?b=c 2001:db8::7 2024-01-04T11:00:02Z 304 0 https://www.shop.example/ Mozilla/5.0",
    "POST https://www.shop.example:8080/form 192.0.2.44 2024-01-04T11:00:03Z 500 369 - curl/8.5.0",
    "GET https://www.shop.example/img/x.png 192.0.2.46 2024-01-04T11:00:09Z 404 345 - -",
    "no-host",
    'GET https://www.shop.example/a"b 192.0.2.44 2024-01-04T11:00:01Z 200 1 " x " y',
  ],
  traefik: [
    "GET https://base/ 10.42.0.1 2024-02-27T08:14:09Z 200 1034 - -",
    "GET https://base/robots.txt 10.42.0.1 2024-02-27T08:14:11Z 404 19 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "POST https://base/api?x=1 10.42.0.1 2024-02-27T08:14:12Z 502 11 https://shop.example/ curl/8.5.0",
    "GET https://base/a 2001:db8::5 2024-02-27T08:14:13Z 200 77 - GPTBot/1.2",
    'GET https://base/a 10.42.0.1 2024-02-27T08:14:13Z 200 77 - x" 4 "y',
  ],
  varnishncsa: [
    "GET http://www.shop.example/ 198.51.100.3 2024-04-05T09:12:44Z 200 7512 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GET http://www.shop.example/style.css?v=2 198.51.100.4 2024-04-05T09:12:44Z 304 0 http://www.shop.example/ Mozilla/5.0 (X11; Linux x86_64; rv:124.0) Gecko/20100101 Firefox/124.0",
    "HEAD http://img.shop.example/a.png 2001:db8::9 2024-04-05T09:12:45Z 200 0 - curl/8.5.0",
    "POST http://www.shop.example/cart 198.51.100.3 2024-04-05T09:12:46Z 503 278 - -",
    'GET http://user@evil.example:80/ 198.51.100.3 2024-04-05T09:12:46Z 200 278 - a"b',
  ],
  akamai: [
    "GET https://www.shop.example/images/logo.gif 203.0.113.20 2023-12-14T18:45:59Z 200 1116 https://www.shop.example/ Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
    "GET https://www.shop.example/ 203.0.113.21 2023-12-14T18:46:01Z 200 8841 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GET https://www.shop.example/search?q=shoes 203.0.113.20 2023-12-14T18:46:02Z 302 0 https://www.shop.example/ Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
    "POST https://api.shop.example/v1 203.0.113.22 2023-12-14T18:46:03Z 200 31 - curl/8.5.0",
    'GET https://www.shop.example//evil.example/%22 203.0.113.22 2023-12-14T18:46:03Z 200 31 - "',
  ],
  cloudfront: [
    "-",
    "-",
    "GET https://www.shop.example/index.html 192.0.2.24 2019-12-04T21:02:31Z 200 392 - Mozilla/5.0 (compatible; bingbot/2.0)",
    "GET https://www.shop.example/cart?id=1 192.0.2.25 2019-12-04T21:02:32Z 302 392 https://www.shop.example/ curl/8.5.0",
    "HEAD http://www.shop.example/a%2520b 2001:db8::1 2019-12-04T21:02:33Z 304 0 - -",
  ],
  w3c: [
    "-",
    "-",
    "-",
    "-",
    "GET https://www.shop.example/default.htm 203.0.113.4 2024-03-12T00:00:03Z 200 5120 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GET https://www.shop.example/search?q=shoes&page=2 2001:db8::4 2024-03-12T00:00:04Z 200 880 https://www.shop.example/ curl/8.5.0",
    "POST http://api.shop.example/api/v1 203.0.113.5 2024-03-12T00:00:05Z 401 1293 - -",
    "no-url",
    "-",
    "no-host",
    "GET http://a.example/a 203.0.113.5 2024-03-12T00:00:05Z 401 1293 - a b",
    "GET http://a.example/a?b=1 203.0.113.5 2024-03-12T00:00:05Z 200 1 - x",
    "GET http://a.example/a?b=1 203.0.113.5 2024-03-12T00:00:05Z 500 1 - x",
    "-",
    'GET https://www.shop.example/a%20b?x=1 203.0.113.5 2024-03-12T00:00:05Z 200 - - a "b" c',
  ],
  squid: [
    "GET http://shop.example/images/a.gif 192.168.0.224 2010-10-08T11:11:48.779Z 200 411 - -",
    "no-url",
    "no-url",
    "POST http://api.shop.example/v1?a=b 192.168.0.68 2010-10-08T11:11:49.586Z 200 507 - -",
    "GET http://shop.example/style.css 2001:db8::12 2010-10-08T11:11:51.115Z 304 210 - -",
    "GET http://slow.example/ 192.168.0.68 2010-10-08T11:11:52.005Z 000 0 - -",
    "not-a-log-line",
    "GET http://user@evil.example/ 192.168.0.68 2010-10-08T11:11:52.005Z 200 0 - -",
  ],
  haproxy: [
    "GET https://www.shop.example/index.html 10.0.1.2 2009-02-06T12:14:14.655 200 2750 - -",
    "GET https://www.shop.example/style.css?v=3 10.0.1.3 2009-02-06T12:14:15.001 304 166 - -",
    "not-http",
    "POST https://api.shop.example/v1/orders 2001:db8::2 2009-02-06T12:14:17.001 200 9001 - -",
    "GET https://www.shop.example/a 10.0.1.2 2009-02-16T12:14:18.002 200 44 - -",
    "GET https://base/a 10.0.1.2 2009-02-16T12:14:18.002 200 44 - -",
    'GET https://a.example/a"b 10.0.1.2 2009-02-16T12:14:18.002 200 44 - Mozilla/5.0 ("x|evil.example|)',
    "not-http",
  ],
  envoy: [
    "POST https://locations.shop.example/api/v1/locations 10.0.35.28 2016-04-15T20:17:00.310Z 204 0 - nsq2http",
    "GET https://www.shop.example/robots.txt 198.51.100.9 2016-04-15T20:17:01.002Z 200 68 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "no-request",
    "GET https://www.shop.example:8443/cart?id=7 - 2016-04-15T20:17:03.000Z 503 91 - curl/8.5.0",
    "GET https://www.shop.example/ 2001:db8::3 2016-04-15T20:17:04.000Z 200 5120 - Mozilla/5.0",
    "GET https://www.shop.example/b 192.0.2.7 2024-04-15T20:17:04.000Z 200 5120 - Mozilla/5.0",
    "not-a-log-line",
    "not-a-log-line",
  ],
  alibaba: [
    "GET http://www.shop.example/index.html 192.0.2.53 2019-06-26T02:38:19Z 200 2830 - Mozilla/5.0 (compatible; AhrefsBot/5.0; +http://ahrefs.com/robot/)",
    "GET https://www.shop.example/a.png?v=2 192.0.2.54 2019-06-26T02:38:20Z 200 41830 https://www.shop.example/ Mozilla/5.0 (X11; Linux x86_64)",
    "HEAD https://img.shop.example/b 2001:db8::4 2019-06-26T02:38:21Z 404 0 - curl/8.5.0",
    'GET https://user@evil.example/b%20c 192.0.2.1 2019-06-26T02:38:21Z 404 0 - x" 1 "y',
  ],
  s3: [
    "GET https://shop-bucket.s3.us-west-1.amazonaws.com/?versioning 192.0.2.3 2019-02-06T00:00:38Z 200 113 - S3Console/0.4",
    "GET https://shop-bucket.s3.us-west-1.amazonaws.com/img/a.png 192.0.2.4 2019-02-06T00:00:39Z 200 24210 https://www.shop.example/ Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "no-request",
    "GET https://shop-bucket.s3.us-west-1.amazonaws.com/none?x=1 2001:db8::8 2019-02-06T00:01:57Z 404 299 - curl/8.5.0",
    "not-a-log-line",
  ],
  elb: [
    "GET http://www.shop.example:80/ 192.168.131.39 2015-05-13T23:39:43.945958Z 200 29 - curl/7.38.0",
    "GET https://www.shop.example:443/cart?x=1 192.168.131.39 2015-05-13T23:39:44.945958Z 200 57 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "no-request",
    "GET http://www.shop.example:80/a 2001:db8::4 2015-05-13T23:39:46.945958Z 503 0 - -",
    "not-a-log-line",
  ],
  alb: [
    "GET http://www.shop.example:80/ 192.168.131.39 2018-07-02T22:23:00.186641Z 200 366 - curl/7.46.0",
    "GET https://www.shop.example:443/cart?id=2 192.168.131.39 2018-07-02T22:23:00.286641Z 200 57 - Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GET https://10.0.2.105:773/ 10.0.1.252 2018-07-02T22:23:00.386641Z 200 257 - curl/7.46.0",
    "no-request",
    'GET http://base/"x 2001:db8::1 2018-07-02T22:23:00.186641Z 200 57 - y HTTP/1.1',
  ],
  heroku: [
    "GET https://www.shop.example/ 203.0.113.13 2012-10-11T03:47:20.000000Z 200 13 - -",
    "GET https://www.shop.example/cart?id=1 203.0.113.14 2012-10-11T03:47:21.120000Z 304 0 - -",
    "GET http://www.shop.example/slow 203.0.113.13 2012-10-11T03:47:22.000000Z 503 0 - -",
    "POST https://www.shop.example/pay 2001:db8::6 2012-10-11T03:47:23.000000Z 503 - - -",
    "not-a-log-line",
  ],
};

test("every text log except cdx has sample lines and the URL of its documentation", () => {
  const names = lineLogFormats.filter(({ name }) => name !== "cdx").map(({ name }) => name);
  expect(formats.map(({ name }) => name)).toEqual(names);
  for (const { documented } of formats) expect(documented).toMatch(/^https?:\/\//);
});

test.each(formats.map((format) => [format.name, format] as const))("%s", (name, { createParser, samples }) => {
  const parse = createParser();
  const lines = [...samples.log!, ...(samples.hostile ?? [])];
  expect(lines.map((line) => shown(parse(line)))).toEqual(requests[name]);
});

/** The length of a long field; a megabyte in the long form. Each parser must be linear in the line. */
const longFieldBytes = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 1_048_576 : 32_768;
const fillings = ['"', "\\", '" ', '\\"', " ", "] ", "a, ", "{} ", "/", "\u00e2\u0080\u00ae", "\0"];

test.each(formats.map((format) => [format.name, format] as const))("%s: long fields", (_name, format) => {
  const { samples, createParser } = format;
  const [line = ""] = samples.log!.filter((each) => !each.startsWith("#")).slice(-1);
  const headings = samples.log!.filter((each) => each.startsWith("#"));
  const urls: string[] = [];
  for (const filling of fillings) {
    const long = filling.repeat(longFieldBytes / filling.length);
    for (const at of [0, line.indexOf("/"), line.indexOf('"') + 1, line.length]) {
      const parse = createParser();
      headings.forEach(parse);
      const parsed = parse(line.slice(0, at) + long + line.slice(at));
      if (parsed === undefined || isLogProblem(parsed)) continue;
      const url = urlOf(parsed, { scheme: "https", host: "base" });
      if (typeof url === "string") urls.push(url);
    }
  }
  // No URL contains a line end or NUL, whatever a field contains.
  expect(urls.filter((url) => /[\r\n\0]/.test(url))).toEqual([]);
});

test.each<[what: string, behindReferer: string, host: string | undefined]>([
  ["the host", '"x" a.example', "a.example"],
  ["fields in quotes after the host", '"x" a.example "-" "gzip, br" 0.1', "a.example"],
  ["an escaped quote after the host", '"x" a.example "a\\"b" 1', "a.example"],
  ["a quote in a word after the host", '"x" a.example 1"', undefined],
  ["the host again", '"x" a.example "y" a.example', "a.example"],
  ["an escaped quote", '"x\\" evil.example" a.example', "a.example"],
  ["a quote that is not escaped", '"x" evil.example" a.example', undefined],
  ["two quotes that are not escaped", '"x" evil.example "y" a.example 1', undefined],
  ["two quotes around a word", '"x" evil.example y" a.example', undefined],
  ["a host in quotes", '"x" "evil.example" a.example', undefined],
  ["two hosts in quotes", '"x" "evil.example" "a.example" 1', undefined],
])("combined_host: %s", (_what, behindReferer, host) => {
  const parse = lineLogFormats.find(({ name }) => name === "combined_host")!.createParser();
  const line = `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /p HTTP/1.1" 200 1 "-" ${behindReferer}`;
  expect(parse(line)).toMatchObject(host === undefined ? { code: "not-a-log-line" } : { host });
});
