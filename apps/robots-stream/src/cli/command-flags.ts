// Loads the tables of flags of all commands, for the shell completions and the manual page.
import type { Command, CommandBody } from "./command.ts";

/** A command with the parts of its body that describe it. Its name is "" for the command without a name. */
export type DescribedCommand = Omit<Command, "body"> & Pick<CommandBody, "flags" | "actions">;

/** Loads the table of flags and the actions of every command. */
export async function describedCommands(commands: readonly Command[]): Promise<readonly DescribedCommand[]> {
  return Promise.all(
    commands.map(async ({ body, ...face }) => {
      const { flags, actions } = await body();
      return { ...face, flags, actions };
    }),
  );
}
