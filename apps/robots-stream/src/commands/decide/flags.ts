// Defines the flags of the default command: `robots-stream` without the name of a command. The parser, --help and docs/FLAGS.md use this
// table.
import { type CommandLine, type FlagShape, parseCommandLine } from "../../cli/command-line.ts";
import { logMembers, outputFormats, rowChoices } from "@robots-stream/engine/internal";
import type { CacheFlagName } from "../../cli/cache/settings.ts";
import type { InputFlagName } from "../../cli/input-settings.ts";
import { logTimezoneFlag } from "../../cli/log-timezone.ts";
import { type FieldFlagName, fieldFlag } from "../../cli/field-flags.ts";
import { type HistoryFlagName, historyFlags } from "../../cli/robots/history-flags.ts";
import { sharedFlag } from "../../cli/shared-flags.ts";
import { networkFlags } from "../../cli/network/flags.ts";
import { type PageFlagName, pageFlags } from "../../cli/page/flags.ts";
import type { QuestionFlagName } from "../../cli/question-settings.ts";
import type { RobotsFlagName } from "../../cli/robots/settings.ts";
import { type VerifyFlagName, verifyFlags } from "../../cli/verify/flags.ts";
import { type WindowFlagName, windowFlags } from "../../cli/time-window.ts";
import { type RunFlagName, runFlags } from "./run-flags.ts";
import { type OutputFlagName, outputFlags } from "../../cli/output-format.ts";

export type FlagName =
  | OutputFlagName
  | InputFlagName
  | QuestionFlagName
  | RobotsFlagName
  | CacheFlagName
  | FieldFlagName
  | PageFlagName
  | VerifyFlagName
  | HistoryFlagName
  | WindowFlagName
  | "only-differences"
  | "only"
  | "target"
  | "preferences"
  | "signals"
  | "result-key"
  | "rows"
  | "ordered"
  | "csv-safe"
  | "keep-line"
  | "without"
  | "rejects"
  | RunFlagName;

/** The name of a section of the help. */
type Section = "Decision" | "Input" | "Page" | "Output" | "Robots.txt" | "Run";

export interface Flag extends FlagShape<FlagName> {
  readonly section: Section;
}

/** The sections of --help in their order. */
export const sections: readonly Section[] = ["Decision", "Input", "Page", "Output", "Robots.txt", "Run"];

const namesOf = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(", ");

/**
 * The values of `--signals`: the signals in robots.txt that the command can read. A test checks that @robots-stream/preferences knows each
 * of them.
 */
export const usageSignals = ["content-usage", "content-signal", "control-token", "license"] as const;

