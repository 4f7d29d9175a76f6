// Defines those flags of the command without a name that control the memory, the parts, the reports and the messages of a run.
import { failConditions } from "./fail-on.ts";
import type { FlagShape } from "../../cli/command-line.ts";
import { sharedFlag } from "../../cli/shared-flags.ts";

export type RunFlagName =
  | "park-bytes"
  | "matcher-bytes"
  | "shard"
  | "checkpoint"
  | "resume"
  | "summary"
  | "stats-json"
  | "verbose"
  | "quiet"
  | "no-progress"
  | "fail-on"
  | "help"
  | "version";

const conditionNames = failConditions.map(({ name }) => name);

/** Every flag, in the order of the help. */
export const runFlags: readonly FlagShape<RunFlagName>[] = [
  {
    name: "park-bytes",
    value: "SIZE",
    about: "Memory for records that wait for their robots.txt; further records wait in a temporary file.",
    otherwise: "64M",
  },
  {
    name: "matcher-bytes",
    value: "SIZE",
    about:
      "Memory for origins and their rules. The least recently used rules are evicted, and parsed again when needed.",
    otherwise: "256M",
  },
  sharedFlag("shard"),
  {
    name: "checkpoint",
    value: "FILE",
    file: { use: "writes" },
    about:
      "Write the run's progress to FILE every few seconds, for --resume. Keeps the input's order; needs --output-file.",
  },
  {
    name: "resume",
    about:
      "Continue from the checkpoint, or begin anew if there is none. The output equals that of an uninterrupted run.",
  },
  {
    name: "summary",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about:
      "At the end, write the counts of decisions and their reasons, the most frequent origins and rules, and the results of fetches; as JSON if FILE ends in .json.",
    otherwise: "stderr, if FILE is missing",
  },
  {
    name: "stats-json",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about: "Write the content of --summary for programs, as one line of JSON: as the last line of stderr, or to FILE.",
  },
  {
    name: "verbose",
    short: "v",
    about:
      "Write one line on stderr for each robots.txt (result, requests, duration), for each origin that takes long, and for each file of a folder.",
  },
  {
    name: "quiet",
    short: "q",
    about: "Write only errors and requested reports to stderr: no notes, rejects, counts or progress.",
  },
  {
    name: "no-progress",
    about: "Show no progress.",
    otherwise: "progress on a terminal, if rows go elsewhere",
  },
  {
    name: "fail-on",
    value: "WHAT",
    choices: conditionNames,
    isList: true,
    isRepeatable: true,
    about: `Exit with 1 if one of these happened: ${conditionNames.join(", ")}; several with commas.`,
  },
  { name: "help", short: "h", about: "Print all of this. -h: only the most common flags." },
  { name: "version", short: "V", about: "Print the version." },
];
