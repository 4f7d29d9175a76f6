// Defines the command `man`, which prints the manual page.
import type { Command } from "../../cli/command.ts";

export const man: Command = {
  name: "man",
  args: "",
  about: "the manual page",
  flags: async () => (await import("./run.ts")).manFlags,
  run: async (given) => (await import("./run.ts")).runMan(given),
};
