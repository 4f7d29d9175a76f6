// Ends a command: writes its text, reports its error, and chooses its exit code.
import type { Writable } from "node:stream";
import { IoError, UsageError } from "@robots-stream/engine";
import { columnsOf, createSay, fitForTerminal } from "./terminal.ts";
import { printableOf } from "@robots-stream/engine/internal";
import { bugTextOf, shortageOf } from "@robots-stream/engine/start";
import { FileOutput } from "./file-output.ts";
import { exitCodeOfSignal, exitCodes } from "./exit-codes.ts";
import type { CommandRun } from "./command.ts";
import { type HelpText, mostHelpColumns, wrapHelp } from "./help-text.ts";

/**
 * Adds a listener for "error" events to both streams. Must be called before a command writes. Each write reports its error, but an
 * "error" event without a listener would end the process.
 */
export function hearErrorEvents({ stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable }): void {
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
}

/** Writes text or bytes and waits until they are written. Rejects with an `IoError` when the write fails. */
export async function writeText(stdout: Writable, data: string | Uint8Array): Promise<void> {
  if (data.length === 0) return;
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(data, resolve));
  if (error === null || error === undefined) return;
  throw new IoError("output", stdout instanceof FileOutput ? stdout.shown : "output", error);
}

/**
 * Runs a command and resolves to its exit code. `act` resolves to the exit code, to a text to print, or to a help text, which is wrapped
 * to the width of the terminal. Never rejects: errors are written to stderr.
 */
export async function runToExitCode(
  {
    stdout,
    stderr,
    signal,
    env = {},
  }: Pick<CommandRun, "stdout" | "stderr" | "signal"> & { readonly env?: NodeJS.ProcessEnv },
  act: (say: (sentence: string) => void) => Promise<number | string | HelpText>,
): Promise<number> {
  const say = createSay(stderr);
  hearErrorEvents({ stdout, stderr });
  try {
    const result = await act(say);
    if (typeof result === "number") return result;
    const stream = fitForTerminal(stdout, "text");
    // Without a terminal and COLUMNS, help has 80 columns.
    const columns = (): number => Math.min(columnsOf(stdout, env) ?? 80, mostHelpColumns);
    await writeText(stream, typeof result === "string" ? result : wrapHelp(result.help, columns()));
    return exitCodes.done;
  } catch (error) {
    return exitCodeAfter(error, say, signal);
  }
}

/** The progress of a command at the time of the error that ended it. */
export interface Progressed {
  /** Whether records were read. If so, wrong usage ends with the exit code of a failure (`exitCodes.failed`). */
  readonly hasBegun: boolean;
  /** The progress before the error, appended to its message: " after 3 records were decided". */
  readonly after: string;
}

const notBegun: Progressed = { hasBegun: false, after: "" };

/** Reports the error that ended a command and returns the exit code. */
export function exitCodeAfter(
  error: unknown,
  say: (sentence: string) => void,
  signal?: AbortSignal,
  { hasBegun, after }: Progressed = notBegun,
): number {
  if (error instanceof UsageError) {
    say(error.message);
    if (error.hint !== undefined) say(`  ${error.hint}`);
    return hasBegun || shortageOf(error) !== undefined ? exitCodes.failed : exitCodes.usage;
  }
  if (isBrokenPipe(error)) return exitCodes.done;
  if (!(error instanceof IoError) && signal?.aborted === true) {
    say(`stopped by ${String(signal.reason)}`);
    return exitCodeOfSignal(signal.reason);
  }
  const failure = error instanceof IoError ? error : shortageOf(error);
  say(failure === undefined ? `a bug: ${bugTextOf(error)}` : `${printableOf(failure.message, 300)}${after}`);
  return exitCodes.failed;
}

/** Reports the errors that ended the reading of some inputs, and returns the highest of their exit codes; 0 without errors. */
export function worstOf(failures: readonly unknown[], say: (sentence: string) => void): number {
  return failures.reduce<number>((worst, error) => Math.max(worst, exitCodeAfter(error, say)), exitCodes.done);
}

/** Whether the reader of the output has closed its pipe, as `| head -1` does. */
export function isBrokenPipe(error: unknown): boolean {
  if (!(error instanceof IoError) || error.side !== "output") return false;
  return (error.cause as NodeJS.ErrnoException).code === "EPIPE";
}
