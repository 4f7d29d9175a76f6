// Defines the flags of the default command: `robots-stream` without the name of a command. The parser, --help and docs/FLAGS.md use this
// table.
import { type CommandLine, type FlagShape, parseCommandLine } from "../../shell/command-line.ts";
import {
  dialectNames,
  inputFormats,
  logMembers,
  outputFormats,
  rowChoices,
  targetForms,
  tokenMatches,
} from "@robots-stream/engine/internal";
import { namedSetsOf } from "../../shell/asked-agents.ts";
import { crawlerSets } from "@robots-stream/agents";
import type { CacheFlagName } from "../../shell/cache/settings.ts";
import type { InputFlagName } from "../../shell/input-settings.ts";
import { logTimezoneFlag } from "../../shell/log-timezone.ts";
import { type FieldFlagName, fieldFlag } from "../../shell/field-flags.ts";
import { fileOfLogFormat } from "../../shell/log-format.ts";
import { type HistoryFlagName, historyFlags } from "../../shell/history-flags.ts";
import { networkFlags } from "../../shell/network/flags.ts";
import { type PageFlagName, pageFlags } from "../../shell/page/flags.ts";
import type { QuestionFlagName } from "../../shell/question-settings.ts";
import type { RobotsFlagName } from "../../shell/robots-settings.ts";
import { type VerifyFlagName, verifyFlags } from "../../shell/verify/flags.ts";
import { type WindowFlagName, windowFlags } from "../../shell/time-window.ts";
import { type RunFlagName, runFlags } from "./run-flags.ts";
import { type OutputFlagName, outputFlags } from "../../shell/output-format.ts";

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

/** Describes the value of `--agents` as a file that the run reads, except for a value that names sets of crawlers. */
export const agentsFile: NonNullable<Flag["file"]> = {
  use: "reads",
  isNone: (value) => namedSetsOf(value) !== undefined,
};

