// Defines the command `lint`, which finds mistakes in robots.txt files.
import type { Command } from "../../cli/command.ts";

export const lint: Command = {
  name: "lint",
  args: "FILE|URL …",
  about: "mistakes in a robots.txt",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).lintFlags,
  run: async (given) => (await import("./run.ts")).runLint(given),
};
