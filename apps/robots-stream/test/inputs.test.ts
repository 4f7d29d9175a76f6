// Tests messages and exit codes for sources from a shell: pipes without a writer, folders, compressed files, several sources at once.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { type Socket, connect, createServer } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { runHere } from "./here.ts";
import { appArguments, recordsOf, root, startApp } from "./run.ts";
import { portOf } from "./servers.ts";
import { makeTestFolder } from "./folder.ts";

const asked = ["--agent", "bingbot", "--robots", "examples/robots"];

const recordsFrom = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `{"url":"https://shop.example/cart/${first + index}"}\n`).join("");

const urlsOf = (stdout: string): unknown[] => recordsOf(stdout).map(({ url }) => url);

const numbersOf = (stdout: string): number[] => urlsOf(stdout).map((url) => Number(/\d+$/.exec(String(url))?.[0]));

describe.skipIf(process.platform === "win32")("a named pipe", () => {
  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("without a writer: %s ends the run with %i", async (signal, code) => {
    const folder = makeTestFolder();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Rows of the source before the pipe show that the app is now waiting for the pipe.
    const before = join(folder, "before.ndjson");
    writeFileSync(before, recordsFrom(1, 1));
    const app = startApp([...asked, before, pipe]);
    await once(app.stdout!, "data");
    app.kill(signal);
    const ended = await app.ended;
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(`stopped by ${signal}`);
    expect(numbersOf(ended.stdout)).toEqual([1]);
  });

  test("is read to its end, although its writer opens it late and pauses", async () => {
    const pipe = join(makeTestFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const app = startApp([...asked, pipe]);
    const writer = spawn("sh", ["-c", `(echo '{"url":"x:1"}'; sleep 0.2; echo '{"url":"x:2"}') >"$0"`, pipe]);
    onTestFinished(() => void writer.kill());
    expect(urlsOf((await app.ended).stdout)).toEqual(["x:1", "x:2"]);
  });
});

test.skipIf(process.platform === "win32").each([
  ["ends", "end", 0, ""],
  ["is reset", "resetAndDestroy", 3, "robots-stream: stdin: read ECONNRESET after 1 record was decided\n"],
] as const)("a connection as stdin that %s", async (_how, act, code, said) => {
  const server = createServer({ pauseOnConnect: true });
  onTestFinished(() => void server.close());
  const connected = once(server, "connection");
  const writer = connect(await portOf(server), "127.0.0.1");
  const [accepted] = (await connected) as [Socket];
  onTestFinished(() => void writer.destroy());
  onTestFinished(() => void accepted.destroy());
  const args = [...appArguments, ...asked, "--input", "ndjson"];
  const app = spawn(process.execPath, args, { cwd: root, stdio: [accepted, "pipe", "pipe"] });
  onTestFinished(() => void app.kill("SIGKILL"));
  let stderr = "";
  app.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(app, "close");
  writer.write(recordsFrom(1, 1));
  expect(numbersOf(String((await once(app.stdout, "data"))[0]))).toEqual([1]);
  app.stdout.resume();
  writer[act]();
  expect(await ended).toEqual([code, null]);
  expect(stderr).toContain(said);
});

test.skipIf(process.platform === "win32")("a folder as stdin is reported and is not an input", () => {
  const run = `exec "$0" "$@" < .`;
  const shell = ["-c", run, process.execPath, ...appArguments, ...asked];
  const { status, stdout, stderr } = spawnSync("sh", shell, { cwd: root, encoding: "utf8" });
  expect([status, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("stdin: illegal operation on a directory (EISDIR)");
});

describe("compressed sources", () => {
  test("gzip, zstd, plain text and stdin, one after another, each detected by its content", async () => {
    const folder = makeTestFolder();
    const paths = [
      ["a.ndjson.gz", gzipSync(recordsFrom(1, 2))],
      ["b", zstdCompressSync("url\nhttps://shop.example/cart/3\n")],
      ["c.csv.zst", zstdCompressSync("Where,url\n1,https://shop.example/cart/4\n")],
      // This file is not compressed, despite its name.
      ["d.gz", Buffer.from(recordsFrom(5, 1))],
    ] as const;
    for (const [name, bytes] of paths) writeFileSync(join(folder, name), bytes);
    const [first, ...others] = paths.map(([name]) => join(folder, name));
    const stdin = Buffer.concat([gzipSync(recordsFrom(6, 1)), gzipSync(recordsFrom(7, 1))]);
    const { code, stdout, stderr } = await runHere([...asked, first!, "-", ...others], stdin);
    expect([code, stderr]).toEqual([0, ""]);
    expect(numbersOf(stdout)).toEqual([1, 2, 6, 7, 3, 4, 5]);
  });

  test("a truncated source: its records and the following sources are decided, and the fault is reported", async () => {
    const folder = makeTestFolder();
    const packed = gzipSync(recordsFrom(1, 20_000));
    const cut = join(folder, "cut.gz");
    const after = join(folder, "after.ndjson");
    writeFileSync(cut, packed.subarray(0, packed.length >> 1));
    writeFileSync(after, recordsFrom(1, 1));
    const { code, stdout, stderr } = await runHere([...asked, cut, after]);
    const numbers = numbersOf(stdout);
    expect(code).toBe(3);
    expect(stderr).toContain(`cut.gz: the gzip data is cut short after ${numbers.length} records were decided`);
    expect(numbers.length).toBeGreaterThan(5_000);
    expect(numbers).toEqual([...Array.from({ length: numbers.length - 1 }, (_, index) => index + 1), 1]);
  });

  test("a source that is not text is reported before any record is read", async () => {
    const path = join(makeTestFolder(), "a.bz2");
    writeFileSync(path, "BZh91AY&SY\0\0");
    const { code, stdout, stderr } = await runHere([...asked, path]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("is bzip2-compressed");
    expect(stderr).toContain("bzip2 -dc FILE");
  });

  test("UTF-16 is read, as spreadsheets write it", async () => {
    const path = join(makeTestFolder(), "export.csv");
    writeFileSync(path, Buffer.from("\ufeffTitle\tAddress\r\nGrö\u00dfe\thttps://shop.example/cart/1\r\n", "utf16le"));
    const { code, stdout } = await runHere([...asked, path]);
    expect(code).toBe(0);
    expect(recordsOf(stdout)).toMatchObject([{ Title: "Größe", Address: "https://shop.example/cart/1" }]);
  });
});

/** Length of the long line in MiB; 1 GiB in thorough runs. */
const lineMebibytes = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 256 : 1_024;

test.skipIf(process.platform !== "linux")(
  `one line of ${lineMebibytes} MiB is one reject, and the process needs less than 300 MiB of memory`,
  async () => {
    const folder = makeTestFolder();
    const path = join(folder, "long.gz");
    const megabyte = Buffer.alloc(1_048_576, "x");
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(recordsFrom(1, 1));
      yield Buffer.from('{"url":"https://shop.example/');
      for (let count = 0; count < lineMebibytes; count++) yield megabyte;
      yield Buffer.from(`"}\n${recordsFrom(2, 1)}`);
    }
    await pipeline(pieces(), createGzip({ level: 1 }), createWriteStream(path));
    const app = startApp([...asked, path]);
    let mostKiB = 0;
    const watch = setInterval(() => {
      try {
        const [, kiB] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${app.pid}/status`, "utf8")) ?? [];
        mostKiB = Math.max(mostKiB, Number(kiB ?? 0));
      } catch {
        // The process has ended.
      }
    }, 20);
    const { code, stdout, stderr } = await app.ended.finally(() => clearInterval(watch));
    expect(code).toBe(0);
    expect(numbersOf(stdout)).toEqual([1, 2]);
    expect(stderr).toContain("long.gz:2: is longer than 1048576 bytes");
    expect(mostKiB).toBeGreaterThan(0);
    expect(mostKiB).toBeLessThan(300 * 1_024);
  },
);

test("an archive with a gzip member for each record", async () => {
  const folder = makeTestFolder();
  const recordOf = (type: string, path: string, block: string): Buffer => {
    const fields = `WARC-Type: ${type}\r\nWARC-Target-URI: https://shop.example${path}\r\nWARC-Date: 2025-01-02T03:04:05Z`;
    return gzipSync(`WARC/1.1\r\n${fields}\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`);
  };
  const members = ["/cart/1", "/2", "/cart/3"].flatMap((path) => [
    recordOf("request", path, `GET ${path} HTTP/1.1\r\nUser-Agent: bingbot/2.0\r\n\r\n`),
    recordOf("response", path, `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(100_000)}`),
  ]);
  const path = join(folder, "crawl.warc.gz");
  writeFileSync(path, Buffer.concat(members));
  const args = [
    ["--agent-field", "user_agent", "--robots", "examples/robots", "--ordered"],
    ["--since", "2025-01-02", "--until", "2025-01-03"],
  ].flat();
  const { code, stdout } = await runHere([...args, path]);
  expect([code, recordsOf(stdout).map(({ url, status, robots }) => [url, status, robots])]).toMatchObject([
    0,
    [
      ["https://shop.example/cart/1", 200, { agent: "bingbot", allowed: false }],
      ["https://shop.example/2", 200, { agent: "bingbot", allowed: true }],
      ["https://shop.example/cart/3", 200, { agent: "bingbot", allowed: false }],
    ],
  ]);
  writeFileSync(path, Buffer.concat(members).subarray(0, -30));
  const cut = await runHere([...asked, path]);
  expect([cut.code, urlsOf(cut.stdout)]).toEqual([3, ["https://shop.example/cart/1", "https://shop.example/2"]]);
  expect(cut.stderr).toMatch(/crawl\.warc\.gz: the gzip data is cut short/);
});
