// The output format, or the error, for values of --output and --output-file.
import { UsageError } from "@robots-stream/engine";
import { outputFormats } from "@robots-stream/engine/internal";
import { describe, expect, test } from "vitest";
import { type NamedFormat, outputOf } from "./output-format.ts";

type Formats = readonly [NamedFormat, ...NamedFormat[]];
const formatsOf = (...names: [string, ...string[]]): Formats => names.map((name) => ({ name })) as unknown as Formats;
const rows = formatsOf("ndjson", "csv", "tsv");
const lint = formatsOf("text", "ndjson", "sarif", "github");
const text = formatsOf("text", "ndjson");
const exported = formatsOf("ndjson", "warc");

function chosen(formats: Formats, output: string | undefined, file: string | undefined): string {
  const values = new Map<string, readonly string[]>();
  if (output !== undefined) values.set("output", [output]);
  if (file !== undefined) values.set("output-file", [file]);
  return outputOf(values, formats).format.name;
}

test.each<[what: string, formats: Formats, output: string | undefined, file: string | undefined, format: string]>([
  ["neither flag", rows, undefined, undefined, "ndjson"],
  ["neither flag, for a command that prints text", text, undefined, undefined, "text"],
  ["a format alone", rows, "tsv", undefined, "tsv"],
  ["a format in capitals", rows, "CSV", undefined, "csv"],
  ["a file alone", rows, undefined, "a/b.csv", "csv"],
  ["an ending in capitals", rows, undefined, "B.TSV", "tsv"],
  [".tab", rows, undefined, "b.tab", "tsv"],
  [".ndjson", rows, undefined, "b.ndjson", "ndjson"],
  [".jsonl", text, undefined, "b.jsonl", "ndjson"],
  [".json", lint, undefined, "b.json", "ndjson"],
  [".sarif", lint, undefined, "b.sarif", "sarif"],
  [".sarif.json", lint, undefined, "b.sarif.json", "sarif"],
  [".warc.gz", exported, undefined, "b.warc.gz", "warc"],
  [".txt", text, undefined, "b.txt", "text"],
  ["no ending", text, undefined, "some.folder/out", "text"],
  ["a hidden file", rows, undefined, ".csv", "csv"],
  ["a device", rows, undefined, "/dev/stdout", "ndjson"],
  ["both flags, which agree", rows, "csv", "b.csv", "csv"],
  ["both flags: SARIF in a .json file", lint, "sarif", "b.json", "sarif"],
  ["both flags: CSV in a .txt file", rows, "csv", "b.txt", "csv"],
  ["both flags: an ending that means no format", rows, "csv", "b.out", "csv"],
])("%s", (_what, formats, output, file, format) => expect(chosen(formats, output, file)).toBe(format));

test.each<[what: string, formats: Formats, output: string | undefined, file: string | undefined, message: RegExp]>([
  ["an unknown format", rows, "xml", undefined, /^--output xml: must be one of ndjson, csv, tsv$/],
  [
    "a contradiction",
    rows,
    "csv",
    "b.tsv",
    /^--output csv and --output-file b\.tsv cannot be combined: the file's ending means tsv$/,
  ],
  ["a contradiction with a format of other commands", lint, "text", "b.csv", /cannot be combined: .* means csv$/],
  [
    "an ending that means no format",
    rows,
    undefined,
    "b.out",
    /^--output-file b\.out: the ending \.out means none of /,
  ],
  ["an ending of other commands", text, undefined, "b.csv", /the ending \.csv means none of the formats text, ndjson$/],
  [
    "an ending of compressed data",
    rows,
    undefined,
    "b.csv.gz",
    /output is not compressed, but the ending \.gz means compressed data$/,
  ],
  [
    "an ending of compressed data, with --output",
    rows,
    "csv",
    "b.csv.ZST",
    /output is not compressed, but the ending \.zst /,
  ],
  ["a WARC that would not be compressed", exported, undefined, "b.warc", /the ending \.warc means none/],
  ["escape sequences", rows, undefined, "b.\u001b[31m", /the ending \.\\x1b\[31m means none/],
])("%s is refused", (_what, formats, output, file, message) => {
  const choose = (): string => chosen(formats, output, file);
  expect(choose).toThrow(UsageError);
  expect(choose).toThrow(message);
});

describe("the formats of decisions", () => {
  test.each(outputFormats)("the ending .$name means $name", ({ name }) => {
    expect(chosen(outputFormats as unknown as Formats, undefined, `decided.${name}`)).toBe(name);
  });
});
