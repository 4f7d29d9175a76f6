// Defines the flags of the default command: `robots-stream` without the name of a command. The parser, --help and docs/FLAGS.md use this
// table.
import { logMembers, outputFormats, rowChoices, rowForms } from "@robots-stream/engine/internal";
import { cacheFlags } from "../../cli/cache/settings.ts";
import { type CommandLine, parseCommandLine } from "../../cli/command-line.ts";
import {
  agentFieldFlag,
  methodFieldFlag,
  timeFieldFlag,
  urlFieldFlags,
  baseFlag,
  inputFlag,
  logFormatFlag,
  maxLineBytesFlag,
  resultKeyFlag,
} from "../../cli/input-settings.ts";
import { flag } from "../../cli/flag.ts";
import { logTimezoneFlag } from "../../cli/log-flags.ts";
import { networkFlags } from "../../cli/network/flags.ts";
import { outputFlags } from "../../cli/output-format.ts";
import { pageFlags } from "../../cli/page/flags.ts";
import {
  agentFlag,
  agentsFlag,
  crawlersFlag,
  dialectFlag,
  noFallbackFlag,
  targetFlag,
  tokenMatchFlag,
} from "../../cli/question-settings.ts";
import { historyFlags, maxBytesFlag, robotsFlag } from "../../cli/robots/flags.ts";
import { windowFlags } from "../../cli/time-window.ts";
import { oneOf, someOf } from "../../cli/values.ts";
import { verifyFlags } from "../../cli/verify/flags.ts";
import { runFlags } from "./run-flags.ts";

/**
 * The values of `--signals`: the signals in robots.txt that the command can read. A test checks that @robots-stream/preferences knows each
 * of them.
 */
export const usageSignals = ["content-usage", "content-signal", "control-token", "license"] as const;

/** What `--output-file` does in this command. */
const fileAbout =
  "Write into FILE; its content is replaced as soon as the first record has been read, or the input has ended.";

const decisionFlags = [
  agentFlag,
  agentsFlag,
  agentFieldFlag,
  ...verifyFlags,
  crawlersFlag,
  noFallbackFlag,
  dialectFlag,
  flag({ name: "only-differences", about: "Write only records that the dialects decide differently." }),
  tokenMatchFlag,
  targetFlag,
];

const inputFlags = [
  inputFlag,
  logFormatFlag,
  ...urlFieldFlags,
  ...windowFlags,
  timeFieldFlag,
  logTimezoneFlag,
  {
    ...methodFieldFlag,
    about:
      "With --as-of-record: field with the method of the request, if the input is not a log. A CONNECT request is not decided, because it has no URL.",
  },
  baseFlag,
  maxLineBytesFlag,
];

const rowFlags = [
  ...outputFlags(outputFormats, "table on a terminal, else ndjson").map((row) =>
    row.name === "output" ? row : { ...row, about: fileAbout },
  ),
  flag({
    name: "only",
    value: "WHAT",
    choices: rowChoices.map(({ name }) => name),
    isList: true,
    about: `Write only some rows: ${rowChoices.map(({ name }) => name).join(", ")}; several with commas. Counts and --fail-on include all rows.`,
    otherwise: "every row",
    read: someOf<string>(rowChoices.map(({ name }) => name)),
  }),
  flag({
    name: "preferences",
    about:
      "Add robots.usage: the preferences in robots.txt about the use of the content (training, search, AI input), each with its line.",
  }),
  flag({
    name: "signals",
    value: "NAMES",
    choices: usageSignals,
    isList: true,
    about: `The signals that --preferences reads: ${usageSignals.join(", ")}; several with commas.`,
    otherwise: "all of them",
    read: someOf(usageSignals),
  }),
  resultKeyFlag,
  flag({
    name: "rows",
    value: "FORM",
    about:
      "agent: one row for each record and crawler. record: one row for each record, with the answers for all crawlers (NDJSON only).",
    otherwise: "agent",
    read: oneOf<string>(rowForms),
    usual: "agent",
  }),
  flag({
    name: "ordered",
    about: "Keep the order of the input.",
    otherwise: "rows are written as soon as they are decided",
    mayChange: true,
  }),
  flag({
    name: "csv-safe",
    about: "Put ' before CSV fields that a spreadsheet would run as a formula.",
    otherwise: "fields are unchanged",
  }),
  flag({
    name: "without",
    value: "NAMES",
    isRepeatable: true,
    about: `Members to leave out of the rows of a log: ${logMembers.join(", ")}; several with commas.`,
    otherwise: "all members of the log",
    read: (list) => list.split(",").map((name) => name.trim()),
  }),
  flag({
    name: "keep-line",
    about: "Add each line of a log to its row, in a member named log.",
  }),
  flag({
    name: "rejects",
    value: "FILE",
    file: { use: "writes" },
    about: "Write rejects (lines without a valid record) into FILE, with their text and the reason.",
    otherwise: "stderr reports the first 10",
  }),
];

const robotsFlags = [robotsFlag, ...historyFlags, ...networkFlags, maxBytesFlag, ...cacheFlags];

/** The sections of --help with their flags. */
export const sections = [
  { name: "Decision", flags: decisionFlags },
  { name: "Input", flags: inputFlags },
  { name: "Page", flags: pageFlags },
  { name: "Output", flags: rowFlags },
  { name: "Robots.txt", flags: robotsFlags },
  { name: "Run", flags: runFlags },
];

/** Every flag, in the order of the help. */
export const flags = [...decisionFlags, ...inputFlags, ...pageFlags, ...rowFlags, ...robotsFlags, ...runFlags];

/** Parses a command line. Throws a `UsageError` for an unknown flag, and for a missing, unexpected or repeated value. */
export function parseFlags(args: readonly string[]): CommandLine {
  return parseCommandLine(flags, args, "robots-stream");
}
