// Defines the command `explain`, which explains why a URL is allowed or not.
import type { Command } from "../../cli/command.ts";

export const explain: Command = {
  name: "explain",
  args: "URL … --agent TOKEN",
  about: "the robots.txt lines that decide a URL",
  flags: async () => (await import("./flags.ts")).explainFlags,
  run: async (given) => (await import("./run.ts")).runExplain(given),
};
