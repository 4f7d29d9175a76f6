// Defines the command without a name, which decides every record of its input.
import type { Command } from "../../cli/command.ts";
import { flags } from "./flags.ts";
import { runDecide } from "./run.ts";

export const decide: Command = {
  name: "",
  args: "--agent TOKEN [flags] [FILE …]",
  about: "may this crawler fetch each URL",
  takesFiles: true,
  flags: () => Promise.resolve(flags),
  run: runDecide,
};
