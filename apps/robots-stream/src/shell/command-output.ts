// The file that `--output-file` names in, or stdout, the stream that a command prints into out.
import { closeSync, ftruncateSync } from "node:fs";
import type { Writable } from "node:stream";
import { IoError, type UsedFiles } from "@robots-stream/engine/internal";
import { FileOutput } from "./file-output.ts";
import { openWritableFile } from "./writable-file.ts";

/** Where a command prints. */
export interface CommandOutput {
  readonly stream: Writable & { readonly isTTY?: boolean };
  /** To be called when all is written: a file of which nothing was replaced yet becomes empty. Rejects with an `IoError`. */
  finish(): Promise<void>;
  /** Closes a file; one that was made by `openOutput` and is empty is removed, unless `finish` was called. */
  close(): void;
}

/**
 * Opens the file, or takes stdout. What is in the file is replaced by the first write, so that wrong usage found before costs
 * nothing. Throws a `UsageError` when the file cannot be written, or is used otherwise too.
 */
export function openOutput(
  path: string | undefined,
  stdout: Writable & { readonly isTTY?: boolean },
  used: UsedFiles,
): CommandOutput {
  if (path === undefined) return { stream: stdout, finish: () => Promise.resolve(), close: () => undefined };
  const { fd, undo } = openWritableFile({ flag: "output-file", path, used, mustBeFile: true });
  const prepare = (): Promise<void> => Promise.resolve(ftruncateSync(fd, 0));
  const stream = new FileOutput(fd, { begin: 0, prepare });
  // Errors come back with each write; an unheard "error" event would end the process.
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
