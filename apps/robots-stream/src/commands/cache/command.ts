// Defines the command `cache`, which lists, shows, exports, imports and removes cache entries.
import type { Command } from "../../cli/command.ts";

export const cache: Command = {
  name: "cache",
  args: "ls|show|export|…",
  about: "robots.txt files that earlier runs fetched",
  actions: async () => (await import("./flags.ts")).cacheActions,
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).cacheFlags,
  run: async (given) => (await import("./run.ts")).runCache(given),
};
