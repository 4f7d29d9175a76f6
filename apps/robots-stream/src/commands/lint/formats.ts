// The formats of findings: one list, from which the flag and the help come.
import { github } from "./github.ts";
import { ndjson } from "./ndjson.ts";
import { sarif } from "./sarif.ts";
import { text } from "./text.ts";
import type { LintFormat } from "./types.ts";

export const lintFormats: readonly [LintFormat, ...LintFormat[]] = [text, ndjson, sarif, github];
