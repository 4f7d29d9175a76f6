// The input formats, in the order of the help.
import { csv, tsv } from "./csv.ts";
import { lines } from "./lines.ts";
import { ndjson } from "./ndjson.ts";
import type { InputFormat } from "./types.ts";

/** Every input format there is. */
export const inputFormats: readonly InputFormat[] = [ndjson, csv, tsv, lines];
