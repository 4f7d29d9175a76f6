// Bytes in, the same bytes out from where they were written: a file in the folder for temporary files, gone when the
// process is, however it ends.
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
import { IoError } from "../errors.ts";
import { isStillAt, newFileFlags } from "./open-file.ts";
import { nodeCrypto } from "../node-parts.ts";

/**
 * A file that is made when something is written first: under a random name, by its owner alone to be read, never one that is there
 * already or behind a link. Windows keeps its name until it is closed, and gives it the rights of the folder for temporary files,
 * which is the user's own there (not run). Throws an `IoError` when the system does.
 */
export class TempFile {
  /** Bytes in it. */
  length = 0;
  readonly #folder: string;
  #file: number | undefined;
  /** Until it is removed. */
  #made: { readonly path: string; readonly stat: Stats } | undefined;
  /** Kept open until the file is: when much waits, sockets may have all descriptors that there are. */
  #spare: number | undefined;

  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
    this.#spare = openSpare();
  }

  /** Writes the first `size` bytes behind all others. */
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

  /** Reads from `position` what there is room for from `start` to `end`, or as much as there is; gives how much. */
  read(into: Uint8Array, start: number, end: number, position: number): number {
    try {
      return this.#file === undefined ? 0 : readSync(this.#file, into, start, end - start, position);
    } catch (error) {
      throw new IoError("spill", this.#folder, error);
    }
  }

  /** The error for bytes that were written and are not there. */
  missing(): IoError {
    return new IoError("spill", this.#folder, new Error("data that was written is missing"));
  }

  /** Gives its room back. */
  clear(): void {
    if (this.length === 0) return;
    ftruncateSync(this.#file!, 0);
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
    const path = join(this.#folder, `robots-stream-${nodeCrypto().randomUUID()}.spill`);
    this.#closeSpare();
    const file = openSync(path, newFileFlags | constants.O_RDWR, 0o600);
    this.#made = { path, stat: fstatSync(file) };
    // Where an open file can be removed, nothing is left to remove later.
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
      // Somebody else's file by now is not ours to remove.
      if (isStillAt(path, stat)) unlinkSync(path);
      this.#made = undefined;
    } catch {
      // Windows keeps open files; at the exit it is tried again.
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
