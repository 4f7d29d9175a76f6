// Tests the input format that is detected from first bytes and file names.
import { describe, expect, test } from "vitest";
import { detect } from "./detect.ts";
import { prepare } from "./prepare.ts";
import { inputFormats } from "../formats/registry/registry.ts";

const formatOf = (name: string, text: string): string => detect(name, new TextEncoder().encode(text)).format.name;

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const iisFields =
  "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username cs(User-Agent) sc-status sc-substatus\n";

describe("the format", () => {
  test.each([
    ["an object", "stdin", '{"url":"x"}\n', "ndjson"],
    ["an object after a byte order mark and empty lines", "stdin", '\ufeff\n\n {"url":"x"}\n', "ndjson"],
    ["an object in a .csv", "a.csv", '{"url":"x"}\n', "ndjson"],
    ["the ending .csv", "a.csv", "url\n", "csv"],
    ["the ending .CSV", "A.CSV", "url\n", "csv"],
    ["the ending .tsv", "a.tsv", "url\ta\n", "tsv"],
    ["the ending .txt", "a.txt", "url,a\n", "lines"],
    ["the ending .jsonl, its first line broken", "a.jsonl", "oops\n", "ndjson"],
    ["a header", "stdin", "id,url\n1,x:1\n", "csv"],
    ["a header of one usual name", "stdin", "Address\nx:1\n", "csv"],
    ["a header in quotes", "stdin", '"URL"\n"x:1"\n', "csv"],
    ["a URL", "stdin", "https://a.example/\n", "lines"],
    ["a URL with commas", "stdin", "https://a.example/1,2\nhttps://a.example/1\n", "lines"],
    ["a URL alone with a comma", "stdin", "https://a.example/1,2\n", "lines"],
    ["rows without a header", "stdin", "https://a.example/,200\nhttps://b.example/,404\nhttps://c.ex", "csv"],
    ["words", "stdin", "hello\nworld\n", "lines"],
    ["nothing", "stdin", "", "ndjson"],
    ["nothing in a .csv", "a.csv", "", "csv"],
  ])("%s", (_what, name, text, format) => {
    expect(formatOf(name, text)).toBe(format);
  });

  test.each([
    ["no record yet", "#Version: 1.0\n#Fields: date cs-uri-stem\n", "cloudfront"],
    ["its version alone", "#Version: 1.0\n", "cloudfront"],
    ["records", "#Version: 1.0\n#Fields: date cs-uri-stem\n2026-11-01\t/\n", "cloudfront"],
    ["a damaged record", "#Fields: date cs-uri-stem\nx\n2026-11-01\t/\n", "cloudfront"],
    ["IIS", `${iisFields}2026-11-01 00:00:01 192.0.2.1 GET /a.htm - 80 - bot 200 0\n`, "w3c"],
    ["IIS, nothing but its #Fields", iisFields, "w3c"],
    ["URLs as fields", "#Fields: time cs-uri\n00:00:00 https://a.example/\n00:00:01 https://a.example/\n", "w3c"],
    ["spaces between fields", "#Version: 1.0\n#Fields: date cs-uri-stem\n2026-11-01 /\n", "w3c"],
    ["a comment before a list", "# pages of May\nhttps://a.example/\n", "lines"],
    ["other fields, named", "#Fields: time cs-uri\n", "lines", "lines"],
  ])("a W3C log, or another source: %s", (_what, text, format, named?: string) => {
    const options = named === undefined ? {} : { named: inputFormats.find(({ name }) => name === named) };
    expect(detect("a.txt", new TextEncoder().encode(text), options).format.name).toBe(format);
  });

  const logLine = '192.0.2.1 - - [10/Nov/2026:08:00:00 +0000] "GET /x HTTP/1.1" 200 10 "-" "bot"';
  const log = `${logLine}\n`.repeat(20);
  const overlong = "x".repeat(66_000);
  test.each([
    ["a log", `${logLine.replace("/x", `/${overlong}`)}\n${log}`, "combined"],
    ["a log whose first line is damaged", `${overlong}\n${log}`, "combined"],
    ["a log with carriage returns", `${overlong}\n${log}`.replaceAll("\n", "\r"), "combined"],
    ["a log, and one URL", `${overlong}\nhttps://a.example/\n${log}`, "combined"],
    ["a list", `https://a.example/${overlong}\nhttps://a.example/\nhttps://b.example/\n`, "lines"],
    ["a table", `url,${overlong}\nhttps://a.example/,1\n`, "csv"],
    ["objects", `{"url":"/${overlong}"}\n{"url":"/"}\n`, "ndjson"],
    [
      "a sitemap",
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${overlong}\n${log}`,
      "sitemap",
    ],
    ["two overlong lines", `${overlong}\n${overlong}\n${log}`, "lines"],
    ["more than 1 MiB", `${"x".repeat(1_100_000)}\n${log}`, "lines"],
  ])("the first line is overlong: %s", async (_what, text, format) => {
    const prepared = await prepare("-", oneChunk(text), { format: undefined, urlField: undefined, isLive: false });
    expect(prepared.format.name).toBe(format);
    expect(prepared.isUnexamined).toBe(text.indexOf("\n") > 1_048_576);
  });

  test("a first line of more than 1 MiB does not make the format a guess if the name of the file or inputFormat determines it", async () => {
    const text = `${"x".repeat(1_100_000)}\n${log}`;
    const options = { urlField: undefined, isLive: false };
    const byName = await prepare("a.txt", oneChunk(text), { ...options, format: undefined });
    const named = await prepare("-", oneChunk(text), { ...options, format: inputFormats[0] });
    expect([byName.isUnexamined, named.isUnexamined]).toEqual([false, false]);
  });

  test("inputFormat takes precedence", () => {
    const bytes = new TextEncoder().encode('{"url":"x"}\n');
    for (const format of inputFormats) expect(detect("a.csv", bytes, { named: format }).format).toBe(format);
  });

  test.each([
    ["a\nb", "\n"],
    ["a\r\nb", "\n"],
    ["a\rb", "\r"],
    ["a", "\n"],
  ])("the line end of %j", (text, lineEnd) => {
    expect(detect("stdin", new TextEncoder().encode(text)).lineEnd).toBe(lineEnd);
  });
});

const bucket = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";

describe("what is neither a list nor a table", () => {
  test.each([
    ["a page", '<!DOCTYPE html>\n<html lang="en">\n', /HTML page/],
    ["a page without a doctype", "\n<html>\n<a href=https://a.example/>\n", /HTML page/],
    ["a feed", '<?xml version="1.0"?>\n<rss>\n<link>https://a.example/</link>\n', /XML/],
    ["a feed without a declaration", "<feed><link>https://a.example/</link></feed>", /XML/],
    ["a PDF", "%PDF-1.7\n%x\n", /not text/],
    ["Squid, cut", "1286536308.779    180 192.0.2.224 TCP_MISS/200 411 GET http://a.example/ - x\n", /Squid/],
    [
      "S3",
      `${bucket} bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT k "GET /k HTTP/1.1" 200\n`,
      /S3/,
    ],
    [
      "ELB",
      '2015-05-13T23:39:43.945958Z lb 192.0.2.1:2817 192.0.2.2:80 0.1 0.1 0.1 200 200 0 29 "GET http://a.example:80/ HTTP/1.1"\n',
      /Classic Load Balancer/,
    ],
    ["IIS", "2026-11-01 00:00:01 192.0.2.1 GET /a.htm - 80 - 192.0.2.9 bot 200 0 0 15\n", /IIS/],
    ["IIS, with other #Fields", `#Version: 1.0\n${iisFields}2026-11-01 00:00:01 192.0.2.1 GET /a 80 - 200\n`, /W3C/],
    [
      "Envoy",
      '[2026-04-15T20:17:00.310Z] "POST /api HTTP/2" 204 - 154 0 226 100 "192.0.2.1" "x" "id" "a.example"\n',
      /Envoy/,
    ],
    [
      "uWSGI",
      "[pid: 12|app: 0|req: 1/1] 192.0.2.1 () {36 vars in 500 bytes} [Mon Jan  1 00:00:00 2026] GET /x => generated 12 bytes\n",
      /uWSGI/,
    ],
    [
      "HAProxy",
      '192.0.2.1:33317 [06/Feb/2026:12:14:14.655] in st/srv1 10/0/30/69/109 200 "GET /a HTTP/1.1"\n',
      /HAProxy/,
    ],
    [
      "HAProxy, after a prefix of syslog",
      'Feb  6 12:14:14 localhost haproxy[14389]: 192.0.2.1:33317 [06/Feb/2026:12:14:14.655] in st/srv1 10/0/30 200 "GET /a HTTP/1.1"\n',
      /HAProxy/,
    ],
    [
      "nginx's error log",
      '2026/01/02 12:00:00 [error] 12#12: *1 open() "/var/www/x" failed, request: "GET /x HTTP/1.1", host: "a.example"\n',
      /error log of nginx/,
    ],
    ["Apache's error log", "[Wed Oct 11 14:32:52.000001 2026] [core:error] [pid 35] AH00126: Invalid URI\n", /Apache/],
    [
      "Heroku's router",
      '2026-01-01T03:47:20.123456+00:00 heroku[router]: at=info method=GET path="/x" host=a.example status=200\n',
      /Heroku/,
    ],
    ["IIS, with site and server", "2026-11-01 00:00:01 W3SVC1 WEB 192.0.2.1 GET /a.htm - 80\n", /IIS/],
  ])("%s is refused, but read if inputFormat names a format", (_what, text, message) => {
    const bytes = Buffer.from(text, "latin1");
    for (const name of ["stdin", "a.txt", "a.csv", "sitemap.xml"]) {
      expect(() => detect(name, bytes)).toThrow(
        expect.objectContaining({
          code: "ERR_UNUSABLE_INPUT",
          message: expect.stringMatching(message) as string,
        }) as Error,
      );
    }
    const named = inputFormats.find(({ name }) => name === "lines")!;
    expect(detect("a.txt", bytes, { named }).format).toBe(named);
  });

  test("an image is refused", () => {
    for (const bytes of [
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      [0xff, 0xd8, 0xff, 0xe0],
    ]) {
      expect(() => detect("stdin", Uint8Array.from(bytes))).toThrow(/not text/);
    }
  });
});

describe("content that is not text", () => {
  test.each([
    ["gzip in gzip", [0x1f, 0x8b, 8, 0], "gzip -dc"],
    ["zstd in gzip", [0x28, 0xb5, 0x2f, 0xfd], "zstd -dc"],
    ["bzip2", [...Buffer.from("BZh91AY&SY")], "bzip2 -dc"],
    ["xz", [...Buffer.from("\xfd7zXZ\0", "latin1")], "xz -dc"],
    ["tar", [...Buffer.from(`a.log${"\0".repeat(252)}ustar`)], "tar -xOf"],
    ["UTF-16 without a BOM, low byte first", [...Buffer.from("url\n", "utf16le")], "iconv -f UTF-16LE"],
    ["UTF-16 without a BOM, high byte first", [...Buffer.from("url\n", "utf16le").swap16()], "iconv -f UTF-16BE"],
    ["a spreadsheet", [0x50, 0x4b, 3, 4], "save it as CSV"],
    ["a JSON array", [0x20, 0x5b, 0x7b], "jq -c"],
    ...[
      "#Software: Example 1.0\n#Version: 1.0\n#Date: 2026-11-01 00:00:00\n#Fields: date time cs-method cs-uri-stem cs-uri-query\n2026-11-01 00:00:00 GET /\n",
      "#Version: 1.0\n#Fields: date time c-ip x-url\n2026-11-01\t00:00:00\t192.0.2.1\thttps://a.example/\n",
      "#Fields: time x-uri\n00:00:00 https://a.example/\n00:00:01 https://a.example/\n",
      "#separator \\x09\n#fields\tts\turi\n1.5\t/\n",
    ].map((text): [string, number[], string] => [
      `a log of other fields: ${text.slice(0, 9)}`,
      [...Buffer.from(text)],
      text.includes("cs-uri-stem") ? "inputFormat: w3c" : "awk '!/^#/ { print $2 }' FILE",
    ]),
  ])("%s: wrong usage, with the remedy", (_what, bytes, hint) => {
    expect(() => detect("stdin", Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: "ERR_UNUSABLE_INPUT", hint: expect.stringContaining(hint) as string }),
    );
  });
});
