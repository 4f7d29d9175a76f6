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
      "Memory for origins and their rules; rules that were not used lately are evicted, and made again when needed.",
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
    about: "Threads that read and decide; one more reads bytes and writes rows. They gain time from three cores on.",
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
    about: "Continue from the checkpoint, or begin when there is none. The output is that of an uninterrupted run.",
  },
  {
    name: "summary",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about:
      "At the end write what was decided and why, the most frequent origins and rules, and the results of fetches; as JSON into a FILE.json.",
    otherwise: "without FILE to stderr",
  },
  {
    name: "stats-json",
    value: "FILE",
    takes: () => false,
    file: { use: "writes" },
    about: "The same for programs: one line of JSON, the last one of stderr, or in FILE.",
  },
  {
    name: "verbose",
    short: "v",
    about: "Write a line on stderr for each robots.txt: result, requests, duration; and for origins that take long.",
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
    about: `Exit with 1 when it happened: ${conditionNames.join(", ")}; several with commas.`,
  },
  { name: "help", short: "h", about: "Print all of this; -h: the flags most used." },
  { name: "version", short: "V", about: "Print the version." },
];
