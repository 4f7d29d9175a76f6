// Tests the host of a record: the bases of files and hosts, also of rotated logs, and URLs whose parts are in several fields.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

const folder = makeFolder();
const logs = join(folder, "logs");
const line = (path: string): string =>
  `192.0.2.7 - - [21/Nov/2026:06:55:01 +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`;

beforeAll(() => {
  mkdirSync(logs);
  writeFileSync(join(logs, "shop.log"), line("/cart/1"));
  writeFileSync(join(logs, "shop.log.1"), line("/cart/2"));
  writeFileSync(join(logs, "news.log"), line("/archive/3"));
});

const asked = ["--agent", "bingbot", "--robots", "examples/robots"];
const bases = ["--base", `${join(logs, "shop*")}=https://shop.example`, "--base", "https://news.example"];

test("each file has its own base", async () => {
  const { code, stdout, stderr } = await runHere([...asked, ...bases, logs], "");
  expect(stderr).toBe("");
  const urls = recordsOf<{ url: string }>(stdout).map((row) => row.url);
  expect(urls.toSorted()).toEqual([
    "https://news.example/archive/3",
    "https://shop.example/cart/1",
    "https://shop.example/cart/2",
  ]);
  expect(code).toBe(0);
});

test("a log without a base is wrong usage; a base without a log is reported", async () => {
  const one = await runHere([...asked, ...bases.slice(0, 2), logs], "");
  expect(one.stderr).toMatch(/news\.log:1: this log does not name the host/);
  expect(one.code).toBe(2);
  const other = await runHere([...asked, ...bases, join(logs, "news.log")], "");
  expect(other.stderr).toMatch(/--base .*shop\*=https:\/\/shop\.example: applies to no file of this run/);
  expect(other.code).toBe(0);
});

test("detect reads each file with its base", async () => {
  const { stdout } = await runHere(["detect", "--output", "ndjson", ...bases, logs], "");
  const urls = recordsOf<{ first: { url: string } }>(stdout).map((row) => row.first.url);
  expect(urls).toContain("https://shop.example/cart/2");
  expect(urls).toContain("https://news.example/archive/3");
});

const log = `[21/Nov/2026:06:55:01 +0000] "GET /cart/1 HTTP/1.1" 200 1 "-" "x"`;
const hosts = [
  "--base",
  "host:www=https://shop.example",
  "--base",
  "host:news:8080=https://news.example",
  "--base",
  "host:old.example=http://shop.example:81",
  "--base",
  "https://base.example",
];

test.each<[kind: string, flags: readonly string[], lines: readonly string[], urls: readonly string[]]>([
  [
    "vhost_combined",
    [],
    [`www:80 192.0.2.7 - - ${log}`, `NEWS:8080 192.0.2.7 - - ${log}`, `other.example:443 192.0.2.7 - - ${log}`],
    ["https://shop.example/cart/1", "https://news.example/cart/1", "https://other.example/cart/1"],
  ],
  [
    "combined_host",
    ["-i", "combined_host"],
    [
      `192.0.2.7 - - ${log} www`,
      `192.0.2.7 - - ${log} news:8080`,
      `192.0.2.7 - - ${log} news`,
      `192.0.2.7 - - ${log} -`,
    ],
    [
      "https://shop.example/cart/1",
      "https://news.example/cart/1",
      "https://news/cart/1",
      "https://base.example/cart/1",
    ],
  ],
  [
    "varnishncsa",
    [],
    ["http://www/", "https://user@WWW:8443/", "http://news:8080/", "http://news/"].map(
      (site) => `192.0.2.7 - - ${log.replace("/cart/1", `${site}cart/1`)}`,
    ),
    ["https://shop.example/cart/1", "https://shop.example/cart/1", "https://news.example/cart/1", "http://news/cart/1"],
  ],
  [
    "haproxy",
    [],
    // Among captured headers, only domain names count as hosts.
    ["old.example", "a.example"].map(
      (host) =>
        `192.0.2.1:33317 [06/Feb/2015:12:14:14.655] in s/s 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {${host}} {} "GET /cart/1 HTTP/1.1"`,
    ),
    ["http://shop.example:81/cart/1", "https://a.example/cart/1"],
  ],
  [
    "nginx as JSON",
    [],
    ["www", "news:8080", "a.example"].map((host) =>
      JSON.stringify({
        remote_addr: "192.0.2.7",
        time: "x",
        request: "GET /cart/1 HTTP/1.1",
        host,
        http_user_agent: "x",
      }),
    ),
    ["https://shop.example/cart/1", "https://news.example/cart/1", "https://a.example/cart/1"],
  ],
  [
    "cloudflare",
    [],
    ["www", "a.example"].map((host) =>
      JSON.stringify({ ClientRequestHost: host, ClientRequestURI: "/cart/1", ClientRequestScheme: "http", RayID: "1" }),
    ),
    ["https://shop.example/cart/1", "http://a.example/cart/1"],
  ],
  [
    "W3C",
    [],
    [
      "#Fields: date time cs-method cs-uri-stem cs-host sc-status",
      "2026-11-21 06:55:01 GET /cart/1 www 200",
      "2026-11-21 06:55:01 GET /cart/1 news:8080 200",
    ],
    ["https://shop.example/cart/1", "https://news.example/cart/1"],
  ],
  [
    "a pattern of its own",
    ["--log-format", '$host $server_port "$request"'],
    ['www 80 "GET /cart/1 HTTP/1.1"', 'news 8080 "GET /cart/1 HTTP/1.1"'],
    ["https://shop.example/cart/1", "https://news/cart/1"],
  ],
  [
    "fields of CSV",
    ["--path-field", "path", "--host-field", "site"],
    ["site,path", "www,/cart/1", "a.example,/cart/1"],
    ["https://shop.example/cart/1", "https://a.example/cart/1"],
  ],
  [
    "a template of NDJSON",
    ["--url-template", "http://{site}{path}"],
    ['{"site":"www","path":"/cart/1"}', '{"site":"a.example","path":"/cart/1"}'],
    ["https://shop.example/cart/1", "http://a.example/cart/1"],
  ],
])("the bases for hosts apply to the hosts of the records: %s", async (_kind, flags, lines, urls) => {
  const text = `${lines.join("\n")}\n`;
  const { code, stdout } = await runHere([...asked, ...hosts, ...flags], text);
  expect(code).toBe(0);
  const rows = recordsOf<{ robots: { origin: string }; url?: string }>(stdout);
  expect(rows.map(({ robots }) => robots.origin)).toEqual(urls.map((url) => new URL(url).origin));
  // Rows of logs have the decided URL; records that are returned unchanged keep their own URL.
  for (const [index, { url }] of rows.entries()) if (url !== undefined) expect(url).toBe(urls[index]);
});

