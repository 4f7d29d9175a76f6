// Defines the command without a name, which decides every record of its input.
import type { Command, CommandBody } from "../../cli/command.ts";
import { flags } from "./flags.ts";
import { runDecide } from "./run.ts";

export const decideBody: CommandBody = { flags, actions: [], run: runDecide };

export const decide: Command = {
  name: "",
  args: "--agent TOKEN [flags] [FILE …]",
  about: "may this crawler fetch each URL",
  takesFiles: true,
  body: () => Promise.resolve(decideBody),
};
