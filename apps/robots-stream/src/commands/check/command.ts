// Defines the command `test`, which compares the decisions of a robots.txt with expected decisions.
import type { Command } from "../../cli/command.ts";

export const test: Command = {
  name: "test",
  args: "ROBOTS TESTS …",
  about: "compares the decisions of a robots.txt with expected ones",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).testFlags,
  run: async (given) => (await import("./run.ts")).runTest(given),
};
