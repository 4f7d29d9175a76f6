// Defines the command `merge`, which merges the documents of audits.
import type { Command } from "../../cli/command.ts";

export const merge: Command = {
  name: "merge",
  args: "AUDIT.json …",
  about: "one report from the audits of parts of a log",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).mergeFlags,
  run: async (given) => (await import("./run.ts")).runMerge(given),
};
