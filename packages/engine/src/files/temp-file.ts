// Bytes in, the same bytes out by their position: a temporary file that does not outlive the process, however the process ends. On Windows,
// the file stays if the process is killed.
import {
  type Stats,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { IoError } from "../common/errors.ts";
import { isStillAt, newFileFlags } from "./open-file.ts";

/**
 * A temporary file that the first write creates, under a random name and readable by its owner only. An existing file or link is never
 * opened. On Windows, the file keeps its name until it is closed, and has the permissions of the folder for temporary files, which belongs
 * to the user there (not tested). `append`, `read` and `clear` throw an `IoError` for the system's errors.
 */
export class TempFile {
  length = 0;
  readonly #folder: string;
  #file: number | undefined;
  /** The path and the state of the file; undefined once the file has been removed from its folder. */
  #made: { readonly path: string; readonly stat: Stats } | undefined;
  /** A descriptor that is reserved for the file, because sockets may have taken all others when the file is opened. */
  #spare: number | undefined;

  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
    this.#spare = openSpare();
  }

  /** Appends the first `size` bytes. */
  append(bytes: Uint8Array, size: number): void {
    try {
      this.#file ??= this.#open();
      for (let from = 0; from < size;) {
        const written = writeSync(this.#file, bytes, from, size - from, this.length);
        from += written;
        this.length += written;
      }
    } catch (error) {
      throw new IoError("spill", this.#folder, error);
    }
  }

  /** Reads bytes from `position` on into `into[start, end)`. Returns the number of bytes read: fewer than requested at the file's end. */
  read(into: Uint8Array, start: number, end: number, position: number): number {
    try {
      return this.#file === undefined ? 0 : readSync(this.#file, into, start, end - start, position);
    } catch (error) {
      throw new IoError("spill", this.#folder, error);
    }
  }

  /** The error for written bytes that are missing. */
  missing(): IoError {
    return new IoError("spill", this.#folder, new Error("data that was written is missing"));
  }

  /** Truncates the file to free its space. */
  clear(): void {
    if (this.length === 0) return;
    try {
      ftruncateSync(this.#file!, 0);
    } catch (error) {
      throw new IoError("spill", this.#folder, error);
    }
    this.length = 0;
  }

  /** Removes the file. */
  close(): void {
    this.length = 0;
    this.#closeSpare();
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    process.off("exit", this.#remove);
    this.#remove();
  }

  #open(): number {
    const path = join(this.#folder, `robots-stream-${process.getBuiltinModule("node:crypto").randomUUID()}.spill`);
    this.#closeSpare();
    const file = openSync(path, newFileFlags | constants.O_RDWR, 0o600);
    this.#made = { path, stat: fstatSync(file) };
    // Most systems can remove an open file from its folder, so that nothing is left to remove later.
    this.#remove();
    if (this.#made !== undefined) process.on("exit", this.#remove);
    return file;
  }

  #closeSpare(): void {
    if (this.#spare !== undefined) closeSync(this.#spare);
    this.#spare = undefined;
  }

  readonly #remove = (): void => {
    if (this.#made === undefined) return;
    try {
      const { path, stat } = this.#made;
      // Another file that is now at this path must not be removed.
      if (isStillAt(path, stat)) unlinkSync(path);
      this.#made = undefined;
    } catch {
      // Windows cannot remove open files; removal is tried again at exit.
    }
  };
}

function openSpare(): number | undefined {
  try {
    return openSync(devNull, "r");
  } catch {
    return undefined;
  }
}
