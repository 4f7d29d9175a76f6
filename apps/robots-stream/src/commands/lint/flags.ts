// The command line of `lint` in, what to lint and how to tell it out; its flags as one table, from which its help comes too.
import { type FlagShape, choiceOf, parseCommandLine } from "../../shell/command-line.ts";
import { renderRows } from "../../shell/flag-help.ts";
import type { FlagName } from "../decide/flags.ts";
import { type Settings, settingsOf } from "../decide/settings.ts";
import { lintFormats } from "./formats.ts";
import type { FindingSeverity } from "@robots-stream/core/lint";
import { type NetworkFlagName, networkFlags } from "../../shell/network/flags.ts";
import { lintSeverities } from "./severities.ts";
import type { LintFormat } from "./types.ts";

/** The flags that mean what they mean everywhere. */
const sharedFlags = networkFlags.filter(({ name }) => name !== "concurrency");

/** One flag. */
type LintFlag = FlagShape<"format" | "level" | "fail-on" | "help" | NetworkFlagName>;

const failSeverities: readonly FindingSeverity[] = ["warning", "error"];

/** Every flag, in the order of the help. */
export const lintFlags: readonly LintFlag[] = [
  {
    name: "format",
    short: "f",
    value: "FORMAT",
    about: `How to tell it: ${lintFormats.map(({ name }) => name).join(", ")}.`,
    otherwise: "text",
  },
  {
    name: "level",
    value: "SEVERITY",
    about: `Lowest severity to tell: ${lintSeverities.join(", ")}.`,
    otherwise: "info",
  },
  {
    name: "fail-on",
    value: "SEVERITY",
    about: `Exit with 1 for findings from this severity on: ${failSeverities.join(", ")}.`,
  },
  ...sharedFlags,
  { name: "help", short: "h", about: "Print this." },
];

/** What is asked. */
export interface LintSettings {
  /** Names of files, URLs, "-" for stdin. */
  readonly names: readonly string[];
  readonly format: LintFormat;
  readonly level: FindingSeverity;
  readonly failOn: FindingSeverity | undefined;
  /** The rest, with the meaning it has for every command. */
  readonly shared: Settings;
}

/** Reads a command line; `"help"` when that is asked for. Throws a `UsageError` for the first mistake. */
export function lintSettingsOf(argv: readonly string[]): LintSettings | "help" {
  const { values, files: names } = parseCommandLine(lintFlags, argv, "robots-stream lint");
  const last = (name: LintFlag["name"]): string | undefined => values.get(name)?.at(-1);
  if (values.has("help")) return "help";
  const checked = new Map<FlagName, readonly string[]>([["agent", ["any"]]]);
  for (const { name } of sharedFlags) {
    const given = values.get(name);
    if (given !== undefined) checked.set(name, given);
  }
  const failOn = last("fail-on");
  const formatName = choiceOf(
    "format",
    last("format") ?? "text",
    lintFormats.map(({ name }) => name),
  );
  return {
    names,
    format: lintFormats.find(({ name }) => name === formatName)!,
    level: choiceOf("level", last("level") ?? "info", lintSeverities),
    failOn: failOn === undefined ? undefined : choiceOf("fail-on", failOn, failSeverities),
    shared: settingsOf({ values: checked, files: [] }),
  };
}

/** The text of `lint --help`. */
export function renderLintHelp(): string {
  return `robots-stream lint: what in this robots.txt does not do what it seems to do?

Usage
  robots-stream lint FILE|URL|- … [flags]
  … | robots-stream lint [flags]

Tells of misspellings, rules that match nothing or change nothing, groups that are not what they
look like, bytes that do not belong there. Of a URL the robots.txt of its origin is asked for. What
each finding means, with examples: docs/LINT.md.

Examples
  robots-stream lint robots.txt --fail-on warning
  robots-stream lint https://example.com --level warning
  robots-stream lint public/robots.txt --format sarif > robots.sarif

Flags
${renderRows(lintFlags)}

Formats
${lintFormats.map(({ name, about }) => `  ${name.padEnd(8)}${about}`).join("\n")}

Exit codes
  0  everything was read, whatever was found     3    something could not be read or written
  1  the same, and --fail-on was met             130  stopped by Ctrl-C
  2  wrong usage, nothing was read               143  stopped by SIGTERM
`;
}
