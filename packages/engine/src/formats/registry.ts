// The formats: a row for each, and nothing else in the engine lists them.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import type { InputFormat } from "../records/batch.ts";
import { csv, tsv } from "./csv/format.ts";
import { csv as csvOutput, tsv as tsvOutput } from "./csv/write.ts";
import { lines } from "./lines/format.ts";
import { lineLogInput } from "./logs/lines.ts";
import { objectLogInput } from "./logs/objects.ts";
import { ndjson } from "./ndjson/format.ts";
import { ndjson as ndjsonOutput } from "./ndjson/write.ts";
import type { OutputFormat } from "./types.ts";

/** Every input format, in the order of the help. Of two with the same evidence for a source the first is taken. */
export const inputFormats: readonly InputFormat[] = [
  ndjson,
  csv,
  tsv,
  lines,
  ...lineLogFormats.map(lineLogInput),
  ...objectLogFormats.map(objectLogInput),
];

/** Every output format that writes rows, in the order of the help; the first is the default. */
export const outputFormats: readonly OutputFormat[] = [ndjsonOutput, csvOutput, tsvOutput];
