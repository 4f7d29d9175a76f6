// Opens the source at a path (a file, a named pipe with or without a writer, or stdin) and reads its bytes in chunks, until its end or until
// a signal.
import { closeSync, createReadStream, fstatSync, statSync } from "node:fs";
import { isatty, ReadStream } from "node:tty";
import { IoError, reasonOf, UsageError } from "../common/errors.ts";
import { openToRead, readUpTo } from "../files/open-file.ts";
import { shownWordOf } from "../common/text.ts";
import { DirectInput, PipeInput } from "./direct.ts";
import type { InputStream } from "../records/batch.ts";
import { bytesUpTo } from "./peek.ts";

/** A source's name in messages. */
export function nameOf(path: string): string {
  return path === "-" ? "stdin" : shownWordOf(path);
}

export interface Source {
  /** Each chunk is valid until the next is requested. */
  readonly chunks: AsyncIterable<Uint8Array | string>;
  /** Ends the chunks at once, without an error, even while a read is pending. */
  destroy(): void;
  /**
   * The state of a regular file when it was opened; absent for other kinds and for stdin. If fewer bytes than its size can be read, the
   * file was truncated.
   */
  readonly file?: FileState;
  /** Returns the chunks of a regular file again, from the same offset; after this, `chunks` must not be read. Absent like `file`. */
  readonly again?: () => AsyncIterable<Uint8Array>;
}

/** Size and time of a regular file: a difference means that the file was changed. */
export interface FileState {
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** The error for a folder in place of a file. The hint is the pattern that matches the files in the folder. */
export function isFolder(path: string): UsageError {
  const all = shownWordOf(path.replace(/\/*$/, "/*"));
  return new UsageError("unreadable-input", `${shownWordOf(path)}: is a directory`, `for the files in it: ${all}`);
}

/**
 * Opens the source at `path`; "-" is `stdin`. A regular file is read from the offset `start` on. Throws an `IoError` when the source cannot
 * be opened.
 */
export function openSource(path: string, stdin: InputStream, start = 0): Source {
  if (path === "-") return sourceOf(stdin);
  try {
    // Opening a named pipe would wait for a writer, in a thread where signals are not handled; so it is opened without waiting,
    // and the event loop waits for the writer's first bytes. The event loop also waits for input from a terminal.
    const { fd, kind, stat } = openToRead(path, ["file", "pipe", "null", "device"]);
    if (kind === "pipe") return sourceOf(new PipeInput(fd, true));
    if (kind === "file") {
      const input = new DirectInput(fd, { start, isOwn: true, isKept: true });
      const file = { bytes: stat.size, modifiedMs: stat.mtimeMs };
      return { ...sourceOf(input), file, again: () => input.pieces() };
    }
    return sourceOf(isatty(fd) ? new ReadStream(fd) : createReadStream("", { fd }));
  } catch (error) {
    throw new IoError("input", nameOf(path), error);
  }
}

function sourceOf(stream: InputStream): Source {
  return { chunks: stream.pieces?.() ?? stream, destroy: () => void stream.destroy() };
}

/** Size of a source that is a regular file, also through stdin; undefined for other kinds. */
export function bytesOfFile(path: string, stdin: InputStream): number | undefined {
  try {
    const { fd } = stdin;
    if (path === "-" && fd === undefined) return undefined;
    const kind = path === "-" ? fstatSync(fd!) : statSync(path);
    return kind.isFile() ? kind.size : undefined;
  } catch {
    return undefined;
  }
}

/** The first bytes of a regular file. */
interface Beginning {
  readonly bytes: Uint8Array;
  /** Whether these bytes are the whole file. */
  readonly isWhole: boolean;
}

/**
 * The beginning of a regular file, at most `maxBytes` bytes; undefined for a pipe or a device, which can be read only once. Throws a
 * `UsageError` for a folder, and when the file cannot be read.
 */
export function beginningOfFile(path: string, maxBytes: number): Beginning | undefined {
  const name = shownWordOf(path);
  let handle: number | undefined;
  try {
    const seen = statSync(path);
    if (seen.isDirectory()) throw isFolder(path);
    // A named pipe is not opened: its writer would see the reader close.
    if (!seen.isFile()) return undefined;
    const file = openToRead(path, ["file"]);
    handle = file.fd;
    return { bytes: readUpTo(file, Math.min(file.stat.size, maxBytes)), isWhole: file.stat.size <= maxBytes };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unreadable-input", `${name}: ${reasonOf(error)}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

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
