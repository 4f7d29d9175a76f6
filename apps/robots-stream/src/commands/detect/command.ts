// Defines the command `detect`, which reports how a file would be read.
import type { Command } from "../../cli/command.ts";

export const detect: Command = {
  name: "detect",
  args: "FILE …",
  about: "how a file would be read",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).detectFlags,
  run: async (given) => (await import("./run.ts")).runDetect(given),
};
