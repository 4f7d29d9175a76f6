// Lists the output formats for findings. The flag --output and the help are made from this list.
import { github } from "./github.ts";
import { ndjson } from "./ndjson.ts";
import { sarif } from "./sarif.ts";
import { text } from "./text.ts";
import type { LintFormat } from "./types.ts";

export const lintFormats: readonly [LintFormat, ...LintFormat[]] = [text, ndjson, sarif, github];
