// The output and exit code of `detect` for files of every kind.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { root } from "../../../test/run.ts";
import { runHere } from "../../../test/here.ts";
import { makeTestFolder } from "../../../test/folder.ts";

type Given = Parameters<typeof runHere>;

const detect = (argv: readonly string[], stdin?: Given[1], unusual?: Given[3]): ReturnType<typeof runHere> =>
  runHere(["detect", ...argv], stdin, {}, unusual);

const json = async (argv: readonly string[], stdin: string | Uint8Array): Promise<unknown> => {
  const { code, stdout } = await detect([...argv, "--output", "ndjson"], stdin);
  return { code, ...(JSON.parse(stdout) as object) };
};

const line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET //a%7e HTTP/1.1" 200 1 "-" "x"';

describe("detected properties", () => {
  test.each<[what: string, argv: readonly string[], stdin: string | Uint8Array, expected: object]>([
    [
      "NDJSON",
      [],
      '{"n":1,"url":"https://a.example/b"}\r\n',
      {
        code: 0,
        format: "ndjson",
        compression: null,
        lineEnd: "CRLF",
        urlField: "url",
        fields: ["n", "url"],
        first: {
          record: { n: 1 },
          origin: "https://a.example",
          target: "/b",
          robotsUrl: "https://a.example/robots.txt",
        },
      },
    ],
    [
      "CSV with semicolons, in zstd",
      [],
      zstdCompressSync("Seite;Klicks\nhttps://a.example/;1\n"),
      { code: 0, format: "csv", compression: "zstd", delimiter: ";", hasHeader: true, urlField: "Seite" },
    ],
    [
      "UTF-16 with tabs",
      [],
      Buffer.from("\ufeffaddress\tn\rhttps://a.example/\t1\r", "utf16le"),
      { code: 0, format: "csv", encoding: "utf-16le", delimiter: "\t", lineEnd: "CR" },
    ],
    ["rows without a header", ["--input", "csv"], "1,https://a.example/\n", { hasHeader: false, urlField: "column_2" }],
    [
      "a log with --base",
      ["--base", "http://b.example"],
      gzipSync(`${line}\n`),
      { code: 0, format: "combined", first: { origin: "http://b.example", target: "//a%7E", normalized: "//a~" } },
    ],
    [
      "a log without --base: the format is still reported",
      [],
      `${line}\n`,
      { code: 2, format: "combined", first: null, problem: { code: "missing-base" } },
    ],
    [
      "two columns that may hold the URL",
      [],
      "url,URL\nhttps://a.example/,https://b.example/\n",
      { code: 2, format: "csv", delimiter: null, problem: { code: "several-url-fields" }, fields: ["url", "URL"] },
    ],
    [
      "nested fields with path and host",
      [],
      '{"time":"2026","req":{"vhost":"a.example","uri":"/x"}}\n',
      { code: 2, likelyUrlField: null, likelyPathField: "req.uri", likelyHostField: "req.vhost" },
    ],
    [
      "a nested field that holds a URL",
      [],
      '{"time":"2026","http":{"requestUrl":"https://a.example/"}}\n',
      { code: 2, problem: { code: "no-url-field" }, likelyUrlField: "http.requestUrl" },
    ],
    [
      "no column that usually holds a URL",
      [],
      "Seite,\u009b31m\n1,2\n",
      { code: 2, first: null, problem: { code: "no-url-field" }, fields: ["Seite", "\u009b31m"] },
    ],
    [
      "lines before the first record that are not records",
      [],
      'oops\n[1]\n{"url":"mailto:x"}\n',
      { code: 2, format: "lines", first: { url: "oops", problem: "invalid-url" }, problem: { code: "no-urls" } },
    ],
    [
      "the same lines as NDJSON",
      ["--input", "ndjson"],
      'oops\n[1]\n{"url":"mailto:x"}\n',
      {
        rejects: [
          { line: 1, code: "not-json" },
          { line: 2, code: "not-an-object" },
        ],
        first: { problem: "unsupported-scheme" },
      },
    ],
    [
      "the certainty, the parsed fields, and the command line",
      [],
      `a.example:443 ${line}\n`.repeat(3) + "oops\n",
      {
        code: 0,
        format: "vhost_combined",
        certainty: { evidence: "most-lines", lines: { certain: 3, of: 4 } },
        others: [],
        took: { host: "a.example", path: "//a%7e", agent: "x", time: "2015-05-17T10:05:03Z", address: "192.0.2.1" },
        command: "robots-stream --agent-field user_agent -",
      },
    ],
    [
      "two formats that fit, each with its first record",
      [],
      `203.0.113.9 ${line}\n`.repeat(3),
      {
        code: 2,
        format: "combined",
        others: [{ format: "vhost_combined" }],
        problem: { code: "missing-base" },
        command: "robots-stream --agent-field user_agent --input combined --base https://example.com -",
      },
    ],
    [
      "the first record of another format, with the origins that a run would use",
      ["--base", "https://b.example", "--base", "host:web1.example=http://a.example"],
      `${line.replace("//a%7e", "/web1.example/b")} "-"\n`.repeat(3),
      {
        code: 0,
        format: "combined",
        first: { url: "https://b.example/web1.example/b" },
        others: [{ format: "akamai", record: { url: "http://a.example/b" } }],
      },
    ],
    [
      "a user's own pattern",
      ["--log-format", '$remote_addr - - [$time_local] "$request" $host'],
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" a.example\n',
      {
        code: 0,
        took: { host: "a.example", path: "/a", agent: null },
        command: `robots-stream --agent bingbot --log-format '$remote_addr - - [$time_local] "$request" $host' -`,
      },
    ],
    ["an empty input", [], "", { code: 0, format: "ndjson", first: null, rejects: [] }],
    [
      "rejects alone",
      ["--input", "ndjson"],
      "x\n".repeat(5_000),
      { code: 2, first: null, problem: { code: "no-urls", message: expect.stringMatching(/first 100/) as string } },
    ],
  ])("%s", async (_what, argv, stdin, expected) => {
    expect(await json(argv, stdin)).toMatchObject(expected);
  });
});

