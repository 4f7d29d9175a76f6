// Defines the command `diff`, which compares the effect of two robots.txt files on crawlers.
import type { Command } from "../../cli/command.ts";

export const diff: Command = {
  name: "diff",
  args: "OLD NEW [LOG …]",
  about: "which URLs a change of robots.txt opens or closes, and for which crawlers",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).diffFlags,
  run: async (given) => (await import("./run.ts")).runDiff(given),
};
