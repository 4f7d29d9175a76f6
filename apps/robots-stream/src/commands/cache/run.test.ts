// The actions of `cache` on a cache with known entries.
import { existsSync, rmSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import type { StoredRobots } from "@robots-stream/fetch";
import { lineOfEntry } from "@robots-stream/engine/archives";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { createSqliteStore } from "@robots-stream/fetch/sqlite";
import { cacheCommand } from "./run.ts";
import { makeFolder } from "../../../test/folder.ts";

const folder = makeFolder();
let count = 0;
let cache: string;

const at = Date.parse("2026-11-21T06:00:00Z");
const hour = 3_600_000;
const good: StoredRobots = {
  origin: "https://shop.example",
  fetchedAt: at,
  freshUntil: at + 24 * hour,
  access: "successful",
  code: "ok",
  status: 200,
  body: Buffer.from("User-agent: *\r\nDisallow: /cart\t\u001b[31m\r\n"),
  headers: { "content-type": "text/plain" },
  hops: [
    { url: "https://shop.example/robots.txt", status: 301 },
    { url: "https://www.shop.example/robots.txt", status: 200 },
  ],
};
const { body: _body, headers: _headers, ...bare } = good;
const entries: readonly StoredRobots[] = [
  good,
  { ...bare, origin: "https://news.example", access: "unavailable", code: "http-404", status: 404, hops: [] },
  { ...good, fetchedAt: at + hour, body: Buffer.from([0xff, 0x00, 0x0a]), truncated: true },
  {
    ...bare,
    fetchedAt: at + 2 * hour,
    access: "unreachable",
    code: "http-503",
    status: 503,
    unreachableSince: at + 2 * hour,
    lastCopy: { fetchedAt: at + hour, access: "successful", code: "ok", status: 200, body: Buffer.from("# old\n") },
    hops: [{ url: "https://shop.example/robots.txt", status: 503 }],
  },
];

beforeEach(async () => {
  cache = join(folder, String(count++));
  const store = createSqliteStore(join(cache, "robots.sqlite"));
  for (const entry of entries) await store.set(entry);
  await store.close();
});

interface Ran {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

async function run(
  argv: readonly string[],
  options: { place?: string; stdin?: Uint8Array; isTTY?: boolean } = {},
): Promise<Ran> {
  const outputs: [Buffer[], Buffer[]] = [[], []];
  const [stdout, stderr] = outputs.map(
    (chunks) =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      }),
  ) as [Writable, Writable];
  const code = await cacheCommand.run({
    argv,
    env: { ROBOTS_STREAM_CACHE: options.place ?? cache },
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    stdout: Object.assign(stdout, { isTTY: options.isTTY === true }),
    stderr,
  });
  return { code, stdout: Buffer.concat(outputs[0]), stderr: Buffer.concat(outputs[1]).toString() };
}

async function textOf(argv: readonly string[], options?: Parameters<typeof run>[1]): Promise<string> {
  const { code, stdout, stderr } = await run(argv, options);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.toString();
}

