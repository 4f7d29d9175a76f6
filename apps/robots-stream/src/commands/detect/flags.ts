// The command line of `detect` in, what to look at out; its flags as one table, from which its help comes too.
import { type FlagShape, parseCommandLine } from "../../shell/command-line.ts";
import { type FlagName, flags } from "../decide/flags.ts";
import { type Settings, settingsOf } from "../decide/settings.ts";

/** The flags that mean what they mean everywhere. */
type SharedFlagName = "input" | "url-field" | "base" | "max-line-bytes" | "result-key";
type DetectFlag = FlagShape<SharedFlagName | "json" | "help">;

const sharedFlagNames: readonly SharedFlagName[] = ["input", "url-field", "base", "max-line-bytes", "result-key"];

/** Every flag, in the order of the help. */
export const detectFlags: readonly DetectFlag[] = [
  ...sharedFlagNames.map((name) => ({ ...flags.find((flag) => flag.name === name)!, name })),
  { name: "json", about: "Write one line of JSON for each file." },
  { name: "help", short: "h", about: "Print this." },
];

/** What to look at. */
export interface DetectSettings {
  readonly paths: readonly string[];
  readonly isJson: boolean;
  /** The rest, with the meaning it has for every command. */
  readonly shared: Settings;
}

/** Reads a command line; `"help"` when that is asked for. Throws a `UsageError` for the first mistake. */
export function detectSettingsOf(argv: readonly string[]): DetectSettings | "help" {
  const { values, files: paths } = parseCommandLine(detectFlags, argv, "robots-stream detect");
  if (values.has("help")) return "help";
  // No crawler is asked for anything.
  const checked = new Map<FlagName, readonly string[]>([["agent", ["any"]]]);
  for (const name of sharedFlagNames) {
    const given = values.get(name);
    if (given !== undefined) checked.set(name, given);
  }
  return { paths, isJson: values.has("json"), shared: settingsOf({ values: checked, files: [] }) };
}

/** The text of `detect --help`. */
export function renderDetectHelp(): string {
  const rows = detectFlags.map(({ name, short, value, about, otherwise }) => {
    const left = `  ${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
    return [left, about, otherwise === undefined ? undefined : `[${otherwise}]`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.flatMap(([left, about, otherwise]) => [
    `${left.padEnd(width)}${about}`,
    ...(otherwise === undefined ? [] : [`${" ".repeat(width)}${otherwise}`]),
  ]);
  return `robots-stream detect: how would this file be read?

Usage
  robots-stream detect FILE|- … [flags]
  … | robots-stream detect [flags]

Tells format, compression and fields, the first record as it is understood, and what would be asked
for it: whose robots.txt, and which target. Nothing is asked over the network.

Examples
  robots-stream detect urls.csv
  robots-stream detect access.log.gz --base https://example.com
  robots-stream detect export.csv --url-field "Target URL" --json

Flags
${lines.join("\n")}

Exit codes
  0  every file would be read                        130  stopped by Ctrl-C
  2  wrong usage, or a file that would not be read   143  stopped by SIGTERM
  3  reading or writing failed
`;
}
