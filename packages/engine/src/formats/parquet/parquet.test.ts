// Tests the records and the errors of whole, damaged and hostile Parquet files.
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, test } from "vitest";
import { EngineError } from "../../common/errors.ts";
import { Input, type InputOptions } from "../../sources/input.ts";
import { columnsOf } from "../../sources/parquet-file.ts";
import { outputFormats } from "../registry/registry.ts";
import { urlTemplateOf } from "../url-parts.ts";
import { pagesOf, walkStruct } from "./pages.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-parquet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const createWriter = (): ReturnType<(typeof outputFormats)[number]["createWriter"]> =>
  outputFormats[0]!.createWriter({ resultKey: "robots", hasDialect: false, hasKind: false, csvSafe: false });

/** The rows and rejects of a file, and the message of the error that ended the reading; "" without an error. */
async function read(
  bytes: Uint8Array | ArrayBuffer,
  options: Partial<InputOptions> = {},
  name = "a.parquet",
): Promise<{ readonly rows: readonly unknown[]; readonly rejects: readonly string[]; readonly error: string }> {
  const path = join(folder, name);
  writeFileSync(path, bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes);
  const settings = { format: undefined, maxLineBytes: 1_048_576, urlField: undefined, base: undefined, ...options };
  const input = new Input([path], Readable.from([]), settings);
  const rows: unknown[] = [];
  const rejects: string[] = [];
  try {
    await input.check(createWriter);
    for await (const { records, rejects: some } of input.batches(createWriter())) {
      for (let record = 0; record < records.count; record++) {
        rows.push(JSON.parse(`${Buffer.from(records.headOf(record), "latin1").toString()}}`));
      }
      rejects.push(...some.map(({ line, code }) => `${line}:${code}`));
      records.recycle?.();
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { rows, rejects, error: error.message };
  }
  return { rows, rejects, error: input.failures[0]?.message ?? "" };
}

const count = 1_200;
const urls = Array.from({ length: count }, (_, at) => `https://a.example/${at}?é`);
const columnData: Parameters<typeof parquetWriteBuffer>[0]["columnData"] = [
  { name: "id", data: Array.from({ length: count }, (_, at) => BigInt(at) + 9_007_199_254_740_993n), type: "INT64" },
  { name: "url", data: urls, type: "STRING" },
  {
    name: "user_agent",
    data: Array.from({ length: count }, (_, at) => (at % 3 === 0 ? null : "bingbot/2.0")),
    type: "STRING",
  },
  { name: "time", data: Array.from({ length: count }, (_, at) => new Date(1_795_244_109_000 + at)), type: "TIMESTAMP" },
];

const many = (length: number): typeof columnData => [
  { name: "url", data: Array.from({ length }, (_, at) => `https://a.example/${at}/${"x".repeat(60)}`), type: "STRING" },
];

const gzip = (bytes: Uint8Array): Uint8Array => new Uint8Array(gzipSync(bytes));
const zstd = (bytes: Uint8Array): Uint8Array => new Uint8Array(zstdCompressSync(bytes));
const brotli = (bytes: Uint8Array): Uint8Array => new Uint8Array(brotliCompressSync(bytes));

describe("files that hyparquet-writer wrote", () => {
  test.each<[what: string, options: Partial<Parameters<typeof parquetWriteBuffer>[0]>]>([
    ["snappy", {}],
    ["not compressed", { codec: "UNCOMPRESSED" }],
    ["gzip", { codec: "GZIP", compressors: { GZIP: gzip } }],
    ["zstd", { codec: "ZSTD", compressors: { ZSTD: zstd } }],
    ["brotli", { codec: "BROTLI", compressors: { BROTLI: brotli } }],
    ["many row groups", { rowGroupSize: 700 }],
    ["small pages", { pageSize: 512, rowGroupSize: 900 }],
  ])("%s", async (_what, options) => {
    const bytes = parquetWriteBuffer({ columnData, ...options });
    const { rows, rejects, error } = await read(bytes);
    expect([rows, rejects, error]).toEqual([urls.map((url) => ({ url })), [], ""]);
  });

  test("the columns that the settings need, as JSON", async () => {
    const bytes = parquetWriteBuffer({ columnData, rowGroupSize: 500 });
    const { rows } = await read(bytes, { agentField: "user_agent", time: { field: undefined } });
    expect(rows).toHaveLength(count);
    expect(rows.slice(0, 2)).toEqual([
      { url: urls[0], user_agent: null, time: "2026-11-21T06:55:09.000Z" },
      { url: urls[1], user_agent: "bingbot/2.0", time: "2026-11-21T06:55:09.001Z" },
    ]);
  });

  test("times without a zone, dates, and times in UTC", async () => {
    const at = [new Date("2026-01-02T00:14:47.500Z"), null];
    const timestamp = (isAdjustedToUTC: boolean) =>
      ({ logical_type: { type: "TIMESTAMP", isAdjustedToUTC, unit: "MICROS" }, type: "INT64" }) as const;
    const optional = { repetition_type: "OPTIONAL" } as const;
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: "url", data: ["https://a.example/", "https://a.example/b"] },
        { name: "time", data: at },
        { name: "date", data: at },
        { name: "utc", data: at },
      ],
      schema: [
        { name: "root", num_children: 4 },
        { name: "url", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
        { name: "time", ...timestamp(false), ...optional },
        { name: "date", type: "INT32", converted_type: "DATE", ...optional },
        { name: "utc", ...timestamp(true), ...optional },
      ],
    });
    const timesOf = async (field: string): Promise<unknown> =>
      (await read(bytes, { time: { field } })).rows.map((row) => (row as Record<string, unknown>)[field]);
    expect(await timesOf("time")).toEqual(["2026-01-02T00:14:47.500", null]);
    expect(await timesOf("date")).toEqual(["2026-01-02", null]);
    expect(await timesOf("utc")).toEqual(["2026-01-02T00:14:47.500Z", null]);
  });

  test("nested columns, a template, and rows without a URL", async () => {
    const requests = [{ host: "a.example", path: "/1" }, { host: "b.example", path: null }, { path: "/3" }, null];
    const text = { type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" } as const;
    const nested = parquetWriteBuffer({
      columnData: [
        { name: "id", data: [1, 2, 3, 4] },
        { name: "request", data: requests },
      ],
      schema: [
        { name: "root", num_children: 2 },
        { name: "id", type: "INT32", repetition_type: "REQUIRED" },
        { name: "request", num_children: 2, repetition_type: "OPTIONAL" },
        { name: "host", ...text },
        { name: "path", ...text },
      ],
    });
    const ofNested = await read(nested, { urlField: urlTemplateOf("https://{request.host}{request.path}") });
    expect(ofNested.rows).toEqual([{ request: requests[0] }, { request: requests[1] }]);
    expect([ofNested.rejects, ofNested.error]).toEqual([["3:no-url-field", "4:no-url-field"], ""]);
    const flat = parquetWriteBuffer({
      columnData: [
        { name: "host", data: ["a.example", "b.example", null], type: "STRING" },
        { name: "path", data: ["/1", null, "/3"], type: "STRING" },
        { name: "other", data: [1, 2, 3], type: "INT32" },
      ],
    });
    const { rows, rejects } = await read(flat, { urlField: urlTemplateOf("https://{host}{path}") });
    expect(rows).toEqual([
      { host: "a.example", path: "/1" },
      { host: "b.example", path: null },
    ]);
    expect(rejects).toEqual(["3:no-url-field"]);
  });

  test("no column with a URL: the error has the number of columns", async () => {
    const bytes = parquetWriteBuffer({ columnData: columnData.filter(({ name }) => name !== "url") });
    expect((await read(bytes)).error).toMatch(
      /the first record has no field that usually holds a URL; it has 3 fields/,
    );
  });

  test("only the columns needed are decoded", async () => {
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData, codec: "UNCOMPRESSED" }));
    // Damages the first column, which is not decoded.
    bytes.fill(0xff, 4, 2_000);
    expect((await read(bytes)).rows).toHaveLength(count);
    expect((await read(bytes, { agentField: "id" })).error).toMatch(/the parquet data is /);
  });

  test("--input with another format, and --input parquet for another file, are errors", async () => {
    const bytes = parquetWriteBuffer({ columnData });
    const formats = (await import("../registry/registry.ts")).inputFormats;
    const named = (name: string): Partial<InputOptions> => ({
      format: formats.find((format) => format.name === name)!,
    });
    expect((await read(bytes, named("ndjson"))).error).toMatch(/is a Parquet file/);
    expect((await read(bytes, named("parquet"))).rows).toHaveLength(count);
    expect((await read(Buffer.from("https://a.example/\n"), named("parquet"))).error).toMatch(/is not a Parquet file/);
    expect((await read(gzipSync(new Uint8Array(bytes)))).error).toMatch(/is a compressed Parquet file/);
  });

  test("a pipe is refused", async () => {
    const bytes = Buffer.from(parquetWriteBuffer({ columnData }));
    const settings = { format: undefined, maxLineBytes: 1_000, urlField: undefined, base: undefined };
    const input = new Input(["-"], Readable.from([bytes]), settings);
    await expect(input.batches(createWriter()).next()).rejects.toThrow(/is a Parquet file, which is read from its end/);
  });

  test.runIf(existsSync("/proc/self/fd"))("looking at the first record leaves no file open", async () => {
    const path = join(folder, "looked-at.parquet");
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData: many(20_000) })));
    const settings = { format: undefined, maxLineBytes: 1_000, urlField: undefined, base: undefined };
    await new Input([path, path, path], Readable.from([]), settings).check(createWriter);
    const open = readdirSync("/proc/self/fd").filter((fd) => {
      const link = join("/proc/self/fd", fd);
      return existsSync(link) && readlinkSync(link) === path;
    });
    expect(open).toEqual([]);
  });

  test("reading can be stopped", async () => {
    const path = join(folder, "stopped.parquet");
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData: many(20_000) })));
    const settings = { format: undefined, maxLineBytes: 1_000, urlField: undefined, base: undefined };
    const input = new Input([path], Readable.from([]), settings);
    let rows = 0;
    for await (const { records } of input.batches(createWriter())) {
      rows += records.count;
      records.recycle?.();
      input.stop();
    }
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(20_000);
  });

  test("reading continues from a resume point", async () => {
    const path = join(folder, "resumed.parquet");
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 500 })));
    const settings = {
      format: undefined,
      maxLineBytes: 1_000,
      urlField: undefined,
      base: undefined,
      givesPlaces: true,
    };
    const first = new Input([path], Readable.from([]), settings);
    const places = [];
    let before = 0;
    for await (const { records, place } of first.batches(createWriter())) {
      before += records.count;
      if (place !== undefined) places.push({ place: first.placeOf(place), before });
      records.recycle?.();
    }
    expect(before).toBe(count);
    const { place, before: done } = places[0]!;
    const again = new Input([path], Readable.from([]), {
      ...settings,
      from: JSON.parse(JSON.stringify(place)) as typeof place,
    });
    await again.check(createWriter);
    let after = 0;
    for await (const { records } of again.batches(createWriter())) {
      after += records.count;
      records.recycle?.();
    }
    expect(done + after).toBe(count);
  });
});

