// Defines the command `fetch`, which fetches the robots.txt of origins into an indexed snapshot.
import type { Command } from "../../cli/command.ts";

export const fetch: Command = {
  name: "fetch",
  args: "ORIGINS … --snapshot DIR",
  about: "fetches the robots.txt of many origins once, into a snapshot",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).fetchFlags,
  run: async (given) => (await import("./run.ts")).runFetch(given),
};
