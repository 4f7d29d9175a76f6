// Defines the command `ranges`, which fetches, shows and imports the lists of addresses that operators of crawlers publish.
import type { Command } from "../../cli/command.ts";

export const ranges: Command = {
  name: "ranges",
  args: "ACTION …",
  about: "lists of crawlers' addresses, for --verify",
  actions: async () => (await import("./flags.ts")).rangesActions,
  flags: async () => (await import("./flags.ts")).rangesFlags,
  run: async (given) => (await import("./run.ts")).runRanges(given),
};
