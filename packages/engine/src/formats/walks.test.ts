// Blocks of ordinary and unusual records: the byte walkers give the same results as the readers that create strings.
import fc from "fast-check";
import { expect, test } from "vitest";
import { readAll } from "../../test/reading.ts";
import { csv, tsv } from "./csv/format.ts";
import { ndjson } from "./ndjson/format.ts";

/** A line limit equal to the longest line disables the walkers; the readers must then give the same results. */
async function readBothWays(format: typeof csv, text: string, output: string): Promise<[fast: unknown, slow: unknown]> {
  const bytes = Buffer.from(text, "utf8");
  const fast = await readAll(format, [bytes], { output });
  // With a base no records are packed; whole URLs are not changed by it.
  const slow = await readAll(format, [bytes], { output, base: { scheme: "http", host: "a.example" } });
  return [fast, slow];
}

const field = fc.constantFrom(
  "",
  "a",
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

test.each([
  { format: csv, between: ",", output: "ndjson" },
  { format: csv, between: ",", output: "csv" },
  { format: tsv, between: "\t", output: "ndjson" },
])("rows are read alike by walking and by splitting, $format.name to $output", async ({ format, between, output }) => {
  const rows = fc.array(fc.tuple(cell, cell, cell, fc.constantFrom("\n", "\r\n")), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, async (list) => {
      // The walk starts at the second block.
      const start = `url,b,c\n"http://a.example/1",2,3\n`.replaceAll(",", between);
      const rest = list.map(([a, b, c, end]) => [a, b, c].join(between) + end).join("");
      const chunks = [Buffer.from(start), Buffer.from(rest)];
      const fast = await readAll(format, chunks, { output });
      const slow = await readAll(format, chunks, { output, base: { scheme: "http", host: "a.example" } });
      expect(fast).toEqual(slow);
    }),
    { numRuns: 500 },
  );
});

test("lines of JSON give the same result by walking and by scanning", async () => {
  const line = fc.oneof(
    fc.constant('{"url":"http://a.example/1","n":1}'),
    fc.constant('{"url":"http:\\/\\/a.example/1","n":[1,{}]}'),
    fc.constant('  {"url":"x","url":"http://b.example/é"}  \r'),
    fc.constantFrom('{"url":1}', '{"u":2}', "{}", "", "[1]", '{"url":"a","robots":1}', '{"url":"a"} x', '{"url":"'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const [fast, slow] = await readBothWays(ndjson, ['{"url":"http://a.example/"}', ...lines].join("\n"), "ndjson");
      expect(fast).toEqual(slow);
    }),
    { numRuns: 500 },
  );
});