/** Every flag, in the order of the help. */
export const flags: readonly Flag[] = [
  { ...sharedFlag("agent"), section: "Decision" },
  { ...sharedFlag("agents"), section: "Decision" },
  { ...fieldFlag("agent-field"), section: "Decision" },
  ...verifyFlags.map((flag) => ({ ...flag, section: "Decision" as const })),
  { ...sharedFlag("crawlers"), section: "Decision" },
  { ...sharedFlag("no-fallback"), section: "Decision" },
  { ...sharedFlag("dialect"), section: "Decision" },
  { name: "only-differences", section: "Decision", about: "Write only records that the dialects decide differently." },
  { ...sharedFlag("token-match"), section: "Decision" },
  { ...sharedFlag("target"), section: "Decision" },
  { ...sharedFlag("input"), section: "Input" },
  { ...sharedFlag("log-format"), section: "Input" },
  { ...fieldFlag("url-field"), section: "Input" },
  { ...fieldFlag("url-template"), section: "Input" },
  { ...fieldFlag("path-field"), section: "Input" },
  { ...fieldFlag("host-field"), section: "Input" },
  { ...fieldFlag("scheme-field"), section: "Input" },
  { ...fieldFlag("query-field"), section: "Input" },
  ...windowFlags.map((flag) => ({ ...flag, section: "Input" }) as const),
  { ...fieldFlag("time-field"), section: "Input" },
  { ...logTimezoneFlag, section: "Input" },
  {
    ...fieldFlag("method-field"),
    section: "Input",
    about:
      "With --as-of-record: field with the method of the request, if the input is not a log. A CONNECT request is not decided, because it has no URL.",
  },
  { ...sharedFlag("base"), section: "Input" },
  { ...sharedFlag("max-line-bytes"), section: "Input" },
  ...pageFlags.map((flag) => ({ ...flag, section: "Page" }) as const),
  ...outputFlags(
    outputFormats,
    "its content is replaced as soon as the first record has been read, or the input has ended",
    "table on a terminal, else ndjson",
  ).map((flag) => ({ ...flag, section: "Output" }) as const),
  {
    name: "only",
    value: "WHAT",
    choices: rowChoices.map(({ name }) => name),
    isList: true,
    section: "Output",
    about: `Write only some rows: ${namesOf(rowChoices)}; several with commas. Counts and --fail-on include all rows.`,
    otherwise: "every row",
  },
  {
    name: "preferences",
    section: "Output",
    about:
      "Add robots.usage: the preferences in robots.txt about the use of the content (training, search, AI input), each with its line.",
  },
  {
    name: "signals",
    value: "NAMES",
    choices: usageSignals,
    isList: true,
    section: "Output",
    about: `The signals that --preferences reads: ${usageSignals.join(", ")}; several with commas.`,
    otherwise: "all of them",
  },
  { ...sharedFlag("result-key"), section: "Output" },
  {
    name: "rows",
    value: "FORM",
    section: "Output",
    about:
      "agent: one row for each record and crawler. record: one row for each record, with the answers for all crawlers (NDJSON only).",
    otherwise: "agent",
  },
  {
    name: "ordered",
    section: "Output",
    about: "Keep the order of the input.",
    otherwise: "rows are written as soon as they are decided",
  },
  {
    name: "csv-safe",
    section: "Output",
    about: "Put ' before CSV fields that a spreadsheet would run as a formula.",
    otherwise: "fields are unchanged",
  },
  {
    name: "without",
    value: "NAMES",
    isRepeatable: true,
    section: "Output",
    about: `Members to leave out of the rows of a log: ${logMembers.join(", ")}; several with commas.`,
    otherwise: "all members of the log",
  },
  {
    name: "keep-line",
    section: "Output",
    about: "Add each line of a log to its row, in a member named log.",
  },
  {
    name: "rejects",
    value: "FILE",
    file: { use: "writes" },
    section: "Output",
    about: "Write rejects (lines without a valid record) into FILE, with their text and the reason.",
    otherwise: "stderr reports the first 10",
  },
  { ...sharedFlag("robots"), section: "Robots.txt" },
  ...historyFlags.map((flag) => ({ ...flag, section: "Robots.txt" }) as const),
  ...networkFlags.map((flag) => ({ ...flag, section: "Robots.txt" }) as const),
  { ...sharedFlag("max-bytes"), section: "Robots.txt" },
  { ...sharedFlag("cache"), section: "Robots.txt" },
  { ...sharedFlag("cache-required"), section: "Robots.txt" },
  { ...sharedFlag("cache-max-bytes"), section: "Robots.txt" },
  { ...sharedFlag("max-age"), section: "Robots.txt" },
  { ...sharedFlag("max-fresh"), section: "Robots.txt" },
  { ...sharedFlag("offline"), section: "Robots.txt" },
  { ...sharedFlag("refresh"), section: "Robots.txt" },
  ...runFlags.map((flag) => ({ ...flag, section: "Run" }) as const),
];

export type ParsedFlags = CommandLine<FlagName>;

/** Parses a command line. Throws a `UsageError` for an unknown flag, and for a missing, unexpected or repeated value. */
export function parseFlags(args: readonly string[]): ParsedFlags {
  return parseCommandLine(flags, args, "robots-stream");
}
