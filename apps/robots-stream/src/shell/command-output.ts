// The file that `--output-file` names in, or stdout, the stream that a command prints into out.
import { closeSync, ftruncateSync } from "node:fs";
import type { Writable } from "node:stream";
import { IoError, type UsedFiles } from "@robots-stream/engine/internal";
import { FileOutput } from "./file-output.ts";
import { openWritableFile } from "./writable-file.ts";

/** Where a command prints. */
export interface CommandOutput {
  readonly stream: Writable & { readonly isTTY?: boolean };
  /** To be called when everything is written: a file into which nothing was written is truncated. Rejects with an `IoError`. */
  finish(): Promise<void>;
  /** Closes the file. Without `finish` before, an empty file that `openOutput` created is removed. */
  close(): void;
}

/**
 * Opens the file, or takes stdout. The first write truncates the file, so that a mistake found before destroys nothing. Throws a
 * `UsageError` when the file cannot be written, or the command uses it otherwise too.
 */
export function openOutput(
  path: string | undefined,
  stdout: Writable & { readonly isTTY?: boolean },
  used: UsedFiles,
): CommandOutput {
  if (path === undefined) return { stream: stdout, finish: () => Promise.resolve(), close: () => undefined };
  const { fd, shown, undo } = openWritableFile({ flag: "output-file", path, used, mustBeFile: true });
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
