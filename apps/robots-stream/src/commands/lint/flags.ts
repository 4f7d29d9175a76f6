// Defines the flags of `lint`, converts a command line to settings, and renders the help.
import type { FindingSeverity } from "@robots-stream/core/lint";
import type { UsedFile } from "@robots-stream/engine/internal";
import { choiceOf, type FlagShape, lastOf, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type NetworkFlagName, networkFlags, refuseWithSaved } from "../../cli/network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "../../cli/network/settings.ts";
import { type Output, type OutputFlagName, outputFlags, outputOf } from "../../cli/output-format.ts";
import { lintFormats } from "./formats.ts";
import { lintSeverities } from "./severities.ts";
import type { LintFormat } from "./types.ts";

type LintFlag = FlagShape<OutputFlagName | "level" | "fail-on" | "robots" | "help" | NetworkFlagName>;

/** The severities that `--fail-on` takes, and "none": findings do not change the exit code. */
const failSeverities = ["error", "warning", "none"] as const;

/** Every flag, in the order of the help. */
export const lintFlags: readonly LintFlag[] = [
  ...outputFlags(lintFormats),
  {
    name: "level",
    value: "SEVERITY",
    choices: lintSeverities,
    about: `Lowest severity to report: ${lintSeverities.join(", ")}.`,
    otherwise: "info",
  },
  {
    name: "fail-on",
    value: "SEVERITY",
    choices: failSeverities,
    about: `Exit with 1 if there is a finding of this severity or a higher one: ${failSeverities.join(", ")}.`,
    otherwise: "error",
  },
  {
    name: "robots",
    value: "DIR|FILE",
    file: { use: "reads" },
    about: "Read the robots.txt of a URL from saved files or an archive, not from the network.",
    otherwise: "the robots.txt is fetched",
  },
  // `--concurrency` is omitted, because `lint` fetches one origin at a time.
  ...networkFlags.filter(({ name }) => name !== "concurrency"),
  { name: "help", short: "h", about: "Print this." },
];

export interface LintSettings {
  /** Names of files, URLs, or "-" for stdin. */
  readonly names: readonly string[];
  readonly output: Output<LintFormat>;
  readonly level: FindingSeverity;
  readonly failOn: (typeof failSeverities)[number];
  readonly network: NetworkSettings;
  /** The saved files or the archive from which the robots.txt of a URL is read; undefined: the network. */
  readonly robotsPath: string | undefined;
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Returns `"help"` when `--help` is given. Throws a `UsageError` for the first mistake. */
export function lintSettingsOf(argv: readonly string[]): LintSettings | "help" {
  const { values, files: names } = parseCommandLine(lintFlags, argv, "robots-stream lint");
  if (values.has("help")) return "help";
  refuseWithSaved(values);
  return {
    names,
    output: outputOf(values, lintFormats),
    level: choiceOf("level", lastOf(values, "level") ?? "info", lintSeverities),
    failOn: choiceOf("fail-on", lastOf(values, "fail-on") ?? "error", failSeverities),
    network: networkSettingsOf(values),
    robotsPath: lastOf(values, "robots"),
    namedFiles: filesOfFlags(lintFlags, values),
  };
}

export function renderLintHelp(): string {
  return `robots-stream lint: what is wrong with this robots.txt?

Usage
  robots-stream lint FILE|URL|- … [flags]
  … | robots-stream lint [flags]

Reports misspellings, rules without an effect, groups with an unexpected effect, and invalid bytes. For a URL, the robots.txt of its origin is fetched. docs/LINT.md explains each finding with examples.

Examples
  robots-stream lint robots.txt --fail-on warning
  robots-stream lint https://example.com --level warning
  robots-stream lint public/robots.txt --output-file robots.sarif

Flags
${renderRows(lintFlags)}

Formats
${lintFormats.map(({ name, about }) => `  ${name.padEnd(8)}${about}`).join("\n")}

Exit codes
  0    everything was read, without a finding of --fail-on
  1    everything was read, and there is a finding of --fail-on: an error, by default
  2    wrong usage, nothing was read
  3    something could not be read or written
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