/** Every flag, in the order of the help. */
export const flags: readonly Flag[] = [
  {
    name: "agent",
    short: "a",
    value: "TOKEN",
    isRepeatable: true,
    section: "Decision",
    about:
      "Product token of the crawler, as robots.txt names it: bingbot, not a User-Agent header. Several: A,B; each gets its own row.",
  },
  {
    name: "agents",
    value: "SET|FILE",
    isRepeatable: true,
    file: agentsFile,
    choices: crawlerSets.map(({ name }) => name),
    section: "Decision",
    about: `Sets of crawlers, several with commas: ${namesOf(crawlerSets)}; or a file with one name per line and # before comments.`,
  },
  { ...fieldFlag("agent-field"), section: "Decision" },
  ...verifyFlags.map((flag) => ({ ...flag, section: "Decision" as const })),
  {
    name: "crawlers",
    value: "FILE",
    file: { use: "reads" },
    section: "Decision",
    about:
      "File with crawlers to add to the known ones: one JSON object per line, with productToken, names and headerNames.",
  },
  {
    name: "no-fallback",
    section: "Decision",
    about: "Look only for groups that name the crawler itself, and for *.",
    otherwise: "all names of a known crawler, in order: Googlebot-Image, then Googlebot, then *",
  },
  {
    name: "dialect",
    value: "NAMES",
    choices: dialectNames,
    isList: true,
    section: "Decision",
    about: `How to read robots.txt: ${dialectNames.join(", ")}; several with commas, each with its own row.`,
    otherwise: "google",
  },
  { name: "only-differences", section: "Decision", about: "Write only records that the dialects decide differently." },
  {
    name: "token-match",
    value: "HOW",
    choices: tokenMatches,
    section: "Decision",
    about:
      "How to compare TOKEN with user-agent lines: google (only the leading letters, _ and -), whole (the whole name).",
    otherwise: "google; whole for names with other characters, like MJ12bot",
  },
  {
    name: "target",
    value: "FORM",
    choices: targetForms,
    section: "Decision",
    about:
      "What rules are compared with: raw (the target as the URL has it), normalized (without dot segments and needless escapes).",
    otherwise: "raw",
  },
  {
    name: "input",
    short: "i",
    value: "FORMAT",
    choices: inputFormats.map(({ name }) => name),
    section: "Input",
    about: `Input format: ${namesOf(inputFormats)}.`,
    otherwise: "detected from the content and the file's ending",
  },
  {
    name: "log-format",
    value: "PATTERN|@FILE",
    section: "Input",
    file: {
      use: "reads",
      isNone: (value) => !value.startsWith("@"),
      pathOf: (value) => fileOfLogFormat(value) ?? value,
    },
    about:
      "The log's pattern, copied from the server's configuration: nginx's log_format, Apache's LogFormat; also patterns of HAProxy, Envoy and Squid. @FILE or @FILE:NAME: read the pattern from the configuration file.",
  },
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
  {
    name: "base",
    value: "[FILE=|host:NAME=]ORIGIN",
    isRepeatable: true,
    section: "Input",
    about:
      "Origin of the requests, for a log that does not name it: https://example.com. Also for URLs that begin with /. FILE=ORIGIN (a file, folder or pattern): only for these files. host:NAME=ORIGIN: for records that name this host.",
  },
  {
    name: "max-line-bytes",
    value: "SIZE",
    section: "Input",
    about: "Maximum size of a line or record. A longer one is a reject.",
    otherwise: "1M",
  },
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
  {
    name: "result-key",
    value: "NAME",
    section: "Output",
    about: "Name of the added object, or prefix of the added columns.",
    otherwise: "robots",
  },
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
  {
    name: "robots",
    value: "DIR|FILE",
    file: { use: "reads" },
    section: "Robots.txt",
    about:
      "Use saved robots.txt files, not the network: DIR contains example.com.txt …; FILE applies to every origin. DIR or FILE may also be an archive.",
    otherwise: "the robots.txt of each origin is fetched, and fetched again when it has expired",
  },
  ...historyFlags.map((flag) => ({ ...flag, section: "Robots.txt" }) as const),
  ...networkFlags.map((flag) => ({ ...flag, section: "Robots.txt" }) as const),
  {
    name: "max-bytes",
    value: "SIZE",
    section: "Robots.txt",
    about: "Maximum number of bytes to read from each robots.txt.",
    otherwise: "512000",
  },
  {
    name: "cache",
    value: "DIR|URL|none",
    section: "Robots.txt",
    about: "Where to keep fetched robots.txt files between runs: a folder, redis://host:port, or none.",
    otherwise: "$ROBOTS_STREAM_CACHE, else the user's folder for caches",
  },
  {
    name: "cache-max-bytes",
    value: "SIZE",
    section: "Robots.txt",
    about: "Maximum size of the cache; the oldest fetches are removed first.",
    otherwise: "1G",
  },
  {
    name: "max-age",
    value: "AGE",
    section: "Robots.txt",
    about:
      "Use only cache entries younger than this: 90s, 30m, 12h, 7d. Origins that were unreachable are fetched again sooner.",
    otherwise: "until the time that the server sets, at most --max-fresh",
  },
  {
    name: "max-fresh",
    value: "AGE",
    section: "Robots.txt",
    about:
      "Maximum time for which a server's max-age keeps a cache entry fresh. More than 24h needs --access-policy google.",
    otherwise: "24h",
  },
  {
    name: "offline",
    section: "Robots.txt",
    about:
      "Use only the cache, with entries of any age. Origins without a readable entry are unreachable (code not-cached).",
  },
  { name: "refresh", section: "Robots.txt", about: "Fetch every origin again, and store the results in the cache." },
  ...runFlags.map((flag) => ({ ...flag, section: "Run" }) as const),
];

export type ParsedFlags = CommandLine<FlagName>;

/** Parses a command line. Throws a `UsageError` for an unknown flag, and for a missing, unexpected or repeated value. */
export function parseFlags(args: readonly string[]): ParsedFlags {
  return parseCommandLine(flags, args, "robots-stream");
}
