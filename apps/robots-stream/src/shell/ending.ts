// What commands share at their end: writing text, reporting an error, choosing the exit code.
import type { Writable } from "node:stream";
import { bugTextOf, IoError, printableOf, shortageOf, UsageError } from "@robots-stream/engine/internal";
import { exitCodeOfSignal, exitCodes } from "./exit-codes.ts";

/** To be called before a command writes: each write reports its error, and an "error" event without a listener ends the process. */
export function hearErrorEvents({ stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable }): void {
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
}

/** Writes text or bytes, and waits until they are written. Throws an `IoError` when they cannot be. */
export async function writeText(stdout: Writable, data: string | Uint8Array): Promise<void> {
  if (data.length === 0) return;
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(data, resolve));
  if (error !== null && error !== undefined) throw new IoError("output", "output", error);
}

/** Reports the error that ended a command, and returns the exit code. */
export function exitCodeAfter(error: unknown, say: (sentence: string) => void, signal?: AbortSignal): number {
  if (error instanceof UsageError) {
    say(error.message);
    if (error.hint !== undefined) say(`  ${error.hint}`);
    return shortageOf(error) === undefined ? exitCodes.usage : exitCodes.failed;
  }
  if (error instanceof IoError) {
    // The reader closed the pipe, as `| head -1` does: no failure.
    if ((error.cause as NodeJS.ErrnoException).code === "EPIPE") return exitCodes.done;
    say(printableOf(error.message, 300));
    return exitCodes.failed;
  }
  if (signal?.aborted === true) {
    say(`stopped by ${String(signal.reason)}`);
    return exitCodeOfSignal(signal.reason);
  }
  const shortage = shortageOf(error);
  if (shortage !== undefined) {
    say(shortage.message);
    return exitCodes.failed;
  }
  say(`a bug: ${bugTextOf(error)}`);
  return exitCodes.failed;
}
