// Reads a file or a named pipe from its path, until its end or until a signal.
import { statSync } from "node:fs";
import { openToRead } from "../files/open-file.ts";
import { DirectInput } from "./direct.ts";
import { bytesUpTo } from "./peek.ts";
import { PipeInput } from "./pipe.ts";

/** Whether a path leads to a named pipe. */
export function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * Opens a file or a pipe, and calls `read` with its chunks, each of which is valid until the next is requested. Closes it when `read` has
 * ended. When `signal` aborts, rejects with its reason.
 */
export async function readOpened<Result>(
  path: string,
  kind: "file" | "pipe",
  signal: AbortSignal | undefined,
  read: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const { fd } = openToRead(path, [kind]);
  const input = kind === "pipe" ? new PipeInput(fd, true) : new DirectInput(fd, { start: 0, isOwn: true });
  const stop = (): void => input.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    signal?.throwIfAborted();
    const result = await read(input.pieces());
    // The chunks of an input that was destroyed end without an error.
    signal?.throwIfAborted();
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    input.destroy();
  }
}

/** The content of a named pipe up to its end, at most `maxBytes` bytes; undefined for other kinds. See `readOpened` for `signal`. */
export async function readPipe(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer | undefined> {
  return isPipe(path) ? readOpened(path, "pipe", signal, (chunks) => bytesUpTo(chunks, maxBytes)) : undefined;
}
