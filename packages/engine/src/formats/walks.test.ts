// Blocks of ordinary and unusual records: the byte walkers give the same results as the readers that create strings, in any
// chunks, and from any point at which a run is resumed.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batchesOf, joined, readAll, type ReadAllOptions } from "../../test/reading.ts";
import type { InputFormat } from "./input-format.ts";
import { fieldsOf } from "./csv/find-record.ts";
import { csv, tsv } from "./csv/format.ts";
import { ndjson } from "./ndjson/format.ts";
import { type UrlParts, urlTemplateOf } from "./url-parts.ts";

const numRuns = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 2_000 : 150;

/** Chunks of these lengths, one after another. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    chunks.push(bytes.subarray(at, at + lengths[turn % lengths.length]!));
    at += lengths[turn % lengths.length]!;
  }
  return chunks;
}

const lengths = fc.array(fc.integer({ min: 20, max: 400 }), { minLength: 1, maxLength: 4 });

/** The records of a source that is read in two parts: up to the resume point after batch `stop`, and from it. */
async function readResumed(
  format: InputFormat,
  chunks: Uint8Array[],
  stop: number,
  options: ReadAllOptions,
): Promise<unknown> {
  const parts = await batchesOf(format, chunks, { ...options, givesPlaces: true });
  const index = stop % Math.max(1, parts.length);
  const place = parts[index]?.place;
  if (place === undefined) return joined(parts);
  const rest = Buffer.concat(chunks).subarray(place.offset);
  const known = parts[index]!.writer;
  const again = await batchesOf(format, [rest], { ...options, from: place, known });
  return { ...joined([...parts.slice(0, index + 1), ...again]), header: joined(parts).header };
}

const composed: readonly (readonly [what: string, urlField: UrlParts])[] = [
  ["path alone", { path: "b" }],
  ["host", { path: "b", host: "a" }],
  ["all parts", { path: "b", host: "a", scheme: "c", query: "d" }],
  ["template", urlTemplateOf("https://{a}{b}")],
  ["longest template", urlTemplateOf("{c}://{a}{b}?{d}&{e}&{f}&{g}&{h}")],
];

describe.each(composed)(
  "a URL of several fields, %s: reading continues from any of its resume points",
  (_what, urlField) => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const rows = Array.from({ length: 40 }, (_, row) => {
      const quoted = row % 7 === 0 ? '"' : "";
      return [`${row}.example`, `/p${row}`, row % 2 === 0 ? "http" : "https", ...names.slice(3)].map((text) => [
        text,
        quoted,
      ]);
    });
    const lineOf = (between: string): string[] => {
      return [names, ...rows.map((row) => row.map(([text, quoted]) => `${quoted}${text}${quoted}`))].map((row) =>
        row.join(between),
      );
    };
    const objects = rows.map((row) => JSON.stringify(Object.fromEntries(row.map(([text], at) => [names[at], text]))));

    test.each([
      ["csv", csv, lineOf(",")],
      ["tsv", tsv, lineOf("\t")],
      ["ndjson", ndjson, objects],
    ] as const)("%s", async (_name, format, lines) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const base = { scheme: "https", host: "base.example" } as const;
      const whole = await readAll(format, [bytes], { urlField, base });
      expect([whole.urls.length, new Set(whole.urls).size, whole.rejects]).toEqual([40, 40, []]);
      for (let stop = 0; stop < 12; stop++) {
        const read = await readResumed(format, cut(bytes, [90, 41]), stop, { urlField, base });
        expect(read).toEqual(whole);
      }
    });
  },
);

const headers = [
  "",
  "a",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Größe/1.0 – 字",
  `Long/${"x".repeat(300)}`,
];

const field = fc.constantFrom(
  ...headers,
  "é",
  "1,2",
  'say ""hi""',
  "x\ny",
  "\\",
  "\t",
  'a"b',
  "http://a.example/",
  "a\rb",
);
const cell = fc.tuple(field, fc.boolean()).map(([text, isQuoted]) => (isQuoted ? `"${text}"` : text));

