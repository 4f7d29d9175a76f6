// Defines the command `census`, which counts what many robots.txt files say.
import type { Command } from "../../cli/command.ts";

export const census: Command = {
  name: "census",
  args: "--robots SOURCE … | --robots-history SOURCE …",
  about: "which share of sites closes itself to which crawler, and since when",
  takesFiles: false,
  flags: async () => (await import("./flags.ts")).censusFlags,
  run: async (given) => (await import("./run.ts")).runCensus(given),
};