test("the output as text", async () => {
  const { code, stdout, stderr } = await detect(
    [join(root, "examples/urls.csv"), "-"],
    String.raw`{"url":"\u001b[31m"}`,
  );
  expect([code, stderr]).toEqual([2, ""]);
  expect(stdout).toContain("  delimiter   comma\n");
  expect(stdout).toContain("    Address  https://shop.example/shoes\n");
  expect(stdout).toContain("  problem    stdin: its only record has no URL; it is read as ndjson");
  expect(stdout).not.toContain("\u001b");
});

test("names of fields are shown where a run would report only their number; control characters are escaped", async () => {
  const { code, stdout } = await detect([], "Seite,\u009b31m\u3164\n1,2\n");
  expect(code).toBe(2);
  expect(stdout).toContain("  fields     Seite, \\x9b31m\\u3164\n");
  expect((await detect(["--output", "ndjson"], "Seite,\u009b31m\u3164\n1,2\n")).stdout).not.toMatch(/[\u009b\u3164]/);
});

test("an unreadable file is reported, and the remaining files are examined", async () => {
  const folder = makeTestFolder();
  const packed = join(folder, "a.bz2");
  writeFileSync(packed, "BZh91AY&SY");
  const cut = join(folder, "cut.gz");
  writeFileSync(cut, gzipSync("https://a.example/\n").subarray(0, 12));
  const { code, stdout, stderr } = await detect([join(folder, "none"), folder, "-"], "https://a.example/\n");
  expect(code).toBe(3);
  expect(stdout).toContain("  target      /\n");
  for (const part of ["none: no such file", "bzip2 -dc", "cut.gz: the gzip data is cut short"])
    expect(stderr).toContain(part);
});

test("line ends are detected at the beginning, even when more bytes are read to find the first record", async () => {
  const folder = makeTestFolder();
  const path = join(folder, "long.csv");
  const rest = (end: string): string =>
    `http://a.example/,${"y".repeat(70_000)}${end}${`http://a.example/2,x${end}`.repeat(3_000)}`;
  writeFileSync(path, `url,a\r\n${rest("\n")}`);
  expect(await json([path], "")).toMatchObject({ code: 0, lineEnd: "CRLF" });
  writeFileSync(path, `url,a\n${rest("\r\n")}`);
  expect(await json([path], "")).toMatchObject({ code: 0, lineEnd: "LF" });
});

