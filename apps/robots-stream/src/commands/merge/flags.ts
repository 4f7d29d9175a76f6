// Defines the flags of `merge`, converts a command line to settings, and renders the help.
import { UsageError } from "@robots-stream/engine";
import type { UsedFile } from "@robots-stream/engine/internal";
import { type FlagShape, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import {
  filesOfReport,
  type ReportFlagName,
  reportFlags,
  type ReportSettings,
  reportSettingsOf,
} from "../../cli/audit/report-flags.ts";

/** Every flag, in the order of the help. */
export const mergeFlags: readonly FlagShape<ReportFlagName | "help">[] = [
  ...reportFlags,
  { name: "help", short: "h", about: "Print this." },
];

export interface MergeSettings {
  readonly files: readonly string[];
  readonly report: ReportSettings;
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function mergeSettingsOf(argv: readonly string[]): MergeSettings | "help" {
  const { values, files } = parseCommandLine(mergeFlags, argv, "robots-stream merge");
  if (values.has("help")) return "help";
  if (files.length === 0) {
    throw new UsageError("no-input", "name the audits to merge", "for example: robots-stream merge part*.json");
  }
  if (files.filter((file) => file === "-").length > 1) throw new UsageError("unusable-input", '"-" is given twice');
  return { files, report: reportSettingsOf(values), namedFiles: filesOfReport(mergeFlags, values) };
}

export function renderMergeHelp(): string {
  return `robots-stream merge: one report from the audits of parts of a log

Usage
  robots-stream merge AUDIT.json … [flags]

Reads the output of robots-stream audit --output json from files, named pipes and stdin ("-"). All audits must have the same robots.txt files and program version. The report does not depend on how the log was divided, or on the order of the parts.

Examples
  robots-stream merge part1.json part2.json
  robots-stream merge part*.json --output-file report.html
  robots-stream merge monday.json tuesday.json -o json > week.json
  robots-stream audit access.log --robots robots -o json | robots-stream merge yesterday.json -

Flags
${renderRows(mergeFlags)}

Exit codes
  0  the audits were merged
  1  --fail-on was met
  2  wrong usage, or audits that cannot be merged
  3  the output could not be written
`;
}
