// Tests floods of lines that are not records: batches stay small even after a long text was held back, and the NDJSON reader calls
// JSON.parse fewer than ten times.
import { afterEach, expect, test, vi } from "vitest";
import { batchesOf, chunksOf } from "../../test/reading.ts";
import { inputFormats } from "./registry/registry.ts";

/** Limit of rows and rejects in a batch, for all readers. */
const mostAtOnce = 4_096;
const lines = 20_000;

const record = '{"url":"https://a.example/"}\n';
const header = "url,title\nhttps://a.example/,x\n";
const floods: [string, string, string, string][] = [
  ["ndjson", "opened objects", record, "{\n"],
  ["ndjson", "opened arrays", record, "[\n"],
  ["ndjson", "quotes", record, '"\n'],
  ["ndjson", "text", record, "x\n"],
  ["ndjson", "values that are no object", record, "[1]\n"],
  ["ndjson", "half a record", record, '{"url":"https://a.example/\n'],
  ["ndjson", "escaped names", record, '{"\\u0061":1,"\\u0061\\n":2}\n'],
  ["csv", "empty quoted fields after an opening quote", `${header}"\n`, '""\n'],
  ["csv", "the same with CR LF", `${header}"\r\n`, '""\r\n'],
  ["csv", "the same with CR alone before the end of a line", `${header}"\n`, '""\r\n'],
  ["csv", "rows that are too short", header, "x\n"],
  ["csv", "quoted rows that are too short", header, '"x"\n'],
  ["csv", "quotes in forbidden places", header, 'x"y,z\n'],
  ["tsv", "empty quoted fields after an opening quote", `${header.replaceAll(",", "\t")}"\n`, '""\n'],
  ["combined", "text", "", "x\n"],
  ["cdx", "text", "", "x\n"],
  ["caddy", "half a record", "", '{"request":\n'],
];

afterEach(() => void vi.restoreAllMocks());

test.each(floods)("%s: %s", async (name, _what, first, line) => {
  const format = inputFormats.find((each) => each.name === name)!;
  const bytes = Buffer.from(first + line.repeat(lines));
  // Once in one chunk, and once in small pieces, where an open quote holds back 64 KB.
  for (const [size, maxLineBytes] of [
    [bytes.length, 1_048_576],
    [1_000, 65_536],
  ] as const) {
    const parse = vi.spyOn(JSON, "parse");
    const batches = await batchesOf(format, chunksOf(bytes, size), {
      maxLineBytes,
      base: "https://a.example" as never,
    });
    const sizes = batches.map(({ heads, rejects }) => heads.length + rejects.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(mostAtOnce);
    const rejects = batches.reduce((sum, batch) => sum + batch.rejects.length, 0);
    expect(rejects).toBe(lines + (first.endsWith('"\n') || first.endsWith('"\r\n') ? 1 : 0));
    if (name === "ndjson") expect(parse.mock.calls.length).toBeLessThan(10);
    vi.restoreAllMocks();
  }
});
