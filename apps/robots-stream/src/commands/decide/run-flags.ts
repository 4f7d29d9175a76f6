// The flags of the command without a name about the run itself: its memory, its parts, its reports, its messages.
import { failConditions } from "@robots-stream/engine/internal";
import type { FlagShape } from "../../shell/command-line.ts";

/** The names of these flags. */
export type RunFlagName =
  | "park-bytes"
  | "matcher-bytes"
  | "shard"
  | "workers"
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
    about: "Memory for records that wait for their robots.txt; more wait in a temporary file.",
    otherwise: "64M",
  },
  {
    name: "matcher-bytes",
    value: "SIZE",
    about:
      "Memory for origins and their rules; the least recently used rules are evicted, and rebuilt when they are needed.",
    otherwise: "256M",
  },
  {
    name: "shard",
    value: "I/N",
    about: "Only records whose origin is in part I of N. Each origin is in one part.",
    otherwise: "all",
  },
  {
    name: "workers",
    value: "N",
    about:
      "Number of threads that read and decide; one more thread reads bytes and writes rows. Several save time from three cores on.",
    otherwise: "1",
  },
  {
    name: "checkpoint",
    value: "FILE",
    file: { use: "writes" },
    about: "Write to FILE, every few seconds, how far the run has come. Keeps the input's order; needs --output-file.",
  },
  {
    name: "resume",
    about: "Continue from the checkpoint, or begin without one. The output is that of an uninterrupted run.",
  },
  {
    name: "summary",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about:
      "At the end, write what was decided and why, the most frequent origins and rules, and the results of fetches; as JSON if FILE ends in .json.",
    otherwise: "without FILE to stderr",
  },
  {
    name: "stats-json",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about: "The content of --summary for programs, as one line of JSON: the last line of stderr, or in FILE.",
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
    about: "Only errors and requested reports on stderr: no notes, no rejects, no counts, no progress.",
  },
  {
    name: "no-progress",
    about: "Show no progress.",
    otherwise: "on a terminal, when rows go elsewhere",
  },
  {
    name: "fail-on",
    value: "WHAT",
    choices: conditionNames,
    isList: true,
    isRepeatable: true,
    about: `Exit with 1 if one of these happened: ${conditionNames.join(", ")}; several with commas.`,
  },
  { name: "help", short: "h", about: "Print all of this; -h: the flags most used." },
  { name: "version", short: "V", about: "Print the version." },
];
