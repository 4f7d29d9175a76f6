// Tests the reader of each format with samples on random bytes: no record is lost or changed, and the result does not depend on the chunks.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReadPart, type ReadResult, batchesOf, joined, readAll } from "../../test/reading.ts";
import { recordsOf } from "../../test/samples.ts";
import { UsageError } from "../common/errors.ts";
import { byteStringOf, urlTextOf } from "../common/text.ts";
import { type SampledFormat, sampledFormats } from "../../test/sampled-formats.ts";
import type { InputFormat } from "./input-format.ts";

/** `npm run fuzz` sets a larger number of runs with ROBOTS_STREAM_FUZZ_RUNS; ROBOTS_STREAM_THOROUGH alone also means more runs. */
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const numRuns = Number(process.env["ROBOTS_STREAM_FUZZ_RUNS"] ?? (isThorough ? 300 : 60));

const base = { scheme: "https", host: "b.example" } as const;

/** Whether rows may have several lines. */
const isTable = ({ name }: InputFormat): boolean => name === "csv" || name === "tsv";

/** Bytes as a Latin-1 string; most of them form whole lines. A log whose lines need a heading usually begins with the heading. */
const sourceOf = (format: SampledFormat): fc.Arbitrary<string> => {
  const { samples } = format;
  const { record, broken, fragments } = samples;
  const heading = samples.heading === undefined || isTable(format) ? "" : `${samples.heading}\n`;
  const valid = byteStringOf(recordsOf(samples).record("https://a.example/ü"));
  const own = fc.constantFrom(...fragments, ...broken, valid, valid, valid, record);
  const byte = fc.string({ unit: "binary", maxLength: 4 }).map((text) => text.replaceAll(/[^\0-\xff]/gu, "\xe9"));
  const end = fc.constantFrom("\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r", "");
  const line = fc
    .tuple(fc.oneof({ weight: 6, arbitrary: own }, { weight: 1, arbitrary: byte }), end)
    .map((parts) => parts.join(""));
  const start = fc.constantFrom("", "", "", "\xef\xbb\xbf", "\n", "\xef\xbb");
  return fc
    .tuple(start, fc.constantFrom(heading, heading, heading, ""), fc.array(line, { maxLength: 30 }))
    .map(([first, second, rest]) => first + second + rest.join(""));
};

