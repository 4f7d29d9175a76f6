// Opens the stream that a command prints to (the file that `--output-file` names, or stdout), and writes texts in pieces to it.
import { closeSync, ftruncateSync } from "node:fs";
import type { Writable } from "node:stream";
import { IoError } from "@robots-stream/engine";
import type { UsedFiles } from "@robots-stream/engine/internal";
import { FileOutput } from "./file-output.ts";
import { exitCodes, endedBySignals } from "./exit-codes.ts";
import type { NamedFormat, Output } from "./output-format.ts";
import { fitForTerminal } from "./terminal.ts";
import { openWritableFile } from "./writable-file.ts";
import { writeText } from "./ending.ts";

export interface CommandOutput {
  readonly stream: Writable & { readonly isTTY?: boolean };
  /**
   * Call this when all output is written. If no output was written, truncates the file. Rejects with an `IoError` when the file cannot be
   * truncated.
   */
  finish(): Promise<void>;
  /** Closes the file. Unless `finish` succeeded, an empty file that `openOutput` created is removed. */
  close(): void;
}

/** The output of a command. `isChosen`: whether the program chose the file's name, see `WritableFileOptions`. */
type OutputTo = Output<NamedFormat> & { readonly isChosen?: boolean };

/**
 * Opens the file, or uses stdout, in front of which characters that a terminal interprets are escaped. The first write truncates the file, so a mistake that is found before the first write leaves the file
 * unchanged. Throws a `UsageError` when the file cannot be written or the command also uses it for something else.
 */
export function openOutput(
  { path, format, isChosen = false }: OutputTo,
  stdout: CommandOutput["stream"],
  used: UsedFiles,
): CommandOutput {
  if (path === undefined) {
    const stream = fitForTerminal(stdout, format.name);
    return { stream, finish: () => Promise.resolve(), close: () => undefined };
  }
  const { fd, shown, undo } = openWritableFile({ flag: "output-file", path, used, isChosen, mustBeFile: true });
  const prepare = (): Promise<void> => Promise.resolve(ftruncateSync(fd, 0));
  const stream = new FileOutput(fd, { shown, begin: 0, prepare });
  // Each write reports its error; an "error" event without a listener would end the process.
  stream.on("error", () => undefined);
  let isFinished = false;
  return {
    stream,
    async finish() {
      try {
        await stream.prepare();
      } catch (error) {
        throw new IoError("output", "output", error);
      }
      isFinished = true;
    },
    close() {
      if (!isFinished) undo();
      closeSync(fd);
    },
  };
}

/**
 * Opens the output, lets `print` write to it, and closes it. `print` resolves to the exit code. If `print` fails before its first write,
 * the file keeps its content.
 */
export async function printTo(
  to: OutputTo,
  stdout: CommandOutput["stream"],
  used: UsedFiles,
  print: (stream: CommandOutput["stream"]) => Promise<number>,
): Promise<number> {
  const output = openOutput(to, stdout, used);
  try {
    const code = await print(output.stream);
    if (code <= exitCodes.conditionMet) await output.finish();
    return code;
  } finally {
    output.close();
  }
}

/** Writes the pieces that `make` returns, one after another. Rejects with the signal's reason when the signal aborts. */
export async function writePieces(
  stream: CommandOutput["stream"],
  make: () => Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const made = endedBySignals(() => make()[Symbol.iterator]());
  for (;;) {
    const next = endedBySignals(() => made.next());
    if (next.done === true) return;
    await writeText(stream, next.value);
    // Signals are handled between two pieces.
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }
}
