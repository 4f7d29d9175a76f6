// Tests the contract of input formats: one suite, which is run for each format with samples.
import { describe, expect, test } from "vitest";
import { recordsOf } from "../../test/samples.ts";
import { batchesOf, chunksOf, joined, readAll, type ReadResult } from "../../test/reading.ts";
import type { WriterKnowledge } from "./types.ts";
import { byteStringOf } from "../common/text.ts";
import { detect } from "../sources/detect.ts";
import { fingerprintOf, type ResumePoint } from "../records/batch.ts";
import { sampledFormats } from "../../test/sampled-formats.ts";
import type { InputFormat, ReadOptions } from "./input-format.ts";

const urls = ["https://a.example/1", "https://b.example/ü?x=1", "https://a.example/3", "https://c.example/日本"];

/** CI cuts at every byte; otherwise a file is cut at most 100 times, and chunks of one byte cut it everywhere. */
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each(sampledFormats.map((format) => [format.name, format] as const))("input format %s", (name, format) => {
  const { header, record, longRecords, bad, hasOther } = recordsOf(format.samples);
  const fileOf = (records: readonly string[], lineEnd = "\n"): string =>
    [...(header === "" ? [] : [header]), ...records].map((line) => line + lineEnd).join("");
  const read = (text: string, options: Partial<ReadOptions> = {}, of: InputFormat = format): Promise<ReadResult> =>
    readAll(of, [encoded(text)], options);
  const all = urls.map(record);
  const firstLine = header === "" ? 1 : 2;

  test("gives each record its head and its URL", async () => {
    const result = await read(fileOf(all));
    expect(result.urls).toEqual(urls);
    expect(result.heads).toHaveLength(urls.length);
    for (const head of result.heads) JSON.parse(`${head}}`);
    expect(result.rejects).toEqual([]);
  });

  test("every chunk split gives the same result", async () => {
    const bytes = encoded(
      `\ufeff${fileOf(bad === undefined ? all : [...all.slice(0, 2), bad, ...all.slice(2)], "\r\n")}`,
    );
    const whole = await readAll(format, [bytes]);
    expect(whole.urls).toEqual(urls);
    const step = isThorough ? 1 : Math.ceil(bytes.length / 100);
    for (let cut = 0; cut <= bytes.length; cut += step) {
      const result = await readAll(format, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(result).toEqual(whole);
    }
    for (const length of [1, 2, 3, 7]) expect(await readAll(format, chunksOf(bytes, length))).toEqual(whole);
  });

  test("reading continues from any of its resume points", async () => {
    const rejects = bad === undefined ? [] : [bad, bad];
    const many = Array.from({ length: 12 }, (_, i) => record(`https://a.example/${i}`));
    const rows = [...all, ...rejects, ...many, "", ...longRecords, ...all, `{"x":"${"y".repeat(600)}"}`, ...many];
    const bytes = encoded(`\ufeff${fileOf(rows).slice(0, -1)}`);
    for (const output of ["ndjson", "csv"]) {
      for (const length of [1, 50, 301, bytes.length]) {
        const parts = await batchesOf(format, chunksOf(bytes, length), {
          output,
          maxLineBytes: 500,
          givesPlaces: true,
        });
        let places = 0;
        for (const [index, { place, writer }] of parts.entries()) {
          if (place === undefined) continue;
          places++;
          // The resume point is serialized and parsed again, as in a checkpoint.
          const kept = JSON.parse(JSON.stringify({ place, known: writer })) as {
            place: ResumePoint;
            known: WriterKnowledge;
          };
          const rest = chunksOf(bytes.subarray(place.offset), 77);
          const options = { output, known: kept.known, from: kept.place, maxLineBytes: 500 };
          const again = joined(await batchesOf(format, rest, options));
          expect(again).toEqual(joined(parts.slice(index + 1)));
          const before = bytes.subarray(place.offset - place.before.bytes, place.offset);
          expect(fingerprintOf(before)).toEqual(place.before);
        }
        expect(places).toBeGreaterThan(length > 50 ? 0 : 10);
      }
    }
  });

  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("line end %s", async (_what, lineEnd) => {
    const plain = await read(fileOf(all));
    expect(await read(fileOf(all, lineEnd), { lineEnd: lineEnd === "\r" ? "\r" : "\n" })).toEqual(plain);
  });

  test("a last line without its line end is a record", async () => {
    expect((await read(fileOf(all).slice(0, -1))).urls).toEqual(urls);
  });

  test("a byte order mark is not part of the first field", async () => {
    expect(await read(`\ufeff${fileOf(all)}`)).toEqual(await read(fileOf(all)));
  });

  test("empty lines are not records, but are counted as lines", async () => {
    const result = await read(`${fileOf(all.slice(0, 2))}\n\n${all.slice(2).join("\n")}\n\n`);
    expect(result.urls).toEqual(urls);
    expect(result.rejects).toEqual([]);
  });

  test("an empty source has no records", async () => {
    expect((await readAll(format, [])).urls).toEqual([]);
    expect((await read("")).urls).toEqual([]);
    expect((await read(header === "" ? "\n" : `${header}\n`)).urls).toEqual([]);
  });

  test("a bad line is one reject, and no later record is lost", async () => {
    const result = await read(fileOf([...all.slice(0, 2), bad ?? "\0", ...all.slice(2)]));
    // A format in which every line is a record returns the bad line as a record.
    expect(result.urls.filter((url) => url !== "\0")).toEqual(urls);
    expect(result.urls.length + result.rejects.length).toBe(urls.length + 1);
    expect(result.rejects).toMatchObject(bad === undefined ? [] : [{ source: "test", line: firstLine + 2, text: bad }]);
  });

  test("a line over the limit is one reject, for chunks of several sizes", async () => {
    const long = record(`https://a.example/${"x".repeat(5_000)}`);
    const bytes = encoded(fileOf([...all.slice(0, 2), long, ...all.slice(2)]));
    for (const length of [bytes.length, 100, 33]) {
      const result = await readAll(format, chunksOf(bytes, length), { maxLineBytes: 1_000 });
      expect(result.urls).toEqual(urls);
      expect(result.rejects).toMatchObject([{ line: firstLine + 2, code: "too-long" }]);
      expect(result.rejects[0]?.text.length).toBeLessThanOrEqual(1_024);
    }
    // As the last line, without a line end.
    const last = await read(fileOf([...all, long]).slice(0, -1), { maxLineBytes: 1_000 });
    expect([last.urls, last.rejects.length]).toEqual([urls, 1]);
  });

  test("a NUL byte is kept like any other byte; in JSON, it makes its line a reject", async () => {
    const nul = record("https://a.example/z").replace(hasOther ? "ü" : "z", "\0");
    const result = await read(fileOf([...all.slice(0, 2), nul, ...all.slice(2)]));
    const [before, after] = [urls.slice(0, 2), urls.slice(2)];
    // JSON strings cannot contain a NUL byte.
    const isReject = nul.startsWith("{");
    expect(result.urls).toEqual([
      ...before,
      ...(isReject ? [] : [hasOther ? "https://a.example/z" : "https://a.example/\0"]),
      ...after,
    ]);
    expect(result.rejects).toMatchObject(isReject ? [{ line: firstLine + 2, code: "not-json", text: nul }] : []);
  });

  test("is detected from the content alone", () => {
    const seen = detect("stdin", encoded(fileOf(all))).format.name;
    expect(seen).toBe(format.samples.detectedAs ?? name);
  });

  test("bytes that are not UTF-8 are output unchanged", async () => {
    const latin1 = Buffer.concat([
      encoded(fileOf(all)),
      Buffer.from(`${record("https://a.example/q").replace("ü", "\u00fc")}\n`, "latin1"),
    ]);
    const logRows = format.makesLogRows === true ? { keepLine: true } : undefined;
    const result = await readAll(format, [latin1], { logRows });
    expect(result.urls).toEqual([...urls, "https://a.example/q"]);
    if (hasOther) expect(result.heads.at(-1)).toContain("\u00fc");
    expect(result.heads[1]).toContain(byteStringOf("/ü?x=1"));
  });
});