/** The joined batches that a reader returns, or the code of the `UsageError` that it throws. */
async function read(
  format: InputFormat,
  chunks: readonly Uint8Array[],
  options: Parameters<typeof readAll>[2],
): Promise<ReadResult | string> {
  try {
    return await readAll(format, chunks, { base, ...options });
  } catch (error) {
    if (error instanceof UsageError) return error.code;
    throw error;
  }
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

/** The lines that are not only white space, as bytes, without line ends and without a byte order mark. */
function linesOf(text: string, lineEnd: string): string[] {
  const content = text.startsWith("\xef\xbb\xbf") ? text.slice(3) : text;
  return content
    .split(lineEnd)
    .map((line) => line.replace(/\r+$/, ""))
    .filter((line) => /[^ \t\r\n]/.test(line));
}

/** Not trim(): it would remove the byte A0, which may be part of a letter. */
const trimmed = (line: string): string => line.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

const cases = fc.record({
  lengths: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
  lineEnd: fc.constantFrom("\n", "\n", "\n", "\r"),
  maxLineBytes: fc.constantFrom(1_000, 1_000, 100, 20),
});

describe.each(sampledFormats.map((format) => [format.name, format] as const))("%s", (_name, format) => {
  test("the sizes of chunks make no difference", async () => {
    await fc.assert(
      fc.asyncProperty(sourceOf(format), cases, async (text, { lengths, lineEnd, maxLineBytes }) => {
        const bytes = Buffer.from(lineEnd === "\r" ? text.replaceAll("\n", "\r") : text, "latin1");
        const whole = await read(format, [bytes], { lineEnd, maxLineBytes });
        const pieced = await read(format, cut(bytes, lengths), { lineEnd, maxLineBytes });
        expect(pieced).toEqual(whole);
      }),
      { numRuns },
    );
  });

  test("reading that continues from any resume point gives the same result", async () => {
    let continued = 0;
    await fc.assert(
      fc.asyncProperty(sourceOf(format), cases, fc.nat(), async (text, { lengths, lineEnd, maxLineBytes }, stop) => {
        const bytes = Buffer.from(lineEnd === "\r" ? text.replaceAll("\n", "\r") : text, "latin1");
        const options = { lineEnd, maxLineBytes, base } as const;
        let parts: ReadPart[];
        try {
          parts = await batchesOf(format, cut(bytes, lengths), { ...options, givesPlaces: true });
        } catch (error) {
          if (error instanceof UsageError) return;
          throw error;
        }
        const resumable = [...parts.keys()].filter((at) => parts[at]!.place !== undefined);
        const index = resumable[stop % resumable.length];
        if (index === undefined) return;
        const place = parts[index]!.place!;
        continued++;
        const rest = cut(bytes.subarray(place.offset), [1_000]);
        const again = await batchesOf(format, rest, { ...options, from: place, known: parts[index]!.writer });
        expect(joined(again)).toMatchObject({
          heads: parts.slice(index + 1).flatMap(({ heads }) => heads),
          urls: parts.slice(index + 1).flatMap(({ urls }) => urls),
          rejects: parts.slice(index + 1).flatMap(({ rejects }) => rejects),
        });
      }),
      { numRuns },
    );
    expect(continued).toBeGreaterThan(0);
  });

  // Tables have tests of their own below.
  if (isTable(format)) return;
  test("every line is a record or a reject, with unchanged bytes", async () => {
    let records = 0;
    await fc.assert(
      fc.asyncProperty(sourceOf(format), cases, async (source, { lengths, lineEnd, maxLineBytes }) => {
        const text = lineEnd === "\r" ? source.replaceAll("\n", "\r") : source;
        const logRows = format.makesLogRows === true ? { keepLine: true } : undefined;
        const result = await read(format, cut(Buffer.from(text, "latin1"), lengths), {
          lineEnd,
          maxLineBytes,
          logRows,
        });
        if (typeof result === "string") return;
        const lines = linesOf(text, lineEnd).filter(
          (line) => format.samples.isSilent?.(line) !== true || line.length > maxLineBytes,
        );
        expect(result.heads).toHaveLength(result.urls.length);
        expect(result.heads.length + result.rejects.length).toBe(lines.length);
        const known = new Set(lines.flatMap((line) => [line, trimmed(line)]));
        for (const reject of result.rejects) {
          expect(reject.code === "too-long" || known.has(trimmed(reject.text))).toBe(true);
        }
        records += result.heads.length;
        for (const [index, head] of result.heads.entries()) {
          // The head is the record's own bytes up to its closing brace, or it has the whole line as a field, or the URL, which is in the line.
          const isRest = (line: string): boolean =>
            line.startsWith(head) && /^[ \t\r\n]*\}$/.test(line.slice(head.length));
          if ([...known].some(isRest)) continue;
          const { log, url = "" } = JSON.parse(`${head}}`) as { readonly log?: string; readonly url?: string };
          const isPart = log === undefined && format.samples.record !== "{url}";
          expect(isPart ? [...known].some((line) => line.includes(url)) : known.has(log ?? url)).toBe(true);
          if (log === undefined) expect(urlTextOf(url)).toBe(result.urls[index]);
        }
      }),
      { numRuns },
    );
    expect(records).toBeGreaterThan(0);
  });
});

const tables = sampledFormats.filter(isTable);

describe.each(tables.map((format) => [format.name, format] as const))("%s", (name, format) => {
  test("every line is in a record or a reject, byte for byte", async () => {
    const header = `${format.samples.heading ?? ""}\n`;
    let records = 0;
    await fc.assert(
      fc.asyncProperty(sourceOf(format), cases, async (text, { lengths }) => {
        const source = header + text.replace(/^\xef\xbb\xbf?/, "");
        const result = await read(format, cut(Buffer.from(source, "latin1"), lengths), { output: name });
        if (typeof result === "string") return;
        expect(result.heads).toHaveLength(result.urls.length);
        records += result.heads.length;
        const back = [...result.heads, ...result.rejects.map((reject) => reject.text)].join("\n");
        const sorted = (bytes: string): string[] => linesOf(bytes, "\n").toSorted();
        expect(sorted(back)).toEqual(sorted(source).toSpliced(sorted(source).indexOf(header.trimEnd()), 1));
      }),
      { numRuns: numRuns * 3 },
    );
    expect(records).toBeGreaterThan(0);
  });
});
