// Tests the records from chunks as pipes split them, from named pipes, from a long path and from compressed files.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Base } from "@robots-stream/logs";
import { type Batch, fingerprintBefore, fingerprintOf } from "../records/batch.ts";
import { outputFormats } from "../formats/registry/registry.ts";
import type { RecordWriter } from "../formats/types.ts";
import { Input } from "./input.ts";
import { type InputPlace, textBehind } from "./behind.ts";

const createWriter = (): RecordWriter =>
  outputFormats[0]!.createWriter({ resultKey: "robots", hasDialect: false, hasKind: false, csvSafe: false });

async function urlsOf(
  paths: readonly string[],
  chunks: readonly string[],
  urlField?: string,
  base?: Base,
): Promise<string[]> {
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const input = new Input(paths, stdin, { format: undefined, maxLineBytes: 1_000, urlField, base });
  await input.check(createWriter);
  const urls: string[] = [];
  for await (const batch of input.batches(createWriter())) {
    expect(batch.rejects).toEqual([]);
    urls.push(...urlsIn(batch));
  }
  return urls;
}

function urlsIn({ records }: Batch): string[] {
  return Array.from({ length: records.count }, (_, record) => records.urlOf(record));
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-open-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a beginning that comes in pieces", () => {
  test.each([
    ["CSV, cut within its first CRLF", ["url,n\r", '\n"http://a.example/1",1\r\n"http://a.example/2",2\r\n']],
    ["NDJSON, cut within its first CRLF", ['{"url":"http://a.example/1"}\r', '\n{"url":"http://a.example/2"}\n']],
    ["NDJSON, cut there, then empty lines", ['{"url":"http://a.example/1"}\r', '\n\n\n{"url":"http://a.example/2"}\n']],
    ["carriage returns alone", ["url,n\r", "http://a.example/1,1\r", "http://a.example/2,2\r"]],
    ["byte by byte", ["u", "r", "l", "\r", "\n", "http://a.example/1\r\nhttp://a.example/2"]],
    [
      "empty lines before the header, as many as detection examines",
      ["\n".repeat(64 * 1_024), "n;url\n1;http://a.example/1\n2;http://a.example/2\n"],
    ],
    [
      "NDJSON after a byte order mark and empty lines",
      ["\ufeff\n".padEnd(200_000, "\n"), '{"url":"http://a.example/1"}\n{"url":"http://a.example/2"}'],
    ],
    ["empty lines before the header", ["\r\n", "\r\nn;url\r\n1;http://a.example/1\r\n2;http://a.example/2\r\n"]],
  ])("%s", async (_what, chunks) => {
    expect(await urlsOf(["-"], chunks)).toEqual(["http://a.example/1", "http://a.example/2"]);
  });
});

describe("with a base, a target gets its origin, and a URL stays as it is", () => {
  const targets = ["/a", "//b/c", "https://other.example/d", "/\u00e9", "x", "/e?f"];
  const urls = targets.map((target) => (target.startsWith("/") ? `https://shop.example${target}` : target));
  const escaped = (target: string): string => JSON.stringify(target).replaceAll("/", "\\/");
  test.each([
    ["NDJSON", targets.map((target) => `{"url":${JSON.stringify(target)},"n":1}\n`)],
    ["NDJSON with escapes", targets.map((target) => `{"url":${escaped(target)}}\n`)],
    [
      "NDJSON, the URL nested",
      targets.map((target) => `{"request":{"url":${JSON.stringify(target)}}}\n`),
      "request.url",
    ],
    ["CSV", ["url,n\n", ...targets.map((target) => `${target},1\n`)]],
    ["CSV, quoted", ["url,n\n", ...targets.map((target) => `"${target}",1\n`)]],
    ["lines", targets.map((target) => `${target}\n`)],
  ])("%s", async (_what, chunks, urlField?: string) => {
    const base = { scheme: "https", host: "shop.example" } as const;
    expect(await urlsOf(["-"], chunks, urlField, base)).toEqual(urls);
    expect(await urlsOf(["-"], [chunks.join("")], urlField, base)).toEqual(urls);
  });
});

