// The input formats, in the order of the help.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import { csv, tsv } from "./csv.ts";
import { lines } from "./lines.ts";
import { lineLogInput } from "./log-lines.ts";
import { objectLogInput } from "./log-objects.ts";
import { ndjson } from "./ndjson.ts";
import type { InputFormat } from "./types.ts";

/** Every input format there is. */
export const inputFormats: readonly InputFormat[] = [
  ndjson,
  csv,
  tsv,
  lines,
  ...lineLogFormats.map(lineLogInput),
  ...objectLogFormats.map(objectLogInput),
];
