// NUL bytes at the beginnings of lines: every format reads the same records as without them, however many there are.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { inputFormats, outputFormats } from "../formats/registry/registry.ts";
import type { RecordWriter } from "../formats/types.ts";
import { recordsOf } from "../../test/samples.ts";
import { type InputPlace, isSeekable } from "./behind.ts";
import { Nuls } from "./nuls.ts";
import { type InputOptions, Input } from "./input.ts";

const createWriter = (): RecordWriter =>
  outputFormats[0]!.createWriter({ resultKey: "robots", hasDialect: false, hasKind: false, csvSafe: false });

interface Read {
  readonly heads: readonly string[];
  readonly rejects: number;
  readonly notes: readonly string[];
  readonly places: readonly InputPlace[];
}

async function read(
  paths: readonly string[],
  chunks: Iterable<Uint8Array>,
  given: Partial<InputOptions> = {},
): Promise<Read> {
  const notes: string[] = [];
  const input = new Input(paths, Readable.from(chunks), {
    format: undefined,
    maxLineBytes: 65_536,
    urlField: undefined,
    base: { scheme: "https", host: "a.example" },
    onAssumed: (assumed) => notes.push(assumed),
    ...given,
  });
  if (given.from === undefined) await input.check(createWriter);
  const [heads, places]: [string[], InputPlace[]] = [[], []];
  let rejects = 0;
  for await (const batch of input.batches(createWriter())) {
    const { records } = batch;
    for (let record = 0; record < records.count; record++) heads.push(records.headOf(record));
    records.recycle?.();
    rejects += batch.rejects.length;
    if (batch.place !== undefined) places.push(input.placeOf(batch.place));
  }
  return { heads, rejects, notes, places };
}

/** The bytes of a text in chunks of `size` bytes. */
function* inChunks(text: string, size: number): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size), "latin1");
}

function textOf(lines: readonly string[], ...nuls: readonly number[]): string {
  return lines.map((line, index) => `${"\0".repeat(nuls[index] ?? 0)}${line}\n`).join("");
}

const formats = inputFormats.filter(({ samples }) => samples !== undefined);

test.each(formats.map((format) => [format.name, format] as const))("%s", async (_name, format) => {
  const { header, record } = recordsOf(format.samples!);
  const records = [1, 2, 3, 4].map((each) => Buffer.from(record(`https://a.example/${each}`)).toString("latin1"));
  const lines = [...(header === "" ? [] : [header]), ...records];
  const expected = await read(["-"], inChunks(textOf(lines), 7));
  expect(expected.heads).toHaveLength(4);
  expect(expected.notes).toEqual([]);
  for (const size of [1, 64, 100_000]) {
    const seen = await read(["-"], inChunks(textOf(lines, 500, 0, 3, 900), size));
    expect(seen).toEqual({ ...expected, notes: [expect.stringMatching(/NUL/)] });
  }
});

test("NUL bytes inside of lines stay", async () => {
  const line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x\0y"';
  const format = inputFormats.find(({ name }) => name === "combined");
  const { heads, notes } = await read(["-"], inChunks(textOf([line, line]), 10), { format });
  expect(heads).toHaveLength(2);
  expect(heads[0]).toContain(String.raw`x\u0000y`);
  expect(notes).toEqual([]);
});

test("half a gigabyte of NUL bytes is not held in memory", async () => {
  const nuls = new Uint8Array(1_048_576);
  function* chunks(): Generator<Uint8Array> {
    for (let count = 0; count < 512; count++) yield nuls;
    yield Buffer.from("https://a.example/1\n");
    for (let count = 0; count < 64; count++) yield nuls;
    yield Buffer.from("https://a.example/2\n");
  }
  const before = process.memoryUsage().rss;
  const { heads, notes } = await read(["-"], chunks());
  expect(heads).toHaveLength(2);
  expect(notes).toHaveLength(1);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576);
});

test("beyond the limit, NUL bytes are text", async () => {
  const lengthsOf = async (chunks: readonly Uint8Array[], most: number): Promise<readonly number[]> => {
    const lengths = [];
    const nuls = new Nuls(undefined, most);
    async function* all(): AsyncGenerator<Uint8Array> {
      for (const chunk of chunks) yield await Promise.resolve(chunk);
    }
    for await (const chunk of nuls.withoutThoseOfLines(nuls.withoutFirst(all()))) lengths.push(chunk.length);
    return lengths;
  };
  const zeros = new Uint8Array(100_000);
  expect(await lengthsOf([zeros, zeros, zeros, zeros], 400_000)).toEqual([]);
  expect(await lengthsOf([zeros, zeros, zeros, zeros], 150_000)).toEqual([100_000, 100_000]);
  expect(await lengthsOf([Buffer.from("url\n"), zeros, zeros, zeros], 150_000)).toEqual([4, 100_000]);
});

test("a run continues behind NUL bytes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-nuls-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "access.log");
  const lines = Array.from({ length: 9_000 }, (_, each) => `https://a.example/${each}`);
  for (const nuls of [[0], [100], [0, 50], lines.map((_, each) => (each === 6_000 ? 9 : 0))]) {
    writeFileSync(path, textOf(lines, ...nuls));
    const whole = await read([path], [], { givesPlaces: true });
    expect(whole.heads).toHaveLength(9_000);
    expect(whole.places.length).toBeGreaterThan(1);
    for (const from of whole.places) {
      const rest = await read([path], [], { givesPlaces: true, from });
      expect(rest.heads).toEqual(whole.heads.slice(from.line));
    }
    expect(isSeekable(whole.places.at(-1)!)).toBe(nuls.every((count) => count === 0));
  }
});