describe("path, ls, show", () => {
  test("path", async () => {
    expect(await textOf(["path"])).toBe(`${cache}/robots.sqlite\n`);
    expect(await textOf(["path", "--cache", "/x"])).toBe("/x/robots.sqlite\n");
    expect(await textOf(["path"], { place: "redis://user:secret@h:1/2" })).toBe("redis://h:1/2\n");
  });

  test("ls", async () => {
    expect(await textOf(["ls"])).toBe(
      "2026-11-21T08:00:00.000Z  unreachable  http-503                  https://shop.example\n" +
        "2026-11-21T06:00:00.000Z  unavailable  http-404                  https://news.example\n",
    );
    expect(await textOf(["ls", "SHOP", "nothing"])).toContain("https://shop.example");
    expect(await textOf(["ls", "nothing"])).toBe("");
    expect(JSON.parse(await textOf(["ls", "news", "--output", "ndjson"]))).toEqual({
      origin: "https://news.example",
      fetchedAt: at,
      freshUntil: at + 24 * hour,
      access: "unavailable",
      code: "http-404",
      status: 404,
    });
  });

  test("sitemaps", async () => {
    expect(await textOf(["sitemaps"])).toBe("");
    const store = createSqliteStore(join(cache, "robots.sqlite"));
    const long = `https://a.example/${"x".repeat(2_048)}`;
    const body = (text: string): Buffer => Buffer.from(text);
    await store.set({
      ...good,
      origin: "https://a.example",
      body: body(
        `Sitemap: https://a.example/1.xml\nUser-agent: *\nsitemap: /two\u001b[31m\nSitemap:\nSitemap: ${long}\n`,
      ),
    });
    const [outage] = entries.slice(3);
    const lastCopy = { ...outage!.lastCopy!, body: body("Sitemap: https://b.example/1.xml") };
    await store.set({ ...outage!, origin: "https://b.example", lastCopy });
    await store.close();
    const all = (await textOf(["sitemaps"])).trimEnd().split("\n");
    expect(all.toSorted()).toEqual(["/two\\x1b[31m", "https://a.example/1.xml", "https://b.example/1.xml"]);
    expect(await textOf(["sitemaps", "B.EXAMPLE"])).toBe("https://b.example/1.xml\n");
    const rows = (await textOf(["sitemaps", "a.example", "-o", "ndjson"])).trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row) as unknown)).toEqual([
      { origin: "https://a.example", sitemap: "https://a.example/1.xml", line: 1 },
      { origin: "https://a.example", sitemap: "/two\u001b[31m", line: 3 },
    ]);
    expect(await run(["sitemaps", "--body"])).toMatchObject({ code: 2 });
  });

  test("show", async () => {
    expect(await textOf(["show", "https://shop.example/any", "--at", "2026-11-21T06:59Z"])).toBe(
      `origin       https://shop.example
fetched      2026-11-21T06:00:00.000Z
fresh until  2026-11-22T06:00:00.000Z
result       successful, ok, status 200
asked        https://shop.example/robots.txt 301
then         https://www.shop.example/robots.txt 200
headers      content-type: text/plain
body         38 bytes, sha256 x

  1 | User-agent: *
  2 | Disallow: /cart \\x1b[31m
`.replace(/sha256 \w+/, `sha256 ${await hashOf(good.body!)}`),
    );
    const now = await textOf(["show", "https://shop.example"]);
    expect(now).toContain(
      "unreachable  since 2026-11-21T08:00:00.000Z\nbefore that  2026-11-21T07:00:00.000Z: successful, ok\n",
    );
    expect(now).toContain("  1 | # old\n");
    expect(await textOf(["show", "https://shop.example", "--at", "2026-11-21T09:30+02:00"])).toContain(
      "3 bytes, cut, sha256",
    );
  });

  test("show --history, --output ndjson, --body", async () => {
    const history = await textOf(["show", "https://shop.example", "--history"]);
    expect(history.split("\n").map((line) => line.slice(11, 13))).toEqual(["08", "07", "06", ""]);
    const json = JSON.parse(
      await textOf(["show", "https://shop.example", "--output", "ndjson", "--at", "2026-11-21T07:00Z"]),
    ) as object;
    expect(json).toMatchObject({ bodyBase64: "/wAK", truncated: true });
    const argv = ["show", "https://shop.example", "--body", "--at", "2026-11-21T06:00Z"];
    expect((await run(argv)).stdout).toEqual(good.body);
    // Output to a terminal has no control characters.
    expect((await run(argv, { isTTY: true })).stdout.toString()).toBe("User-agent: *\nDisallow: /cart \\x1b[31m\n");
  });

  test.each([
    [["show", "https://else.example"], "robots-stream: there is no entry for https://else.example\n"],
    [
      ["show", "https://shop.example", "--at", "2026-11-20"],
      "robots-stream: there is no entry for https://shop.example at 2026-11-20T00:00:00.000Z\n",
    ],
    [["show", "https://news.example", "--body"], "robots-stream: no robots.txt: unavailable, http-404\n"],
  ])("%j: without an entry or a robots.txt, the exit code is 1", async (argv, stderr) => {
    expect(await run(argv)).toEqual({ code: 1, stdout: Buffer.alloc(0), stderr });
  });
});

