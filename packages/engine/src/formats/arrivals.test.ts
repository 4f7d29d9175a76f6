// Tests that the same bytes give the same format, records and rejects, however they are divided into pieces, and whatever short pauses are
// between the pieces. After a long pause, the bytes so far determine the format.
import fc from "fast-check";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Deed, LivePipe, WoundClock } from "../../test/live-pipe.ts";
import { type Records, recordsOf } from "../../test/samples.ts";
import { look, type LookSettings } from "../sources/look.ts";
import { IoError, UsageError } from "../common/errors.ts";
import { silenceMs } from "../sources/peek.ts";
import { sampledFormats } from "../../test/sampled-formats.ts";
import { inputFormats, outputFormats } from "./registry/registry.ts";
import { Input, readWithBase } from "../sources/input.ts";
import { prepare, type PrepareOptions } from "../sources/prepare.ts";
import type { ReadOptions } from "./input-format.ts";
import type { Reject } from "../records/batch.ts";

/** CI cuts at many offsets. */
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const base = { scheme: "https", host: "b.example" } as const;

/** How `detect` reads a source. */
const lookSettings: LookSettings = {
  inputFormat: undefined,
  maxLineBytes: 1_048_576,
  urlField: undefined,
  base,
  resultKey: "robots",
};

/** The result of a run over a source. */
interface Outcome {
  readonly format: string | undefined;
  readonly lineEnd: string | undefined;
  readonly records: readonly string[];
  readonly rejects: readonly Reject[];
  readonly problems: readonly string[];
}

interface Run extends Outcome {
  /** The messages about the format. */
  readonly said: readonly string[];
  /** Timers that were not cleared. */
  readonly timers: number;
}

/** How the sources are read: without the check that one of the first records has a URL, which has a limit of its own for silence. */
type RunOptions = Partial<Pick<ReadOptions, "base" | "maxLineBytes">> & Partial<Pick<PrepareOptions, "format">>;

async function run(deeds: readonly Deed[], { format: named, ...options }: RunOptions = {}): Promise<Run> {
  const clock = new WoundClock();
  const said: string[] = [];
  const writer = outputFormats[0]!.createWriter({
    resultKey: "robots",
    hasDialect: false,
    hasKind: false,
    csvSafe: false,
  });
  let seen: { format: string; lineEnd: string } | undefined;
  const records: string[] = [];
  const rejects: Reject[] = [];
  const problems: string[] = [];
  try {
    const { format, lineEnd, isUnexamined, chunks } = await prepare("-", new LivePipe(deeds, clock), {
      format: named,
      urlField: undefined,
      isLive: true,
      clock,
      onAssumed: (assumed, hint) => void said.push(assumed, hint),
    });
    seen = { format: format.name, lineEnd };
    const read = { source: "stdin", lineEnd, isUnexamined, maxLineBytes: 100_000, urlField: undefined, writer };
    for await (const batch of readWithBase(format, chunks, { ...read, base, ...options })) {
      const packed = batch.records;
      for (let at = 0; at < packed.count; at++) records.push(`${packed.headOf(at)} ${packed.urlOf(at)}`);
      rejects.push(...batch.rejects);
      packed.recycle?.();
    }
  } catch (error) {
    if (error instanceof UsageError) problems.push(error.code);
    else if (error instanceof IoError) problems.push(error.message);
    else throw error;
  }
  return { format: seen?.format, lineEnd: seen?.lineEnd, records, rejects, problems, said, timers: clock.timers };
}

async function detected(deeds: readonly Deed[]): Promise<Pick<Outcome, "format" | "lineEnd">> {
  const clock = new WoundClock();
  const seen = await look("-", new LivePipe(deeds, clock), lookSettings, {
    signal: new AbortController().signal,
    clock,
  });
  return { format: seen.format.name, lineEnd: seen.lineEnd === "CR" ? "\r" : "\n" };
}

const outcomeOf = ({ format, lineEnd, records, rejects, problems }: Run): Outcome => ({
  format,
  lineEnd,
  records,
  rejects,
  problems,
});

/** Makes records in a format. */
const recordsIn = (name: string): Records => recordsOf(sampledFormats.find((format) => format.name === name)!.samples);
const combined = (url: string): string => recordsIn("combined").record(url);
const many = (record: (url: string) => string, count = 24): string[] =>
  Array.from({ length: count }, (_, at) => record(`https://a.example/${at}`));

