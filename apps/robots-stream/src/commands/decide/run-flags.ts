// Defines those flags of the command without a name that control the memory, the parts, the reports and the messages of a run, and converts
// those about reports and messages to settings.
import { UsageError } from "@robots-stream/engine";
import type { Tally } from "@robots-stream/engine/internal";
import { flag, type FlagValues, given } from "../../cli/flag.ts";
import { shardFlag } from "../../cli/input-settings.ts";
import { rowOf, sizeFrom } from "../../cli/values.ts";

/** A condition of `--fail-on`. */
export interface FailCondition {
  readonly name: string;
  readonly about: string;
  isMet(tally: Tally): boolean;
}

/** The conditions of `--fail-on`, in the order of the help. */
export const failConditions: readonly FailCondition[] = [
  {
    name: "disallowed",
    about: "a record was disallowed for an agent",
    isMet: ({ questions }) => questions.some(({ disallowed }) => disallowed > 0),
  },
  {
    name: "unreachable",
    about: "a robots.txt was unreachable",
    isMet: ({ unreachable }) => unreachable > 0,
  },
  {
    name: "undecided",
    about: "a record has no URL that can be decided",
    isMet: ({ questions }) => questions.some(({ undecided }) => undecided > 0),
  },
  {
    name: "reject",
    about: "a line has no valid record",
    isMet: ({ rejects }) => rejects > 0,
  },
];

const conditionNames = failConditions.map(({ name }) => name);

/** Every flag, in the order of the help. */
export const runFlags = [
  flag({
    name: "park-bytes",
    value: "SIZE",
    about: "Memory for records that wait for their robots.txt; further records wait in a temporary file.",
    otherwise: "64M",
    mayChange: true,
    read: sizeFrom(),
    usual: 64 * 1_048_576,
  }),
  flag({
    name: "matcher-bytes",
    value: "SIZE",
    about:
      "Memory for origins and their rules. The least recently used rules are evicted, and parsed again when needed.",
    otherwise: "256M",
    mayChange: true,
    read: sizeFrom("1", "1024G"),
    usual: 256 * 1_048_576,
  }),
  shardFlag,
  flag({
    name: "checkpoint",
    value: "FILE",
    file: { use: "writes" },
    about:
      "Write the run's progress to FILE every few seconds, for --resume. Keeps the input's order; needs --output-file.",
    mayChange: true,
  }),
  flag({
    name: "resume",
    about:
      "Continue from the checkpoint, or begin anew if there is none. The output equals that of an uninterrupted run.",
    mayChange: true,
  }),
  flag({
    name: "summary",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about:
      "At the end, write the counts of decisions and their reasons, the most frequent origins and rules, and the results of fetches; as JSON if FILE ends in .json.",
    otherwise: "stderr, if FILE is missing",
    mayChange: true,
  }),
  flag({
    name: "stats-json",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about: "Write the content of --summary for programs, as one line of JSON: as the last line of stderr, or to FILE.",
    mayChange: true,
  }),
  flag({
    name: "verbose",
    short: "v",
    about:
      "Write one line on stderr for each robots.txt (result, requests, duration), for each origin that takes long, and for each file of a folder.",
    mayChange: true,
  }),
  flag({
    name: "quiet",
    short: "q",
    about: "Write only errors and requested reports to stderr: no notes, rejects, counts or progress.",
    mayChange: true,
  }),
  flag({
    name: "no-progress",
    about: "Show no progress.",
    otherwise: "progress on a terminal, if rows go elsewhere",
    mayChange: true,
  }),
  flag({
    name: "fail-on",
    value: "WHAT",
    choices: conditionNames,
    isList: true,
    isRepeatable: true,
    about: `Exit with 1 if one of these happened: ${conditionNames.join(", ")}; several with commas.`,
    mayChange: true,
    read: (list, name) => list.split(",").map((text) => rowOf(name, text.trim(), failConditions)),
  }),
  flag({ name: "help", short: "h", about: "Print all of this. -h: only the most common flags." }),
  flag({ name: "version", short: "V", about: "Print the version." }),
];

/** The form of a report: text for people, an indented JSON document, or one line of JSON. */
type ReportForm = "text" | "json" | "json-line";

/** A report that is written at the end of a run. */
export interface Report {
  readonly flag: "summary" | "stats-json";
  /** The file to write to; undefined: stderr. */
  readonly path: string | undefined;
  readonly form: ReportForm;
}

export interface SeenSettings {
  readonly reports: readonly Report[];
  /** Whether only errors and requested reports are written. */
  readonly isQuiet: boolean;
  /** Whether the messages of `--verbose` are written, such as one for each loaded robots.txt. */
  readonly isVerbose: boolean;
  /** Whether the flags allow a progress line. */
  readonly hasProgress: boolean;
}

/** Converts the flags to settings. Throws a `UsageError` for flags that cannot be combined. */
export function seenSettingsOf(values: FlagValues): SeenSettings {
  const flags = given(values, runFlags);
  const [isQuiet, isVerbose] = [flags.get("quiet"), flags.get("verbose")];
  if (isQuiet && isVerbose) throw new UsageError("wrong-value", "--quiet and --verbose cannot be combined");
  const reports: Report[] = [];
  for (const name of ["summary", "stats-json"] as const) {
    const text = flags.get(name);
    if (text === undefined) continue;
    const form = name === "stats-json" ? "json-line" : /\.json$/i.test(text) ? "json" : "text";
    reports.push({ flag: name, path: text === "" ? undefined : text, form });
  }
  return { reports, isQuiet, isVerbose, hasProgress: !flags.get("no-progress") && !isQuiet };
}