async function hashOf(body: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(body))).toString("hex");
}

describe("export and import", () => {
  test.each([["ndjson"], ["warc"]])("%s: every exported entry is imported", async (format) => {
    const { stdout: exported } = await run(["export", "--output", format]);
    const place = join(folder, `copy-${count++}`);
    const file = `${place}.data`;
    writeFileSync(file, exported);
    const { code, stderr } = await run(["import", file], { place });
    expect([code, stderr]).toEqual([0, `robots-stream: ${file}: 4 fetches added, 0 known before\n`]);
    const copy = createSqliteStore(join(place, "robots.sqlite"));
    expect([...copy.entries()].flat().map(jsonOfStored)).toEqual(entries.map(jsonOfStored));
    await copy.close();
    // The second import adds no entry.
    expect((await run(["import"], { place, stdin: exported })).stderr).toBe(
      "robots-stream: stdin: 0 fetches added, 4 known before\n",
    );
    expect((await run(["export", "--output", "ndjson"], { place })).stdout).toEqual((await run(["export"])).stdout);
  });

  test.each([["data.ndjson"], ["data.warc.gz"]])("--output-file %s: the ending determines the format", async (name) => {
    const path = join(folder, name);
    expect(await run(["export", "--output-file", path])).toEqual({ code: 0, stdout: Buffer.alloc(0), stderr: "" });
    const place = join(folder, `copy-${count++}`);
    expect((await run(["import", path], { place })).stderr).toBe(
      `robots-stream: ${path}: 4 fetches added, 0 known before\n`,
    );
  });

  test("show --body --output-file: the robots.txt, byte for byte", async () => {
    const path = join(folder, "saved.txt");
    await run(["show", "https://shop.example", "--body", "--at", "2026-11-21T06:00Z", "--output-file", path]);
    expect(readFileSync(path)).toEqual(good.body);
  });

  test.each([
    ["the cache has no entry for the origin", ["show", "https://other.example"], "https://other.example"],
    [
      "the cache has no entry for the origin, with --body",
      ["show", "https://other.example", "--body"],
      "there is no entry for",
    ],
    ["the origin has no robots.txt", ["show", "https://news.example", "--body"], "no robots.txt: unavailable"],
  ])("%s: the file of --output-file is unchanged", async (_what, argv, message) => {
    const path = join(folder, `kept-${count++}.txt`);
    const { code, stderr } = await run([...argv, "--output-file", path]);
    expect([code, stderr, existsSync(path)]).toEqual([1, expect.stringContaining(message) as string, false]);
    writeFileSync(path, "User-agent: *\nDisallow: /\n");
    expect((await run([...argv, "--output-file", path])).code).toBe(1);
    expect(readFileSync(path, "utf8")).toBe("User-agent: *\nDisallow: /\n");
  });

  test.each([
    ["ls", "list.txt"],
    ["export", "all.ndjson"],
    ["export", "all.warc.gz"],
  ])("%s of a cache that does not exist yet empties %s", async (action, name) => {
    const path = join(folder, name);
    writeFileSync(path, "of yesterday\n");
    const { code } = await run([action, "--output-file", path], { place: join(folder, "none-yet") });
    expect([code, readFileSync(path, "utf8")]).toEqual([0, ""]);
  });

  test("on a terminal: no control or invisible character of a server, and no compressed bytes", async () => {
    const store = createSqliteStore(join(cache, "robots.sqlite"));
    const hostile = {
      ...good,
      fetchedAt: at + 9 * hour,
      body: Buffer.from("#\u001b[31m\u009b31m\u202e\u{e0041}\u007f\n"),
    };
    await store.set(hostile);
    await store.close();
    const { stdout } = await run(["export"], { isTTY: true });
    expect(stdout.toString()).not.toMatch(/[^\n\P{C}]/u);
    const place = join(folder, `copy-${count++}`);
    await run(["import"], { place, stdin: stdout });
    expect((await run(["show", "https://shop.example", "--body"], { place })).stdout).toEqual(hostile.body);
    expect(await run(["export", "--output", "warc"], { isTTY: true })).toMatchObject({
      code: 2,
      stdout: Buffer.alloc(0),
      stderr: expect.stringContaining("stdout is a terminal") as string,
    });
  });

  test("an export of some origins, or of their last fetches", async () => {
    const timesOf = async (...argv: string[]): Promise<string[]> =>
      (await textOf(["export", ...argv]))
        .trim()
        .split("\n")
        .map((line) => {
          const { origin, fetchedAt } = JSON.parse(line) as StoredRobots;
          return `${origin.slice(8, 12)} ${(fetchedAt - at) / hour}`;
        });
    expect(await timesOf()).toEqual(["shop 0", "news 0", "shop 1", "shop 2"]);
    expect(await timesOf("--newest")).toEqual(["shop 2", "news 0"]);
    expect(await timesOf("https://shop.example/x")).toEqual(["shop 0", "shop 1", "shop 2"]);
    expect(await timesOf("https://shop.example", "--newest")).toEqual(["shop 2"]);
  });

  test("WARC records are compressed one by one, and each has its length and digest", async () => {
    const { stdout } = await run(["export", "--output", "warc"]);
    const members = stdout.toString("latin1").split("\u001f\u008b\u0008").length - 1;
    const records = gunzipSync(stdout).toString("latin1").split("WARC/1.1\r\n").slice(1);
    // The warcinfo record, four metadata records and two files.
    expect([members, records.length]).toEqual([7, 7]);
    for (const record of records) {
      const [head = "", ...rest] = record.split("\r\n\r\n");
      const block = rest.join("\r\n\r\n").slice(0, -4);
      expect(Number(/Content-Length: (\d+)/.exec(head)?.[1])).toBe(block.length);
      expect(head).toMatch(
        /^WARC-Type: (warcinfo|metadata|resource)\r\nWARC-Record-ID: <urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>\r\nWARC-Date: 2/,
      );
      expect(head).toMatch(/WARC-Block-Digest: sha1:[A-Z2-7]{32}\r\n/);
    }
    // The digest of the file of three bytes (RFC 4648), computed by another program.
    expect(gunzipSync(stdout).toString("latin1")).toContain(
      "WARC-Payload-Digest: sha1:JZULUGEJIYD4Z6IFFN7TE5NXQ3K6O33A\r\n",
    );
  });

  test("a line that is not an entry is reported, and has no other effect", async () => {
    const [first = "", ...rest] = (await textOf(["export"])).trim().split("\n");
    const junk = [
      "{}",
      "junk \u001b[31m",
      '{"origin":"https://x.example"}',
      first.replace("https://shop.example", "HTTPS://Shop.Example"),
    ];
    const place = join(folder, `junk-${count++}`);
    const { code, stderr } = await run(["import", "-"], {
      place,
      stdin: Buffer.from([first, ...junk, "", ...rest].join("\r\n")),
    });
    expect(code).toBe(0);
    expect(stderr.replaceAll(/\(\d+ bytes\)/g, "(… bytes)").split("\n")).toEqual([
      ...[2, 3, 4, 5].map((line) => `robots-stream: stdin: line ${line}: is not an entry of a cache (… bytes)`),
      "robots-stream: stdin: 4 fetches added, 0 known before, 4 left out",
      "",
    ]);
    expect(stderr).not.toContain("\u001b");
  });

  test("an import of older entries does not replace a newer entry", async () => {
    const { stdout: exported } = await run(["export"]);
    const place = join(folder, `newer-${count++}`);
    const store = createSqliteStore(join(place, "robots.sqlite"));
    await store.set({ ...good, fetchedAt: at + 9 * hour });
    await store.close();
    await run(["import"], { place, stdin: exported });
    expect(await textOf(["ls", "shop"], { place })).toContain("2026-11-21T15:00:00.000Z");
  });

  test("a truncated file: the entries before the cut are imported, and the exit code reports the fault", async () => {
    // The checksum is removed, because the entries are changed on purpose.
    const exported = (await textOf(["export"])).replaceAll(/,"checksum":"\w+"/g, "");
    const packed = gzipSync(
      Buffer.concat(Array.from({ length: 200 }, (_, i) => Buffer.from(exported.replaceAll("shop.", `shop${i}.`)))),
    );
    const place = join(folder, `cut-${count++}`);
    const { code, stderr } = await run(["import"], { place, stdin: packed.subarray(0, packed.length - 20) });
    expect(code).toBe(3);
    expect(stderr).toContain("the gzip data is");
    expect((await textOf(["ls"], { place })).split("\n").length).toBeGreaterThan(50);
  });
});