/** Sources whose first lines are ambiguous, or suggest another format than the later lines. */
const odd: readonly (readonly [what: string, text: string])[] = [
  ["junk, then a log", ["junk", ...many(combined)].join("\n")],
  ["junk, then a short log", `${["junk", ...many(combined, 3)].join("\n")}\n`],
  ["URLs, each with the same number of commas", many((url) => `${url},1`).join("\n")],
  ["URLs, some with commas", ["https://a.example/x,1", ...many((url) => url)].join("\r\n")],
  ["objects of two kinds", ['{"url":"https://a.example/0"}', ...many(recordsIn("caddy").record)].join("\n")],
  ["carriage returns, and then a line end", `url,n\r${"https://a.example/1,2\r".repeat(4)}\n`],
  ["carriage returns in CSV", `url,n\r${many((url) => `${url},"ü"`, 5).join("\r")}\r`],
  ["CRLF after a carriage return", "https://a.example/1\r\r\nhttps://a.example/2\r\r\n"],
  ["one line and its CRLF", "https://a.example/1\r\n"],
  ["a last line that ends with a carriage return", "https://a.example/1\nhttps://a.example/2\r"],
  [
    "a byte order mark and empty lines before a header",
    "\ufeff\r\n \r\n\r\nn;url\r\n1;https://a.example/1\r\n2;https://a.example/2",
  ],
  ["sep= before a header", "sep=;\r\nn;url\r\n1;https://a.example/1\r\n"],
  ["a header over several lines", 'url,"a\nlong\nname"\nhttps://a.example/1,"x\ny"\nhttps://a.example/2,z\n'],
  ["a quote that nothing closes", '"url,n\nhttps://a.example/1,2\nhttps://a.example/2,2\n'],
  [
    "a W3C log that names its fields twice",
    `#Version: 1.0\n${recordsIn("cloudfront").header}\n${many(recordsIn("cloudfront").record, 3).join("\n")}`,
  ],
  ["an array", '[\n{"url":"https://a.example/1"}\n]\n'],
  ["nothing", ""],
  ["empty lines alone", "\n\r\n\n"],
  ["an overlong line, then a log", [combined(`https://a.example/${"x".repeat(70_000)}`), ...many(combined)].join("\n")],
];

const sources: readonly (readonly [what: string, bytes: Buffer])[] = [
  ...sampledFormats.flatMap(({ name, samples }): [string, Buffer][] => {
    const { header, record, bad } = recordsOf(samples);
    const rows = [
      ...(header === "" ? [] : [header]),
      ...many(record, 3),
      ...(bad === undefined ? [] : [bad]),
      record("https://z.example/"),
    ];
    return [
      [`${name}, LF`, Buffer.from(`${rows.join("\n")}\n`)],
      [`${name}, a byte order mark and CRLF, no last line end`, Buffer.from(`\ufeff${rows.join("\r\n")}`)],
      [`${name}, CR`, Buffer.from(`${rows.join("\r")}\r`)],
      [`${name} behind junk`, Buffer.from(`{junk\n${[...rows, ...many(record)].join("\n")}`)],
    ];
  }),
  ...odd.map(([what, text]): [string, Buffer] => [what, Buffer.from(text)]),
];

/**
 * The offsets of cuts below 2,048. With ROBOTS_STREAM_THOROUGH: the first 160, those around line ends, and a seventh of the others; otherwise
 * those around the first line ends, and some others.
 */
function* cutsOf(bytes: Buffer): Generator<number> {
  for (let at = 1; at < Math.min(bytes.length, 2_048); at++) {
    const isNearEnd = [-2, -1, 0, 1].some((by) => bytes[at + by] === 0x0a || bytes[at + by] === 0x0d);
    const isCut = isThorough
      ? at < 160 || isNearEnd || at % 7 === 0
      : at < 5 || (isNearEnd && at < 100) || at % 509 === 0;
    if (isCut) yield at;
  }
}

const almost = silenceMs - 1;

