// Defines the shape of a command: its name, its purpose, its flags, and its function.
import type { Writable } from "node:stream";
import type { InputStream } from "@robots-stream/engine/start";
import type { Flag } from "./flag.ts";

/** Arguments, streams and signal that the process passes to a command. */
export interface CommandRun {
  /** The arguments after the command's name; all arguments for `main` and for the command without a name. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Every command, for the commands that describe all commands. */
  readonly commands?: readonly Command[];
  readonly stdin: InputStream;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  /** Stops the run; the signal's reason is "SIGINT", "SIGTERM" or "SIGHUP". Finished rows are still written. */
  readonly signal?: AbortSignal | undefined;
}

/** What the list of commands says about a command. */
interface CommandFace {
  readonly name: string;
  /** The arguments of the command: "URL … --agent TOKEN". */
  readonly args: string;
  /** What the command does, in a few words. */
  readonly about: string;
  /** Whether the arguments are files, for completions. */
  readonly takesFiles?: boolean;
}

/** The part of a command that is loaded when it is needed. */
export interface CommandBody {
  /** The command's table of flags. */
  readonly flags: readonly Flag[];
  /** The words that the first argument can be, for completions: "ls", "show". */
  readonly actions: readonly string[];
  /** Runs the command and resolves to its exit code. Never rejects: errors are written to stderr. */
  run(given: CommandRun): Promise<number>;
}

/** One command. */
export interface Command extends CommandFace {
  readonly body: () => Promise<CommandBody>;
}

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
