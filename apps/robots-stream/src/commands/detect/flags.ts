// Defines the flags of `detect`, converts a command line to settings, and renders the help.
import type { UsedFile } from "@robots-stream/engine/internal";
import { type FlagShape, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { type InputFlagName, type InputSettings, inputSettingsOf, resultKeyOf } from "../../cli/input-settings.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import {
  type Output,
  type OutputFlagName,
  outputFlags,
  outputOf,
  type TextFormat,
  textFormats,
} from "../../cli/output-format.ts";
import { readingFlags, sharedFlag } from "../../cli/shared-flags.ts";

/** The names of the flags that `detect` shares with the command without a name. */
type SharedFlagName = InputFlagName | "result-key";
type DetectFlag = FlagShape<SharedFlagName | OutputFlagName | "help">;

/** Every flag, in the order of the help. */
export const detectFlags: readonly DetectFlag[] = [
  ...readingFlags,
  sharedFlag("result-key"),
  ...outputFlags(textFormats),
  { name: "help", short: "h", about: "Print this." },
];

export interface DetectSettings {
  readonly paths: readonly string[];
  readonly output: Output<TextFormat>;
  /** Settings for reading the input. They have the same meaning as in the command without a name. */
  readonly reading: InputSettings & { readonly resultKey: string };
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function detectSettingsOf(argv: readonly string[]): DetectSettings | "help" {
  const { values, files: paths } = parseCommandLine(detectFlags, argv, "robots-stream detect");
  if (values.has("help")) return "help";
  return {
    paths,
    output: outputOf(values, textFormats),
    reading: { ...inputSettingsOf(values), resultKey: resultKeyOf(values) },
    namedFiles: filesOfFlags(detectFlags, values),
  };
}

export function renderDetectHelp(): string {
  return `robots-stream detect: how would this file be read?

Usage
  robots-stream detect FILE|- … [flags]
  … | robots-stream detect [flags]

Shows the format, compression and fields, the first record as it is read, and the origin and target that would be decided. Nothing is fetched.

Examples
  robots-stream detect urls.csv
  robots-stream detect access.log.gz --base https://example.com
  robots-stream detect export.csv --url-field "Target URL" --output ndjson

Flags
${renderRows(detectFlags)}

Exit codes
  0    every file can be read as input
  2    wrong usage, or a file that cannot be read as input
  3    reading or writing failed
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
