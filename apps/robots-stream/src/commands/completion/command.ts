// Defines the command `completion`, which prints the completion script of a shell.
import type { Command } from "../../cli/command.ts";
import { shells } from "./shells.ts";

export const completion: Command = {
  name: "completion",
  args: shells.join("|"),
  about: "completion for a shell",
  actions: shells,
  flags: async () => (await import("./run.ts")).completionFlags,
  run: async (given) => (await import("./run.ts")).runCompletion(given),
};