test("an exported file with long lines is imported completely", async () => {
  const entry = (i: number, body: string): StoredRobots => ({
    origin: `https://h${i}.example`,
    fetchedAt: at,
    freshUntil: at + hour,
    access: "successful",
    code: "ok",
    status: 200,
    hops: [],
    body: Buffer.from(body),
  });
  const kept = [
    ...Array.from({ length: 300 }, (_, i) => entry(i, `# ${i} ${"x".repeat(1_000)}\n`)),
    entry(300, "Disallow: /a\n".repeat(30_000)),
  ];
  const lines = kept.map(lineOfEntry);
  // Without a checksum, as in exports of other programs, a change would not be detected.
  const unchecked = lines.map((line) => line.replace(/,"checksum":"[0-9a-f]{8}"\}/, "}"));
  for (const text of [lines.join(""), unchecked.join("")]) {
    const place = join(folder, `file-${count++}`);
    const path = join(folder, `export-${count++}.ndjson`);
    writeFileSync(path, text);
    const { stderr } = await run(["import", path], { place });
    expect(stderr).toContain("301 fetches added, 0 known before\n");
    const store = createSqliteStore(join(place, "robots.sqlite"));
    const read = kept.map(({ origin }) => Buffer.from(store.get(origin)?.body ?? []).toString());
    await store.close();
    expect(read).toEqual(kept.map(({ body }) => Buffer.from(body!).toString()));
  }
});

