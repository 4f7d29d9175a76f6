// Defines those flags of the command without a name that control the memory, the parts, the reports and the messages of a run.
import { failConditions } from "./fail-on.ts";
import { flag } from "../../cli/flag.ts";
import { shardFlag } from "../../cli/input-settings.ts";
import { rowOf, sizeFrom } from "../../cli/values.ts";

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