test("detect, origins and audit use the bases of hosts too", async () => {
  const text = `www:80 192.0.2.7 - - ${log.replace('"x"', '"bingbot/2.0"')}\n`.repeat(3);
  const base = hosts.slice(0, 2);
  const detected = await runHere(["detect", "-o", "ndjson", ...base], text);
  expect((JSON.parse(detected.stdout) as { first: { url: string } }).first.url).toBe("https://shop.example/cart/1");
  expect(detected.stdout).toContain("--base host:www=https://shop.example");
  expect((await runHere(["origins", ...base], text)).stdout).toContain('"https://shop.example"');
  const audited = await runHere(
    ["audit", ...base, "--base", "https://x.example", "--robots", "examples/robots", "-o", "json"],
    text,
  );
  expect(audited.stdout).toContain('"https://shop.example"');
});

test("a base for a host is reported if no field has a host", async () => {
  const { code, stderr } = await runHere([...asked, ...hosts, "-i", "lines"], "https://www/a\n");
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/applies to logs and to fields with a host; the URLs of lines stay unchanged/),
  ]);
});

const objects = `{"host":"shop.example","uri":"/cart","args":"a=1"}
{"host":"shop.example","uri":"/shoes","args":""}
{"host":"","uri":"/shoes"}
`;
const rows = `host,uri,args
shop.example,/cart,a=1
shop.example,/shoes,
,/shoes,
`;
const template = ["--url-template", "https://{host}{uri}?{args}"];
const fields = ["--host-field", "host", "--path-field", "uri", "--query-field", "args"];

test.each<[what: string, stdin: string, ...args: string[]]>([
  ["NDJSON", objects],
  ["NDJSON to CSV", objects, "-o", "csv"],
  ["CSV", rows],
  ["CSV to CSV", rows, "-o", "csv"],
  ["a template, NDJSON", objects, ...template],
  ["a template, CSV", rows, ...template],
])("a URL in several fields: %s", async (_what, stdin, ...args) => {
  const named = args.includes("--url-template") ? [] : fields;
  const { code, stdout, stderr } = await runHere([...asked, ...named, ...args], stdin);
  expect(stderr).toMatch(/:[34]: does not name the host of the request/);
  expect(stdout).toMatch(/cart.*disallow: \/cart/);
  expect(stdout).toMatch(/shoes.*no-rule/);
  expect(code).toBe(0);
});

test("detect shows the URL", async () => {
  const { code, stdout } = await runHere(["detect", ...fields], objects);
  expect(stdout).toMatch(/URL\s+https:\/\/shop\.example\/cart\?a=1\n/);
  expect(code).toBe(0);
});

test.each<[args: string[], message: RegExp]>([
  [["--host-field", "host"], /--host-field needs --path-field/],
  [["--query-field", "args", "--url-field", "url"], /--query-field needs --path-field/],
  [["--path-field", "uri"], /--path-field needs the host of the URLs/],
  [[...template, "--host-field", "host"], /--url-template and --host-field cannot be combined/],
  [["--url-template", "https://{host}{path}"], /no field "path" \(--url-template\)/],
  [["--url-template", "https://{host"], /has a "\{" without a "\}"/],
  [[...fields, "--url-field", "url"], /--url-field and --path-field cannot be combined/],
  [[...fields, "--scheme-field", "proto"], /no field "proto" \(--scheme-field\)/],
])("%j: wrong usage", async (args, message) => {
  const { code, stdout, stderr } = await runHere([...asked, ...args], objects);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
});

const paths = '{"host":"shop.example","url":"/cart","user_agent":"bingbot/2.0","time":"2026-11-21T08:00:00Z"}\n';
const other = ["--base", "https://base.example", "--robots", "examples/robots"];

test.each<[what: string, ...args: string[]]>([
  ["decide", "--agent", "bingbot"],
  ["decide with agents of records", "--agent-field", "user_agent"],
  ["audit", "audit", "-"],
])("the host of a record is not replaced by --base: %s", async (_what, ...args) => {
  const { code, stdout, stderr } = await runHere([...args, ...other], paths);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("its field host names another host than --base");
  expect(stderr).toContain("--path-field url --host-field host");
});

test("an audit reads the host of a record", async () => {
  const named = ["audit", "-", "--path-field", "url", "--host-field", "host", "-o", "json"];
  const { code, stdout } = await runHere([...named, ...other], paths);
  expect([code, Object.keys(JSON.parse(stdout) as object).length > 0]).toEqual([0, true]);
  expect(stdout).toContain('"https://shop.example"');
  expect(stdout).not.toContain('"https://base.example"');
});
