// Stores the bodies of downloaded files and returns them later in the run, so that no origin has to be loaded again after its matchers were
// evicted. The first bodies stay in memory; the others go into a temporary file.
import { TempFile } from "./temp-file.ts";

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