test.each(sources)("%s: two pieces are read as one", async (_what, bytes) => {
  const whole = await run([bytes]);
  let seen: Pick<Outcome, "format" | "lineEnd"> | undefined;
  if (whole.format !== undefined) {
    seen = { format: whole.format, lineEnd: whole.lineEnd };
    expect(await detected([bytes])).toEqual(seen);
  }
  for (const cut of cutsOf(bytes)) {
    const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
    for (const deeds of [
      [first, second],
      [first, almost, second, almost],
    ]) {
      const pieced = await run(deeds);
      expect({ cut, ...outcomeOf(pieced) }).toEqual({ cut, ...outcomeOf(whole) });
      expect([pieced.said, pieced.timers]).toEqual([[], 0]);
    }
    if (seen !== undefined && (isThorough || cut % 7 === 0))
      expect(await detected([first, almost, second])).toEqual(seen);
  }
});

/** Content that a named format refuses after lines that are rejects. */
test.each([
  ["ndjson", 'oops\n[1]\n{"a":1}\nx\n'],
  ["ndjson", 'oops\n{"url":"x","robots":1}\n'],
  ["combined", `oops\nagain\n${combined("/a")}\nx\n`],
  ["caddy", `oops\n${recordsIn("caddy").record("https://a.example/").replace("{", '{"robots":1,')}\n`],
  ["csv", 'a,b\n1\n"x"y,2\n2,3\n4\n"x"y,2\n'],
  ["csv", "a,b\n1\n2\n"],
])("%s that cannot be read, after rejects: %j", async (name, text) => {
  const options = { format: inputFormats.find((format) => format.name === name)!, base: undefined };
  const bytes = Buffer.from(text);
  const whole = await run([bytes], options);
  expect(whole.problems).toHaveLength(1);
  expect(whole.rejects.length).toBeGreaterThan(0);
  for (let cut = 1; cut < bytes.length; cut++) {
    const pieced = await run([bytes.subarray(0, cut), almost, bytes.subarray(cut)], options);
    expect({ cut, ...outcomeOf(pieced) }).toEqual({ cut, ...outcomeOf(whole) });
  }
});

const packings: readonly (readonly [what: string, pack: (text: string) => Buffer])[] = [
  ["gzip", (text) => gzipSync(text)],
  ["two members", (text) => Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))])],
  ["zstd", (text) => zstdCompressSync(text)],
  ["UTF-16, low byte first", (text) => Buffer.from(`\ufeff${text.replace("\ufeff", "")}`, "utf16le")],
  ["UTF-16, high byte first", (text) => Buffer.from(`\ufeff${text.replace("\ufeff", "")}`, "utf16le").swap16()],
  ["UTF-16 in gzip", (text) => gzipSync(Buffer.from(`\ufeff${text.replace("\ufeff", "")}`, "utf16le"))],
];

describe.each(packings)("%s", (_packing, pack) => {
  test.each(odd.slice(0, isThorough ? odd.length : 8))("%s: two pieces are read as one", async (_what, text) => {
    const bytes = pack(text);
    const whole = await run([bytes]);
    expect(outcomeOf(whole)).toEqual(outcomeOf(await run([Buffer.from(text)])));
    // A long source is cut about 250 times; otherwise the time would grow with the square of its length.
    const step = isThorough ? Math.max(1, Math.ceil(bytes.length / 250)) : 61;
    for (let cut = 1; cut < bytes.length; cut += cut < 12 ? 1 : step) {
      const pieced = await run([bytes.subarray(0, cut), almost, bytes.subarray(cut)]);
      expect({ cut, ...outcomeOf(pieced) }).toEqual({ cut, ...outcomeOf(whole) });
    }
  });
});

test("random pieces with short pauses are read as one", async () => {
  const line = fc.constantFrom(
    ...sampledFormats.flatMap(({ samples }) => {
      const { header, record, bad } = recordsOf(samples);
      return [header, record("https://a.example/1"), record("https://b.example/2"), bad ?? "junk"];
    }),
  );
  const end = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "\n\n");
  const text = fc.tuple(fc.constantFrom("", "\ufeff", "\r\n"), fc.array(fc.tuple(line, end), { maxLength: 40 }));
  const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });
  const pauses = fc.array(fc.constantFrom(0, 1, almost), { minLength: 1, maxLength: 5 });
  const ways = fc.record({
    format: fc.constantFrom(undefined, undefined, ...inputFormats),
    base: fc.constantFrom(base, base, undefined),
    maxLineBytes: fc.constantFrom(100_000, 100_000, 100, 20),
  });
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.boolean(),
      lengths,
      pauses,
      ways,
      async ([start, lines], oneKind, sizes, waits, options) => {
        const kept = oneKind ? lines.map(([, lineEnd]) => [lines[0]![0], lineEnd]) : lines;
        const bytes = Buffer.from(start + kept.map((each) => each.join("")).join(""));
        const deeds: Deed[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          deeds.push(bytes.subarray(at, at + size), waits[turn % waits.length]!);
          at += size;
        }
        const pieced = await run(deeds, options);
        expect(outcomeOf(pieced)).toEqual(outcomeOf(await run([bytes], options)));
        expect([pieced.said, pieced.timers]).toEqual([[], 0]);
      },
    ),
    { numRuns: isThorough ? 1_000 : 60 },
  );
});