test("wrong usage, and help", async () => {
  expect(await detect(["--agent", "x"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("detect has no flag --agent") as string,
  });
  expect((await detect(["--help"])).stdout).toContain("robots-stream detect: how would this file be read?");
  const stdin = Object.assign(Readable.from([]), { isTTY: true });
  expect(await detect([], stdin)).toMatchObject({ code: 2, stderr: expect.stringContaining("name a file") as string });
});

test("an endless input is read only up to a limit", async () => {
  const zeros = Buffer.alloc(1_048_576);
  function* endless(): Generator<Buffer> {
    for (;;) yield zeros;
  }
  const { code, stdout } = await detect(["--output", "ndjson"], Readable.from(endless()));
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { first: null, rejects: [{ code: "too-long" }] }]);
});

test.runIf(process.platform !== "win32").each([
  ["/dev/full", "none found"],
  ["/dev/zero", "none found"],
  ["/dev/null", "none found"],
])("a device is read at most up to the maximum size of a record: %s", async (path, said) => {
  const { code, stdout, stderr } = await detect([path]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(said);
});

test.each([
  ["plain", (bytes: Buffer) => bytes],
  ["in gzip, where few bytes decompress to many", (bytes: Buffer) => gzipSync(bytes)],
])("lines that are not records, %s: only a limited number of bytes is read", async (_what, pack) => {
  const stdin = Object.assign(Readable.from(pieces()), { isTTY: false });
  let given = 0;
  function* pieces(): Generator<Buffer> {
    const piece = pack(Buffer.alloc(1_048_576, "no\n".repeat(1_000)));
    for (; given < 200; given++) yield piece;
  }
  const { code, stdout } = await detect(["--input", "ndjson", "--max-line-bytes", "10M"], stdin);
  expect([code, stdout]).toEqual([2, expect.stringContaining("none of its first 100 records has a URL") as string]);
  expect(given).toBeLessThan(60);
});

test.each([
  ["NUL bytes after the header", [Buffer.from("url\n")], Buffer.alloc(8_388_608), 0, "longer than 1048576 bytes"],
  [
    "gzip members without text",
    [],
    Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync(""))),
    2,
    "hold no text",
  ],
  ["padding after a gzip member", [gzipSync("url\n")], Buffer.concat([Buffer.alloc(65_536)]), 2, "hold no text"],
])("endless %s: only a limited number of bytes is read", async (_what, first, rest, code, said) => {
  let given = 0;
  function* endless(): Generator<Buffer> {
    yield* first;
    for (; given < 1_000; given++) yield rest;
  }
  const ended = await detect([], Readable.from(endless()));
  expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringContaining(said) as string]);
  expect(given).toBeLessThan(100);
});

test("a log after many megabytes of NUL bytes is found", async () => {
  const zeros = Buffer.alloc(8_388_608);
  const logLine = Buffer.from('192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /p HTTP/1.1" 200 1 "-" "bingbot/2.0"\n');
  const stdin = [...Array.from({ length: 8 }, () => zeros), logLine];
  const { stdout, stderr } = await detect(["--base", "https://shop.example"], stdin);
  expect(stdout).toContain("combined");
  expect(stderr).toContain("NUL bytes");
});

test("a signal stops the command while it waits", async () => {
  const stopping = new AbortController();
  const ended = detect([], new PassThrough(), { signal: stopping.signal });
  stopping.abort("SIGTERM");
  expect((await ended).code).toBe(143);
});

const caddyRecord = (path: string): string =>
  `{"ts":1700000000.5,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.1","host":"shop.example","uri":"${path}","headers":{"User-Agent":["bingbot/2.0"]},"tls":{}},"status":200}\n`;

test("the agent, the time and the address of a log whose rows are its records", async () => {
  expect(await json([], caddyRecord("/a") + caddyRecord("/b"))).toMatchObject({
    certainty: { evidence: "most-lines", lines: { certain: 2, of: 2 } },
    took: { host: "shop.example", agent: "bingbot/2.0", time: "2023-11-14T22:13:20.5Z", address: "192.0.2.1" },
    command: "robots-stream --agent-field user_agent -",
  });
});

test("a field with User-Agent headers is proposed for --agent-field", async () => {
  const command = async (text: string): Promise<unknown> =>
    ((await json([], text)) as { readonly command: unknown }).command;
  expect(await command('{"url":"https://shop.example/","ua":"bingbot/2.0"}\n')).toContain("--agent-field ua ");
  expect(await command("url,User-Agent\nhttps://shop.example/,bingbot/2.0\n")).toContain("--agent-field User-Agent ");
  expect(await command('{"url":"https://shop.example/"}\n')).toContain("--agent bingbot ");
});
