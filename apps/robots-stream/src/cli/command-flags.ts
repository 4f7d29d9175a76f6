// Lists every command with its flags, for the shell completions and the manual page.
import type { Command } from "./command.ts";
import type { FlagShape } from "./command-line.ts";

/** A command and its table of flags. */
export interface DescribedCommand {
  /** "" for the command without a name. */
  readonly name: string;
  readonly args: string;
  readonly about: string;
  /** The words that the command's first argument can be. */
  readonly actions: readonly string[];
  /** Whether the other arguments are files. */
  readonly takesFiles: boolean;
  readonly flags: readonly FlagShape<string>[];
}

/** Loads the table of flags and the actions of every command. */
export async function describedCommands(commands: readonly Command[]): Promise<readonly DescribedCommand[]> {
  const described = commands.map(async ({ name, args, about, actions = [], takesFiles = false, flags }) => ({
    name,
    args,
    about,
    actions: typeof actions === "function" ? await actions() : actions,
    takesFiles,
    flags: await flags(),
  }));
  return Promise.all(described);
}