/** A response record in the form that crawlers write. */
function responseRecord(uri: string, http: Uint8Array | string, fields = "", type = "response"): Buffer {
  const block = Buffer.from(http);
  const head =
    `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${uri}\r\nWARC-Date: 2026-11-21T06:00:00Z\r\n${fields}` +
    `Content-Type: application/http; msgtype=${type}\r\nContent-Length: ${block.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), block, Buffer.from("\r\n\r\n")]);
}

const file = "User-agent: *\nDisallow: /x\n";
const packedMessage = (coding: string, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nETag: "e"\r\n\r\n`), body]);

describe("WARC files of other programs", () => {
  test.each<[what: string, http: Uint8Array | string, expected: Partial<StoredRobots>]>([
    [
      "plain",
      `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n${file}`,
      { access: "successful", code: "ok", status: 200, headers: { "content-type": "text/plain" } },
    ],
    ["bare line feeds", `HTTP/1.0 200 OK\nX: y\n\n${file}`, { access: "successful" }],
    [
      "chunks",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\n${file.slice(0, 5)}\r\n${(file.length - 5).toString(16)}\r\n${file.slice(5)}\r\n0\r\n\r\n`,
      { access: "successful" },
    ],
    [
      "chunked coding removed, header field kept",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${file}`,
      { access: "successful" },
    ],
    ["gzip", packedMessage("gzip", gzipSync(file)), { access: "successful", headers: { etag: '"e"' } }],
    ["gzip coding removed, header field kept", packedMessage("gzip", Buffer.from(file)), { access: "successful" }],
    ["deflate", packedMessage("deflate", deflateSync(file)), { access: "successful" }],
    ["brotli", packedMessage("br", brotliCompressSync(file)), { access: "successful" }],
    ["brotli in gzip", packedMessage("br, gzip", gzipSync(brotliCompressSync(file))), { access: "successful" }],
    ["404", "HTTP/1.1 404 Not Found\r\n\r\nno", { access: "unavailable", code: "http-404", status: 404 }],
    ["503", "HTTP/1.1 503 x\r\n\r\n", { access: "unreachable", code: "http-503", unreachableSince: at }],
    ["max-age", `HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\n\r\n${file}`, { freshUntil: at + hour }],
    ["too long", `HTTP/1.1 200 OK\r\n\r\n${file}${"#".repeat(600_000)}`, { access: "successful", truncated: true }],
  ])("%s", async (_what, http, expected) => {
    const place = join(folder, `warc-${count++}`);
    const { stderr } = await run(["import"], {
      place,
      stdin: gzipSync(responseRecord("https://a.example/robots.txt", http)),
    });
    expect(stderr).toBe("robots-stream: stdin: 1 fetch added, 0 known before\n");
    const store = createSqliteStore(join(place, "robots.sqlite"));
    const entry = store.get("https://a.example");
    await store.close();
    expect(entry).toMatchObject({ origin: "https://a.example", fetchedAt: at, ...expected });
    if (expected.access === "successful") expect(Buffer.from(entry!.body!).toString().slice(0, file.length)).toBe(file);
    else if (expected.access !== undefined) expect(entry?.body).toBeUndefined();
    expect(entry?.body?.byteLength ?? 0).toBeLessThanOrEqual(512_000);
  });

  const large = `${file}${Array.from({ length: 2_000 }, (_, i) => `Disallow: /${i * 7_919}\n`).join("")}`;
  const gzip = gzipSync(large);
  const brotli = brotliCompressSync(large);
  const cutMessages: readonly (readonly [what: string, http: Uint8Array | string])[] = [
    ["shorter than its Content-Length", `HTTP/1.1 200 OK\r\nContent-Length: ${large.length}\r\n\r\n${file}`],
    ["gzip", packedMessage("gzip", gzip.subarray(0, gzip.length >> 1))],
    ["brotli", packedMessage("br", brotli.subarray(0, brotli.length - 3))],
    ["chunks", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1b\r\n${file}\r\n`],
    ["within a chunk", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n${file}`],
  ];

  test.each([...cutMessages, ["within the header", "HTTP/1.1 200 OK\r\nContent-Type: text/pl"] as const])(
    "a part is never read as a complete file: %s",
    async (_what, http) => {
      const place = join(folder, `warc-${count++}`);
      const { stderr } = await run(["import"], { place, stdin: responseRecord("https://a.example/robots.txt", http) });
      expect(stderr).toContain("record 1: https://a.example/robots.txt: the body is incomplete\n");
      expect(stderr).toContain("0 fetches added, 0 known before, 1 left out");
    },
  );

  test.each(cutMessages)("a record marked as truncated is read as truncated: %s", async (_what, http) => {
    const place = join(folder, `warc-${count++}`);
    const stdin = responseRecord("https://a.example/robots.txt", http, "WARC-Truncated: time\r\n");
    await run(["import"], { place, stdin });
    const { truncated, body } = JSON.parse(
      await textOf(["show", "https://a.example", "--output", "ndjson"], { place }),
    ) as {
      truncated: boolean;
      body: string;
    };
    expect([truncated, body.slice(0, file.length)]).toEqual([true, file]);
  });

  test("Transfer-Encoding: gzip is refused, as over the network", async () => {
    const place = join(folder, `warc-${count++}`);
    const http = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"), gzipSync(file)]);
    const { stderr } = await run(["import"], { place, stdin: responseRecord("https://a.example/robots.txt", http) });
    expect(stderr).toContain("its transfer or content coding is unknown or broken");
  });

  /** The file, compressed `times` times with gzip, with the same number of content codings in the header. */
  const codedTimes = (times: number): Uint8Array => {
    let bytes: Uint8Array = Buffer.from(file);
    for (let i = 0; i < times; i++) bytes = gzipSync(bytes);
    return packedMessage(Array.from({ length: times }, () => "gzip").join(", "), bytes);
  };
  test.each<[what: string, http: Uint8Array | string, why: string | undefined]>([
    ["five content codings", codedTimes(5), undefined],
    ["six content codings", codedTimes(6), "its transfer or content coding is unknown or broken"],
    ["a folded field", packedMessage("\r\n gzip", gzipSync(file)), undefined],
    ["a blank before a colon", `HTTP/1.1 200 OK\r\nTransfer-Encoding : gzip\r\n\r\n${file}`, "its transfer or content"],
    ["a NUL in a field", `HTTP/1.1 200 OK\r\nEtag: "a\0b"\r\n\r\n${file}`, "no HTTP response, or too large"],
    ["a CR in a field", `HTTP/1.1 200 OK\r\nEtag: "a\rb"\r\n\r\n${file}`, "no HTTP response, or too large"],
    [
      "a large head",
      `HTTP/1.1 200 OK\r\nEtag: "${"a".repeat(70_000)}"\r\n\r\n${file}`,
      "no HTTP response, or too large",
    ],
    ["many fields", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(12_000)}\r\n${file}`, "no HTTP response, or too large"],
  ])("response heads are read as from the network: %s", async (_what, http, why) => {
    const place = join(folder, `warc-${count++}`);
    const { stderr } = await run(["import"], { place, stdin: responseRecord("https://a.example/robots.txt", http) });
    if (why === undefined) {
      const shown = await textOf(["show", "https://a.example", "--output", "ndjson"], { place });
      expect((JSON.parse(shown) as { body: string }).body).toBe(file);
    } else expect(stderr).toContain(why);
  });

  test("records that are no response for a robots.txt are skipped, and invalid responses are reported", async () => {
    const place = join(folder, `warc-${count++}`);
    const ok = `HTTP/1.1 200 OK\r\n\r\n${file}`;
    const stdin = Buffer.concat([
      responseRecord("https://a.example/page", ok),
      responseRecord("https://a.example/robots.txt", "GET /robots.txt HTTP/1.1\r\n\r\n", "", "request"),
      responseRecord("https://moved.example/robots.txt", "HTTP/1.1 301 x\r\nLocation: /y\r\n\r\n"),
      responseRecord("https://coded.example/robots.txt", packedMessage("rot13", Buffer.from(file))),
      responseRecord("https://broken.example/robots.txt", packedMessage("br", Buffer.from(file))),
      responseRecord("https://none.example/robots.txt", "no HTTP at all"),
      responseRecord("<https://old.example/robots.txt>", ok),
      responseRecord("https://b.example:8443/robots.txt", ok, "WARC-Truncated: length\r\n"),
      Buffer.from(
        "WARC/1.1\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\njunk\r\n\r\n",
      ),
      Buffer.from("something else"),
    ]);
    const { code, stderr } = await run(["import"], { place, stdin });
    expect(code).toBe(0);
    expect(
      stderr
        .trim()
        .split("\n")
        .map((line) => line.replace("robots-stream: stdin: ", "")),
    ).toEqual([
      "record 3: https://moved.example/robots.txt: a redirect",
      "record 4: https://coded.example/robots.txt: its transfer or content coding is unknown or broken",
      "record 5: https://broken.example/robots.txt: its transfer or content coding is unknown or broken",
      "record 6: https://none.example/robots.txt: no HTTP response, or too large",
      "record 10: is cut short",
      "2 fetches added, 0 known before, 5 left out",
    ]);
    expect(await textOf(["ls"], { place })).toMatch(/https:\/\/old\.example\n.*https:\/\/b\.example:8443\n$/);
  });
});

describe("prune", () => {
  test.each([
    [["--all"], "4 of 4 fetches removed; 0 of 0 origins"],
    [["--superseded"], "2 of 4 fetches removed; 2 of 2 origins"],
    [["https://shop.example/x"], "3 of 4 fetches removed; 1 of 1 origin"],
    [["--older-than", "0"], "4 of 4 fetches removed; 0 of 0 origins"],
    [["--older-than", "3650d"], "0 of 4 fetches removed; 4 of 2 origins"],
    [["--cache-max-bytes", "1M"], "0 of 4 fetches removed; 4 of 2 origins"],
  ])("%j", async (argv, expected) => {
    const { code, stderr } = await run(["prune", ...argv]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(expected)]);
  });
});

describe("mistakes and failures", () => {
  test.each<[argv: string[], code: number, stderr: string]>([
    [[], 2, "name an action"],
    [["lst"], 2, "did you mean cache ls?"],
    [["ls", "--body"], 2, "cache ls has no flag --body"],
    [["path", "x"], 2, "takes no names"],
    [["show"], 2, "name an origin"],
    [["show", "shop.example"], 2, "did you mean https://shop.example?"],
    [["show", "https://a.example", "--at", "yesterday"], 2, "must be a date or a time"],
    [["show", "https://a.example", "--at", "2026-13-45"], 2, "must be a date or a time"],
    [["show", "https://a.example", "--body", "--output", "ndjson"], 2, "--body cannot be combined"],
    [["show", "https://a.example", "--history", "--at", "2026-11-21"], 2, "cannot be combined"],
    [["show", "https://a.example", "https://b.example", "--body"], 2, "takes one origin"],
    [["prune"], 2, "say what to remove"],
    [["prune", "--all", "https://a.example"], 2, "cannot be combined"],
    [["export", "--output", "xml"], 2, "must be one of ndjson, warc"],
    [["import", join(folder, "none")], 3, `${join(folder, "none")}: no such file or directory (ENOENT)`],
    [["ls", "--cache", "none"], 2, "there is no cache"],
    [["ls", "--cache", "redis://user:secret@h"], 2, "works on a folder"],
  ])("%j", async (argv, code, stderr) => {
    const ran = await run(argv);
    expect([ran.code, ran.stdout.length]).toEqual([code, 0]);
    expect(ran.stderr).toContain(stderr);
    expect(ran.stderr).not.toContain("secret");
  });

  test("a cache that does not exist: ls reports this, and the exit code of show is 1", async () => {
    const place = join(folder, "not-there");
    expect(await run(["ls"], { place })).toEqual({
      code: 0,
      stdout: Buffer.alloc(0),
      stderr: `robots-stream: there is no cache at ${place}/robots.sqlite yet\n`,
    });
    expect((await run(["show", "https://a.example"], { place })).code).toBe(1);
  });

  test("a file in the place of the cache folder: ls finds no cache, and import fails", async () => {
    rmSync(cache, { recursive: true });
    writeFileSync(cache, "");
    expect((await run(["ls"], { place: cache })).stderr).toContain("there is no cache at");
    expect((await run(["import"], { place: cache, stdin: Buffer.alloc(0) })).code).toBe(3);
  });

  test("help names the flags", async () => {
    const help = await textOf(["--help"]);
    for (const flag of [
      "cache",
      "output",
      "output-file",
      "history",
      "at",
      "body",
      "newest",
      "older-than",
      "superseded",
      "all",
    ]) {
      expect(help).toContain(`--${flag}`);
    }
  });
});