describe("damaged and hostile files", () => {
  const whole = new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 500 }));

  test("a truncated file gives an error and no rows", async () => {
    for (let at = 4; at < whole.length; at += Math.ceil(whole.length / 15)) {
      const { rows, error } = await read(whole.subarray(0, at));
      expect([rows.length, error]).toEqual([0, expect.stringMatching(/the parquet data is (?:truncated|damaged)/)]);
    }
  });

  test("a file with a changed byte gives an error, or as many rows and rejects as before", async () => {
    const steps = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 4_000 : 40;
    for (let step = 0; step < steps; step++) {
      const at = (step * 7_919) % whole.length;
      const bytes = Uint8Array.from(whole);
      bytes[at] = step % 2 === 0 ? 0xff : bytes[at]! ^ 0x11;
      const { rows, rejects, error } = await read(bytes, { agentField: "user_agent" });
      expect(rows.length + rejects.length).toBeLessThanOrEqual(count);
      if (error === "") expect(rows.length + rejects.length).toBe(count);
    }
  });

  test.each<[what: string, change: (bytes: Uint8Array) => Uint8Array, message: RegExp]>([
    ["another end", (bytes) => bytes.fill(0x20, bytes.length - 4), /truncated: the metadata at its end is missing/],
    ["an encrypted footer", (bytes) => (bytes.set(Buffer.from("PARE"), bytes.length - 4), bytes), /encrypted/],
    ["metadata of 4 GB", (bytes) => bytes.fill(0xff, bytes.length - 8, bytes.length - 4), /truncated/],
    ["no metadata", (bytes) => bytes.fill(0, bytes.length - 8, bytes.length - 4), /claims more bytes/],
    ["its beginning alone", () => Buffer.from("PAR1"), /truncated/],
    ["twice its beginning", () => Buffer.from("PAR1PAR1"), /truncated/],
  ])("%s", async (_what, change, message) => {
    const { rows, error } = await read(change(Uint8Array.from(whole)));
    expect([rows, error]).toEqual([[], expect.stringMatching(message)]);
  });

  test("metadata of 20 MB is not parsed", async () => {
    const bytes = Buffer.alloc(20_000_012);
    bytes.write("PAR1", 0);
    bytes.writeUInt32LE(20_000_000, bytes.length - 8);
    bytes.write("PAR1", bytes.length - 4);
    expect((await read(bytes)).error).toMatch(/its metadata has 20000000 bytes/);
  });

  test.each<[what: string, bytes: number[]]>([
    ["a list of more elements than bytes", [0x19, 0xf5, 0xff, 0xff, 0xff, 0x07]],
    ["lists in lists", [0x19, ...Array<number>(64).fill(0x19), 0]],
    ["structs in structs", [...Array<number>(64).fill(0x1c), 0]],
    ["a text that is too long", [0x18, 0xff, 0xff, 0x03]],
    ["an integer without an end", [0x15, ...Array<number>(20).fill(0xff)]],
    ["a map", [0x1b, 0]],
    ["no end", [0x15, 0x02]],
  ])("metadata: %s", (_what, bytes) => {
    expect(() => walkStruct(Uint8Array.from(bytes), 0)).toThrow(RangeError);
  });

  // Headers of pages: the type, the sizes, and for a data page the number of values and the encoding.
  const varint = (value: number): number[] =>
    value < 64 ? [value * 2] : [((value * 2) % 128) + 128, ...unsigned(Math.floor((value * 2) / 128))];
  const unsigned = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) + 128, ...unsigned(Math.floor(value / 128))];
  const page = (uncompressed: number, compressed: number, values: number, encoding = 0): Uint8Array =>
    Uint8Array.from(
      [
        [0x15, 0, 0x15, varint(uncompressed), 0x15, varint(compressed)],
        [0x2c, 0x15, varint(values), 0x15, varint(encoding), 0, 0],
        Array<number>(Math.min(compressed, 100)).fill(0),
      ].flat(2),
    );

  test("the values of pages are counted", () => {
    expect(pagesOf(Buffer.concat([page(10, 10, 5), page(20, 20, 70)]))).toEqual({ largest: 70, values: 75 });
  });

  test.each<[what: string, chunk: Uint8Array, message: RegExp]>([
    ["longer than the column", page(10, 1_000, 5), /longer than its column/],
    ["a gigabyte", page(1_000_000_000, 10, 5), /claims 1000000000 bytes/],
    ["too large for its compressed bytes", page(100_000_000, 10, 5), /claims 100000000 bytes/],
    ["a billion values", page(10, 10, 1_000_000_000), /claims 1000000000 values/],
    ["values that share beginnings", page(10, 10, 5, 7), /DELTA_BYTE_ARRAY/],
  ])("a page: %s", (_what, chunk, message) => {
    expect(() => pagesOf(chunk)).toThrow(message);
  });
});

