// Bytes in, the same bytes out by their position: a temporary file that does not outlive the process, however the process ends (on Windows,
// the file stays if the process is killed); and bodies, of which the first stay in memory and the others go into such a file.
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  type Stats,
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

/** Size of one write to the file. */
const pieceBytes = 256 * 1_024;

/**
 * Stores the bodies of a run, concatenated. The position of a body is its offset in the concatenated bytes. Throws an `IoError` when the
 * temporary file cannot be written or read.
 */
export class KeptBodies {
  readonly #memoryBytes: number;
  readonly #file: TempFile;
  /** Bytes of all bodies. */
  #size = 0;
  /** The pieces of `pieceBytes` in memory: the first ones, and behind them the one after the content of the file. */
  readonly #pieces: Buffer[] = [];

  /** Keeps about `memoryBytes` bytes in memory, and the other bytes in a temporary file in `folder`. */
  constructor(memoryBytes: number, folder?: string) {
    this.#memoryBytes = Math.floor(memoryBytes / pieceBytes) * pieceBytes;
    this.#file = new TempFile(folder);
  }

  /** Stores a body; returns its position. */
  keep(body: Uint8Array): number {
    const position = this.#size;
    for (let from = 0; from < body.length;) {
      const at = this.#size % pieceBytes;
      const piece = at === 0 ? this.#begin() : this.#pieces.at(-1)!;
      const length = Math.min(body.length - from, pieceBytes - at);
      piece.set(body.subarray(from, from + length), at);
      from += length;
      this.#size += length;
    }
    return position;
  }

  /** The body of `size` bytes at a position. */
  read(position: number, size: number): Uint8Array {
    const body = new Uint8Array(size);
    for (let done = 0; done < size;) {
      const read = this.#readSome(body, done, position + done);
      if (read === 0) throw this.#file.missing();
      done += read;
    }
    return body;
  }

  /** Frees the memory and removes the file. */
  close(): void {
    this.#pieces.length = 0;
    this.#file.close();
  }

  /** Begins a piece. Once the memory is full, the last piece goes into the file, and the new one takes its place. */
  #begin(): Buffer {
    if (this.#size <= this.#memoryBytes) this.#pieces.push(Buffer.allocUnsafeSlow(pieceBytes));
    else this.#file.append(this.#pieces.at(-1)!, pieceBytes);
    return this.#pieces.at(-1)!;
  }

  #readSome(into: Uint8Array, start: number, position: number): number {
    const inFile = position - this.#memoryBytes;
    if (inFile >= 0 && inFile < this.#file.length) return this.#file.read(into, start, into.length, inFile);
    const piece = inFile >= 0 ? this.#pieces.at(-1) : this.#pieces[Math.floor(position / pieceBytes)];
    if (piece === undefined) return 0;
    const from = position % pieceBytes;
    const bytes = piece.subarray(from, from + into.length - start);
    into.set(bytes, start);
    return bytes.length;
  }
}
