// Defines the command `origins`, which lists the origins of records.
import type { Command } from "../../cli/command.ts";

export const origins: Command = {
  name: "origins",
  args: "FILE|- …",
  about: "the distinct origins of URLs and logs, with counts",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).originsFlags,
  run: async (given) => (await import("./run.ts")).runOrigins(given),
};
