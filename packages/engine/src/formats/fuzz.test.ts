// Any bytes in any chunks through every reader: nothing is lost, nothing is changed, and nothing depends on the chunks.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReadPart, type ReadResult, batchesOf, joined, readAll } from "../../test/reading.ts";
import { UsageError } from "../errors.ts";
import { urlTextOf } from "../text.ts";
import { inputFormats } from "./registry.ts";
import type { InputFormat } from "../records/batch.ts";

/** `npm run fuzz` asks for more. */
const numRuns = Number(process.env["ROBOTS_STREAM_FUZZ_RUNS"] ?? 300);

const base = { scheme: "https", host: "b.example" } as const;

/** What makes formats stumble, and whole lines of each, so that not all of it is junk. */
const pieces: Readonly<Record<string, readonly string[]>> = {
  ndjson: [
    '{"url":"x:1"}',
    '{"url":"\\u00fc","a":[{"b":1}]}',
    '{"url":1}',
    '{"a":"',
    "}",
    "[",
    "1e",
    '"url"',
    ":",
    ",",
    '{"url":"x","robots":1}',
  ],
  csv: ["url,n", "x:1,2", '"x:2","a ""b"""', '"over\ntwo",3', '"', '""', '",', ',"', ",", "https://a.example/1,2"],
  tsv: ["url\tn", "x:1\t2", '"x:2"\t"a"', '"x:3"\t"a\tb"', '"', "\t", "https://a.example/1\t2"],
  lines: ["https://a.example/", "x", "/a", "//b", " "],
  common: ['192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1', '"', "[", "] ", " - ", "\\x16"],
  combined: [
    '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"',
    '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "',
    '"',
    '" 200 ',
    "\\",
  ],
  vhost_combined: [
    'a.example:443 192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x"',
    '"',
    " ",
  ],
  cloudfront: ["#Fields: x-host-header cs-uri-stem", "a.example\t/a", "a.example\t*", "#", "\t", "#Fields:"],
  alb: [
    'http 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET http://a.example:80/ HTTP/1.1" "x" - -',
    '"',
    " ",
  ],
  cdx: [
    " CDX N b a m s",
    "com,a)/ 20240722120756 http://a.example/ text/html 200",
    'com,a)/ 20240722120756 {"url":"http://a.example/"}',
    " {",
    "}",
    "\\u00",
  ],
  cloudflare: [
    '{"ClientRequestHost":"a.example","ClientRequestURI":"/a"}',
    '{"ClientRequestURI":"',
    "}",
    '{"ClientRequestURI":"*"}',
  ],
  caddy: ['{"request":{"remote_ip":"192.0.2.1","host":"a.example","uri":"/a"}}', '{"request":', "{", "}", "[[[["],
};

/** Bytes, as a Latin-1 string, mostly of whole lines. */
const sourceOf = (name: string): fc.Arbitrary<string> => {
  const some = pieces[name];
  if (some === undefined) throw new Error(`${name} has no pieces in this test`);
  const own = fc.constantFrom(...some);
  const byte = fc.string({ unit: "binary", maxLength: 4 }).map((text) => text.replaceAll(/[^\0-\xff]/gu, "\xe9"));
  const end = fc.constantFrom("\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r", "");
  const line = fc
    .tuple(fc.oneof({ weight: 6, arbitrary: own }, { weight: 1, arbitrary: byte }), end)
    .map((parts) => parts.join(""));
  const start = fc.constantFrom("", "", "", "\xef\xbb\xbf", "\n", "\xef\xbb");
  return fc.tuple(start, fc.array(line, { maxLength: 30 })).map(([first, rest]) => first + rest.join(""));
};

/** What is read, or the mistake that it is to read it. */
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

/** The lines that are no mere white space, as bytes; the end of a line is no part of it, nor is a mark of the whole. */
function linesOf(text: string, lineEnd: string): string[] {
  const content = text.startsWith("\xef\xbb\xbf") ? text.slice(3) : text;
  return content
    .split(lineEnd)
    .map((line) => line.replace(/\r+$/, ""))
    .filter((line) => /[^ \t\r\n]/.test(line));
}

/** Not trim(): that takes the byte A0 of a letter for a space. */
const trimmed = (line: string): string => line.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

const isAboutTheLog = (name: string, line: string): boolean =>
  name === "cloudfront"
    ? line.startsWith("#")
    : name === "cdx" && /^ ?CDX(?: [A-Za-z])+ *$/.test(line) && line.includes(" a");