test.skipIf(process.platform === "win32")("a named pipe is opened once and read to its end", async () => {
  const pipe = join(makeFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  // A separate process: it writes and ends while the reader is still busy.
  const writer = spawn("sh", ["-c", 'echo http://a.example/1 >"$0"', pipe], { stdio: "ignore" });
  onTestFinished(() => void writer.kill());
  const ended = once(writer, "exit");
  expect(await urlsOf([pipe], [])).toEqual(["http://a.example/1"]);
  expect(await ended).toEqual([0, null]);
});

test("the ending of a path that is too long to be shown determines the format", async () => {
  const folder = join(makeFolder(), "d".repeat(120), "d".repeat(120));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "a.csv");
  writeFileSync(path, "Where\nhttp://a.example/1\n");
  expect(await urlsOf([path], [], "Where")).toEqual(["http://a.example/1"]);
});

test.each([
  ["whole", 0, []],
  ["truncated, so that it is read again", 20, ["ERR_IO"]],
])("a compressed file, %s: no record comes twice, and every byte counts once", async (_what, missing, failures) => {
  const path = join(makeFolder(), "urls.gz");
  const lines = Array.from({ length: 30_000 }, (_, at) => `http://a.example/${at}/${(at * 7_919) % 10_007}\n`);
  const packed = gzipSync(lines.join(""));
  writeFileSync(path, packed.subarray(0, packed.length - missing));
  const input = new Input([path], Readable.from([]), {
    format: undefined,
    maxLineBytes: 1_000,
    urlField: undefined,
    base: undefined,
  });
  let text = "";
  for await (const batch of input.batches(createWriter()))
    text += urlsIn(batch)
      .map((url) => `${url}\n`)
      .join("");
  expect(lines.join("").startsWith(text)).toBe(true);
  expect(text.length).toBeGreaterThan(lines.join("").length * 0.99);
  expect(input.readBytes).toBe(packed.length - missing);
  expect(input.failures.map(({ code }) => code)).toEqual(failures);
});

const text = "https://a.example/1\nhttps://a.example/2\nhttps://a.example/3\n";
const lineLength = text.length / 3;

function placeAt(offset: number, beginningBytes: number): InputPlace {
  const bytes = Buffer.from(text);
  return {
    source: 0,
    format: "lines",
    lineEnd: "\n",
    offset,
    line: 1,
    before: fingerprintBefore(bytes, offset),
    known: {},
    beginning: fingerprintOf(bytes.subarray(0, beginningBytes)),
    file: null,
    isPlain: true,
  };
}

async function* inChunks(whole: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield await Promise.resolve(Buffer.from(whole.slice(at, at + size)));
}

/** The text that was returned, and the code of the error if there was one. */
async function read(whole: string, size: number, place: InputPlace): Promise<readonly [text: string, code?: string]> {
  let returned = "";
  try {
    for await (const chunk of textBehind(inChunks(whole, size), "-", place)) returned += Buffer.from(chunk).toString();
  } catch (error) {
    return [returned, (error as { readonly code: string }).code];
  }
  return [returned];
}

describe.each([0, 1, lineLength, lineLength + 5, 2 * lineLength, text.length])("position %i", (offset) => {
  const sizes = [1, 2, 7, lineLength, lineLength + 1, text.length];

  test.each([0, 10, lineLength + 3, text.length])("of a text with %i fingerprinted bytes", async (beginningBytes) => {
    for (const size of sizes) {
      expect(await read(text, size, placeAt(offset, beginningBytes))).toEqual([text.slice(offset)]);
    }
  });

  test("a text with a change in any fingerprinted byte, or without its last byte, is refused", async () => {
    const place = placeAt(offset, text.length);
    for (const size of sizes) {
      for (let at = 0; at < text.length; at++) {
        expect(await read(`${text.slice(0, at)}~${text.slice(at + 1)}`, size, place)).toEqual([
          "",
          "ERR_CHANGED_INPUT",
        ]);
      }
      expect(await read(text.slice(0, -1), size, place)).toEqual(["", "ERR_CHANGED_INPUT"]);
    }
  });
});
