// Runs the command that the arguments name and returns its exit code.
import { decide } from "./commands/decide/command.ts";
import { commands } from "./commands/list.ts";
import type { CommandRun } from "./shell/command.ts";
import { exitCodeAfter, hearErrorEvents } from "./shell/ending.ts";
import { createSay } from "./shell/say.ts";

/** Runs the command that the first argument names, else the command without a name (decide). Never rejects. */
export async function main(given: CommandRun): Promise<number> {
  const [first, ...rest] = given.argv;
  const named = commands.find(({ name }) => name === first);
  try {
    return await (named === undefined ? decide.run(given) : named.run({ ...given, argv: rest }));
  } catch (error) {
    // The modules of the command could not be loaded.
    hearErrorEvents(given);
    return exitCodeAfter(error, createSay(given.stderr), given.signal);
  }
}
