// The registry of formats: one row per format. Only library/decide-stream.ts lists names besides: those of the output formats for programs.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import type { InputFormat } from "../input-format.ts";
import { csv, tsv } from "../csv/format.ts";
import { csv as csvOutput, tsv as tsvOutput } from "../csv/write.ts";
import { lines } from "../lines.ts";
import { lineLogInput } from "../logs/lines.ts";
import { objectLogInput } from "../logs/object-lines.ts";
import { sitemap } from "../sitemap/format.ts";
import { ndjson, parquet } from "../ndjson/format.ts";
import { ndjson as ndjsonOutput } from "../ndjson/write.ts";
import { table } from "../table/write.ts";
import { warc } from "../warc/format.ts";
import type { OutputFormat } from "../types.ts";

/** All input formats, in the order of the help. When two recognize a source by the same kind of evidence, the first is chosen. */
export const inputFormats: readonly InputFormat[] = [
  ndjson,
  csv,
  tsv,
  lines,
  sitemap,
  warc,
  parquet,
  ...lineLogFormats.map(lineLogInput),
  ...objectLogFormats.map(objectLogInput),
];

/** The input format of this name; undefined if there is none. */
export function inputFormatNamed(name: string): InputFormat | undefined {
  return inputFormats.find((format) => format.name === name);
}

/** All output formats that write rows, in the order of the help; the first one is the default. */
export const outputFormats: readonly OutputFormat[] = [ndjsonOutput, csvOutput, tsvOutput, table];
