// Runs the command that the arguments name and returns its exit code.
import { decide, runDecide } from "./commands/decide/run.ts";
import { commands } from "./commands/list.ts";
import { UsageError } from "@robots-stream/engine";
import { setCallerWords, shownWordOf } from "@robots-stream/engine/internal";
import { callerWords } from "./cli/caller-words.ts";
import type { CommandRun } from "./cli/command.ts";
import { nearestOf } from "@robots-stream/core/internal";
import { exitCodeAfter, hearErrorEvents } from "./cli/ending.ts";
import { exitCodes } from "./cli/exit-codes.ts";
import { createSay } from "./cli/terminal.ts";

/** Runs the command that the first argument names, else the command without a name (decide). Never rejects. */
export async function main(process: CommandRun): Promise<number> {
  const given = { ...process, commands: [decide, ...commands] };
  setCallerWords(callerWords);
  const [first, ...rest] = given.argv;
  try {
    if (first === "help") return await runHelp({ ...given, argv: rest });
    const named = commands.find(({ name }) => name === first);
    const code = await (named === undefined ? runDecide(given) : (await named.body()).run({ ...given, argv: rest }));
    if (code === exitCodes.usage && (named === undefined ? given.argv : rest).length === 0) {
      createSay(given.stderr)(
        named === undefined
          ? "  robots-stream --help lists the flags and the commands"
          : `  robots-stream ${named.name} --help lists the flags`,
      );
    }
    return code;
  } catch (error) {
    // `help` names no command, or the modules of the command could not be loaded.
    hearErrorEvents(given);
    return exitCodeAfter(error, createSay(given.stderr), given.signal);
  }
}

async function runHelp(given: CommandRun): Promise<number> {
  const [name] = given.argv;
  const command = name === undefined ? decide : commands.find((each) => each.name === name);
  if (command !== undefined) return (await command.body()).run({ ...given, argv: ["--help"] });
  const names = commands.map((each) => each.name);
  const near = nearestOf(name!, names);
  throw new UsageError(
    "wrong-value",
    `help ${shownWordOf(name!, 60)}: there is no such command; the commands are ${names.join(", ")}`,
    near === undefined ? undefined : `did you mean help ${near}?`,
  );
}
