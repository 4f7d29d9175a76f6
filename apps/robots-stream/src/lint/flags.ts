// The command line of `lint` in, what to lint and how to tell it out; its flags as one table, from which its help comes too.
import { parseArgs } from "node:util";

import { UsageError } from "../exit.ts";
import type { FlagName } from "../flags.ts";
import { nearestOf } from "../nearest.ts";
import { type Settings, settingsOf } from "../settings.ts";
import { printableOf } from "../text.ts";
import { lintFormats } from "./formats.ts";
import type { FindingSeverity } from "@robots-stream/core";
import { lintSeverities } from "./severities.ts";
import type { LintFormat } from "./types.ts";

/** The flags that mean what they mean everywhere. */
const sharedFlagNames = ["user-agent", "timeout", "allow-private"] as const;

/** One flag. */
interface LintFlag {
  readonly name: "format" | "level" | "fail-on" | "help" | (typeof sharedFlagNames)[number];
  readonly short?: string;
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string;
  readonly about: string;
  readonly otherwise?: string;
}

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
  {
    name: "user-agent",
    value: "HEADER",
    about: "User-Agent header to ask with.",
    otherwise: "robots-stream (+its address)",
  },
  { name: "timeout", value: "SECONDS", about: "Time for one URL, redirects included.", otherwise: "20" },
  {
    name: "allow-private",
    about: "Also ask private addresses, like localhost.",
    otherwise: "they are unreachable",
  },
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
  const { values, names } = parse(argv);
  if (values.has("help")) return "help";
  const checked = new Map<FlagName, readonly string[]>([["agent", ["any"]]]);
  for (const name of sharedFlagNames) {
    const given = values.get(name);
    if (given !== undefined) checked.set(name, [given]);
  }
  const failOn = values.get("fail-on");
  const formatName = oneOf(
    "format",
    values.get("format") ?? "text",
    lintFormats.map(({ name }) => name),
  );
  return {
    names,
    format: lintFormats.find(({ name }) => name === formatName)!,
    level: oneOf("level", values.get("level") ?? "info", lintSeverities),
    failOn: failOn === undefined ? undefined : oneOf("fail-on", failOn, failSeverities),
    shared: settingsOf({ values: checked, files: [] }),
  };
}

function oneOf<T extends string>(flag: string, name: string, known: readonly T[]): T {
  const found = known.find((each) => each === name.toLowerCase());
  if (found !== undefined) return found;
  const near = nearestOf(name, known);
  throw new UsageError(
    "wrong-value",
    `--${flag} ${printableOf(name, 60)}: must be one of ${known.join(", ")}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

function parse(argv: readonly string[]): { values: Map<LintFlag["name"], string>; names: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      lintFlags.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) } as const,
      ]),
    ),
  });
  const values = new Map<LintFlag["name"], string>();
  const names: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") names.push(token.value);
    if (token.kind !== "option") continue;
    const { rawName, value } = token;
    const flag = lintFlags.find(({ name }) => name === token.name);
    if (flag === undefined) throw unknownFlag(rawName);
    if (flag.value === undefined) {
      if (value !== undefined) throw new UsageError("unexpected-value", `${rawName} takes no value`);
    } else if (value === undefined || (!token.inlineValue && value.startsWith("-") && value !== "-")) {
      throw new UsageError("missing-value", `${rawName} needs a value: ${rawName} ${flag.value}`);
    } else if (values.has(flag.name)) throw new UsageError("repeated-flag", `${rawName} is given twice`);
    values.set(flag.name, value ?? "");
  }
  return { values, names };
}

function unknownFlag(rawName: string): UsageError {
  const known = lintFlags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  const near = nearestOf(rawName, known);
  const hint = near === undefined ? "robots-stream lint --help lists the flags" : `did you mean ${near}?`;
  return new UsageError("unknown-flag", `lint has no flag ${printableOf(rawName, 60)}`, hint);
}

/** The text of `lint --help`. */
export function renderLintHelp(): string {
  const rows = lintFlags.map(({ name, short, value, about, otherwise }) => {
    const left = `  ${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
    return [left, otherwise === undefined ? about : `${about} [${otherwise}]`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
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
${rows.map(([left, right]) => `${left.padEnd(width)}${right}`).join("\n")}

Formats
${lintFormats.map(({ name, about }) => `  ${name.padEnd(8)}${about}`).join("\n")}

Exit codes
  0  everything was read, whatever was found     3    something could not be read or written
  1  the same, and --fail-on was met             130  stopped by Ctrl-C
  2  wrong usage, nothing was read               143  stopped by SIGTERM
`;
}