describe.each([
  { format: csv, between: ",", output: "ndjson" },
  { format: csv, between: ",", output: "csv" },
  { format: tsv, between: "\t", output: "ndjson" },
])("rows are read alike as bytes and as strings, $format.name to $output", ({ format, between, output }) => {
  const fieldsIn = (head: string): readonly string[] =>
    output === "ndjson" ? Object.values(JSON.parse(`${head}}`) as Record<string, string>) : fieldsOf(head, between);

  test.each([[undefined], ["b"], ["url"]])("--agent-field %s", async (agentField) => {
    const rows = fc.array(fc.tuple(cell, cell, cell, fc.constantFrom("\n", "\r\n")), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rows, lengths, fc.nat(), async (list, sizes, stop) => {
        const start = `url,b,c\n"http://a.example/1",2,3\n`.replaceAll(",", between);
        const rest = list.map(([a, b, c, end]) => [a, b, c].join(between) + end).join("");
        const bytes = Buffer.from(start + rest);
        const general = await readAll(format, [bytes], { agentField, asStrings: true });
        const whole = await readAll(format, [bytes], { output, agentField });
        expect(whole.heads.map(fieldsIn)).toEqual(general.heads.map((head) => Object.values(JSON.parse(`${head}}`))));
        expect({ ...whole, heads: [], header: "" }).toEqual({ ...general, heads: [], header: "" });
        const chunks = [Buffer.from(start), ...cut(Buffer.from(rest), sizes)];
        expect(await readAll(format, chunks, { output, agentField })).toEqual(whole);
        expect(await readResumed(format, chunks, stop, { output, agentField })).toEqual(whole);
      }),
      { numRuns },
    );
  });
});

const member = fc.oneof(
  fc.constantFrom(
    '"n":1',
    '"url":"http://a.example/1"',
    '"url":"http:\\/\\/a.example/1"',
    '"\\u0075rl":"http://b.example/é"',
  ),
  fc.constantFrom('"url":1', '"robots":1', '"n":[1,{"ua":"no"}]', '"x\\"y":"\\"ua\\":"', '"":""'),
  fc.constantFrom(...headers).map((header) => `"ua":${JSON.stringify(header)}`),
  fc.constantFrom(
    '"ua":null',
    '"ua":5',
    '"ua":"a\\u00e9\\"b"',
    '"u\\u0061":"escaped name"',
    '"ua":"\\ud83d"',
    '"ua" : "spaced" ',
  ),
  fc.constantFrom(...headers).map((header) => `"request":{"n":"x","ua":${JSON.stringify(header)}}`),
  fc.constantFrom('"request":[]', '"request":"ua"', '"request":{"ua":{}}', '"request":{"ua":"\\u0041","ua":"last"}'),
);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(member, { maxLength: 5 }).map((members) => `{"url":"http://a.example/",${members.join(",")}}`),
  },
  { weight: 3, arbitrary: fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(",")}}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"url":1}',
      '{"u":2}',
      "{}",
      "",
      "[1]",
      '{"url":"a"} x',
      '{"url":"',
      '  {"url":"x"}  \r',
    ),
  },
);

test.each([[undefined], ["ua"], ["request.ua"], ["url"]])(
  "lines of JSON are read alike with and without strings, --agent-field %s",
  async (agentField) => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), lengths, fc.nat(), async (lines, sizes, stop) => {
        const first = '{"url":"http://a.example/","ua":"x","request":{"ua":"y"}}';
        const bytes = Buffer.from([first, ...lines].join("\n"));
        const general = await readAll(ndjson, [bytes], { agentField, asStrings: true });
        expect(general.agents).toHaveLength(agentField === undefined ? 0 : general.heads.length);
        expect(await readAll(ndjson, [bytes], { agentField })).toEqual(general);
        expect(await readAll(ndjson, cut(bytes, sizes), { agentField })).toEqual(general);
        expect(await readResumed(ndjson, cut(bytes, sizes), stop, { agentField })).toEqual(general);
      }),
      { numRuns },
    );
  },
);

test("the User-Agent header of a record is the one that JSON.parse finds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const first = '{"url":"http://a.example/","ua":"x"}';
      const { heads, agents } = await readAll(ndjson, [Buffer.from([first, ...lines].join("\n"))], {
        agentField: "ua",
      });
      const expected = heads.map((head) => {
        const record = JSON.parse(Buffer.from(`${head}}`, "latin1").toString()) as { readonly ua?: unknown };
        return Buffer.from(typeof record.ua === "string" ? record.ua : "").toString("latin1");
      });
      expect(agents).toEqual(expected);
    }),
    { numRuns },
  );
});
