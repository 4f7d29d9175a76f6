// The input formats, in the order of the help.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import { csv, tsv } from "./csv/read.ts";
import { lines } from "./lines/read.ts";
import { lineLogInput } from "./logs/lines.ts";
import { objectLogInput } from "./logs/objects.ts";
import { ndjson } from "./ndjson/format.ts";
import type { InputFormat } from "../records/batch.ts";

/** Every input format there is. */
export const inputFormats: readonly InputFormat[] = [
  ndjson,
  csv,
  tsv,
  lines,
  ...lineLogFormats.map(lineLogInput),
  ...objectLogFormats.map(objectLogInput),
];