describe("a silent pipe", () => {
  const log = many(combined).join("\n");
  test.each<[what: string, deeds: readonly (string | number)[], options: RunOptions, expected: object, said: string]>([
    ["gets its format from the lines so far", ["junk\n", 2_000, log], {}, { format: "lines" }, "inputFormat: lines"],
    ["silence before the first byte is ignored", [5_000, "junk\n", 1_999, log], {}, { format: "varnishncsa" }, ""],
    ["silence after empty lines is ignored", ["\n\n", 5_000, log], {}, { format: "varnishncsa" }, ""],
    ["silence within a line is ignored", ["jun", 9_000, `k\n${log}`], {}, { format: "varnishncsa" }, ""],
    [
      "silence within a CRLF is ignored",
      ["a,url\r", 9_000, "\nb,https://a.example/1\r\n"],
      {},
      { format: "csv", lineEnd: "\n" },
      "",
    ],
    ["two short silences do not add up", ["junk\n", 1_500, "junk\n", 1_500, log], {}, { format: "varnishncsa" }, ""],
    ["silence after the deciding lines is ignored", [`${log}\n`, 9_000, "junk\n"], {}, { format: "varnishncsa" }, ""],
    [
      "silence is ignored for a named format",
      ["junk\n", 9_000, log],
      { format: inputFormats.find(({ name }) => name === "combined")! },
      { format: "combined" },
      "",
    ],
    [
      "carriage returns alone",
      ["https://a.example/1\rhttps://a.example/2\r", 2_000, "https://a.example/3\r"],
      {},
      { format: "lines", lineEnd: "\r" },
      "inputFormat: lines",
    ],
    [
      "a table whose second row is late",
      ["url,n\n", 2_000, "https://a.example/1,2\n"],
      {},
      { format: "csv" },
      "inputFormat: csv",
    ],
  ])("%s", async (_what, deeds, options, expected, said) => {
    const source = deeds.map((deed) => (typeof deed === "number" ? deed : Buffer.from(deed)));
    const result = await run(source, options);
    expect(result).toMatchObject({ ...expected, problems: [], timers: 0 });
    expect(result.said.join("\n")).toContain(said);
    expect(result.said).toHaveLength(said === "" ? 0 : 2);
    const lines = deeds
      .join("")
      .split(/[\r\n]+/)
      .filter((line) => /[^\d]/.test(line));
    const heading = result.format === "csv" ? 1 : 0;
    expect(result.records.length + result.rejects.length).toBe(lines.length - heading);
  });

  test("reading ends at once when it is stopped", async () => {
    const clock = new WoundClock();
    const pipe = new LivePipe([Buffer.from("https://a.example/1\n")], clock, true);
    const input = new Input(["-"], pipe, {
      format: undefined,
      maxLineBytes: 1_000,
      urlField: undefined,
      base: undefined,
      clock,
    });
    const writer = outputFormats[0]!.createWriter({
      resultKey: "robots",
      hasDialect: false,
      hasKind: false,
      csvSafe: false,
    });
    const batches = input.batches(writer);
    const first = batches.next();
    await clock.pass(0);
    setImmediate(() => input.stop());
    expect(await first).toEqual({ done: true, value: undefined });
    expect(clock.timers).toBe(0);
  });

  test("detect ends although the pipe's writer stays open", async () => {
    const clock = new WoundClock();
    const pipe = new LivePipe([Buffer.from("https://a.example/1\n"), silenceMs], clock, true);
    const said: string[] = [];
    const seen = await look(
      "-",
      pipe,
      { ...lookSettings, base: undefined },
      {
        signal: new AbortController().signal,
        clock,
        onAssumed: (assumed) => void said.push(assumed),
      },
    );
    expect([seen.format.name, seen.first?.url, said.length, clock.timers]).toEqual([
      "lines",
      "https://a.example/1",
      1,
      0,
    ]);
  });
});