const cases = fc.record({
  lengths: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
  lineEnd: fc.constantFrom("\n", "\n", "\n", "\r"),
  maxLineBytes: fc.constantFrom(1_000, 1_000, 100, 20),
});

describe.each(inputFormats.map((format) => [format.name, format] as const))("%s", (name, format) => {
  test("chunks make no difference", async () => {
    await fc.assert(
      fc.asyncProperty(sourceOf(name), cases, async (text, { lengths, lineEnd, maxLineBytes }) => {
        const bytes = Buffer.from(lineEnd === "\r" ? text.replaceAll("\n", "\r") : text, "latin1");
        const whole = await read(format, [bytes], { lineEnd, maxLineBytes });
        const pieced = await read(format, cut(bytes, lengths), { lineEnd, maxLineBytes });
        expect(pieced).toEqual(whole);
      }),
      { numRuns },
    );
  });

  test("reading that stopped anywhere goes on as if it had not", async () => {
    await fc.assert(
      fc.asyncProperty(sourceOf(name), cases, fc.nat(), async (text, { lengths, lineEnd, maxLineBytes }, stop) => {
        const bytes = Buffer.from(lineEnd === "\r" ? text.replaceAll("\n", "\r") : text, "latin1");
        const options = { lineEnd, maxLineBytes, base } as const;
        let parts: ReadPart[];
        try {
          parts = await batchesOf(format, cut(bytes, lengths), { ...options, givesPlaces: true });
        } catch (error) {
          if (error instanceof UsageError) return;
          throw error;
        }
        const index = stop % Math.max(1, parts.length);
        const place = parts[index]?.place;
        if (place === undefined) return;
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
  });

  // Rows of tables may have several lines; they are below.
  if (name === "csv" || name === "tsv") return;
  test("every line is a record or a reject, and comes back as it was", async () => {
    await fc.assert(
      fc.asyncProperty(sourceOf(name), cases, async (source, { lengths, lineEnd, maxLineBytes }) => {
        const text = lineEnd === "\r" ? source.replaceAll("\n", "\r") : source;
        const result = await read(format, cut(Buffer.from(text, "latin1"), lengths), { lineEnd, maxLineBytes });
        if (typeof result === "string") return;
        const lines = linesOf(text, lineEnd).filter((line) => !isAboutTheLog(name, line) || line.length > maxLineBytes);
        expect(result.heads).toHaveLength(result.urls.length);
        expect(result.heads.length + result.rejects.length).toBe(lines.length);
        const known = new Set(lines.flatMap((line) => [line, trimmed(line)]));
        for (const reject of result.rejects) {
          expect(reject.code === "too-long" || known.has(trimmed(reject.text))).toBe(true);
        }
        for (const [index, head] of result.heads.entries()) {
          const record = JSON.parse(`${head}}`) as { readonly log?: string; readonly url?: string };
          if (record.log !== undefined) expect(known.has(record.log)).toBe(true);
          else if (name === "lines")
            expect([known.has(record.url ?? ""), urlTextOf(record.url ?? "")]).toEqual([true, result.urls[index]]);
          // The record's own bytes, up to its closing brace.
          else {
            const isRest = (line: string): boolean =>
              line.startsWith(head) && /^[ \t\r\n]*\}$/.test(line.slice(head.length));
            expect([...known].some(isRest)).toBe(true);
          }
        }
      }),
      { numRuns },
    );
  });
});

describe.each(["csv", "tsv"])("%s", (name) => {
  const format = inputFormats.find((each) => each.name === name)!;

  test("every line is in a record or a reject, byte for byte", async () => {
    const header = name === "csv" ? "url,n\n" : "url\tn\n";
    await fc.assert(
      fc.asyncProperty(sourceOf(name), cases, async (text, { lengths }) => {
        const source = header + text.replace(/^\xef\xbb\xbf?/, "");
        const result = await read(format, cut(Buffer.from(source, "latin1"), lengths), { output: name });
        if (typeof result === "string") return;
        expect(result.heads).toHaveLength(result.urls.length);
        const back = [...result.heads, ...result.rejects.map((reject) => reject.text)].join("\n");
        const sorted = (bytes: string): string[] => linesOf(bytes, "\n").toSorted();
        expect(sorted(back)).toEqual(sorted(source).toSpliced(sorted(source).indexOf(header.trimEnd()), 1));
      }),
      { numRuns: numRuns * 3 },
    );
  });
});