test.each<[names: string[], needed: Parameters<typeof columnsOf>[1], columns: string[]]>([
  [["id", "URL", "x"], { urlField: undefined }, ["URL"]],
  [["id", "x"], { urlField: undefined }, ["id", "x"]],
  [["id", "a", "ua", "ts"], { urlField: "a.b.c", agentField: "ua", time: { field: undefined } }, ["a", "ua", "ts"]],
  [["a.b", "a"], { urlField: "a.b" }, ["a.b"]],
  [["h", "p", "q"], { urlField: { path: "p", host: "h" } }, ["h", "p"]],
  [["h", "p", "q"], { urlField: { path: "nope", host: "h" } }, ["h", "p", "q"]],
])("of the columns %j, the settings %j need %j", (names, needed, columns) => {
  expect(columnsOf(names, needed)).toEqual(columns);
});

test("the modules that are loaded before a Parquet file is read do not import the library", () => {
  const sources = [
    "../registry/registry.ts",
    "../ndjson/format.ts",
    "../../sources/prepare.ts",
    "../../sources/parquet-file.ts",
  ];
  for (const source of sources) {
    const text = readFileSync(new URL(source, import.meta.url), "utf8");
    expect(text).not.toMatch(/from "(?:hyparquet|.*\/convert\.ts)"/);
  }
});
