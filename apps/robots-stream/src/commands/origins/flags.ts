// Defines the flags of `origins`, converts a command line to settings, and renders the help.
import type { UsedFile } from "@robots-stream/engine/internal";
import { type FlagShape, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { type InputFlagName, type InputSettings, inputSettingsOf } from "../../cli/input-settings.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type Output, type OutputFlagName, outputFlags, outputOf, type TextFormat } from "../../cli/output-format.ts";
import { readingFlags } from "../../cli/shared-flags.ts";

/** The output formats. NDJSON is the default, because the command `fetch` and other programs read this format. */
const originsFormats: readonly [TextFormat, TextFormat] = [{ name: "ndjson" }, { name: "text" }];

/** Every flag, in the order of the help. */
export const originsFlags: readonly FlagShape<InputFlagName | OutputFlagName | "help">[] = [
  ...readingFlags,
  ...outputFlags(originsFormats),
  { name: "help", short: "h", about: "Print this." },
];

export interface OriginsSettings extends InputSettings {
  readonly files: readonly string[];
  readonly output: Output<TextFormat>;
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function originsSettingsOf(argv: readonly string[]): OriginsSettings | "help" {
  const { values, files } = parseCommandLine(originsFlags, argv, "robots-stream origins");
  if (values.has("help")) return "help";
  return {
    ...inputSettingsOf(values),
    files,
    output: outputOf(values, originsFormats),
    namedFiles: filesOfFlags(originsFlags, values),
  };
}

export function renderOriginsHelp(): string {
  return `robots-stream origins: which origins (scheme, host, port) do these URLs and logs have?

Usage
  robots-stream origins FILE|- … [flags]
  … | robots-stream origins [flags]

Reads every input that robots-stream reads, and writes one JSON line for each origin with the number of its records, in byte order (-o text: the number, then the origin). The output is also a valid input: the counts of each origin are added up. Nothing is fetched. Memory is bounded; origins beyond the bound go to a temporary file.

Examples
  robots-stream origins access.log.gz > origins.ndjson
  robots-stream origins monday.ndjson tuesday.ndjson > week.ndjson
  robots-stream origins urls.csv | robots-stream fetch - --snapshot robots/

Flags
${renderRows(originsFlags)}

Exit codes
  0    every file was read
  2    wrong usage, or a file that could not be read
  3    reading or writing failed midway; the output covers the records read before the failure
  130  stopped by Ctrl-C, without output
  143  stopped by SIGTERM, without output
`;
}
