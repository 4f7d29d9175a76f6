// The output formats, in the order of the help.
import { csv, tsv } from "./csv/write.ts";
import { ndjson } from "./ndjson/write.ts";
import type { OutputFormat } from "./types.ts";

/** Every output format there is; the first is the default. */
export const outputFormats: readonly OutputFormat[] = [ndjson, csv, tsv];
