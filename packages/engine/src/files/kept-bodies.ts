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
  /** The first bodies, in pieces of `pieceBytes`. */
  readonly #pieces: Buffer[] = [];
  /** The bytes that follow the content of the file and are not written to it yet: the first `#pendingBytes` bytes of `#pending`. */
  #pending: Buffer = Buffer.alloc(0);
  #pendingBytes = 0;

  /** Keeps about `memoryBytes` bytes in memory, and the other bytes in a temporary file in `folder`. */
  constructor(memoryBytes: number, folder?: string) {
    this.#memoryBytes = Math.floor(memoryBytes / pieceBytes) * pieceBytes;
    this.#file = new TempFile(folder);
  }

  /** Stores a body; returns its position. */
  keep(body: Uint8Array): number {
    const position = this.#size;
    for (let from = 0; from < body.length;) from += this.#take(body.subarray(from));
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

  /** Stores the beginning of `body`; returns the number of bytes stored. */
  #take(body: Uint8Array): number {
    let piece: Buffer;
    let at: number;
    if (this.#size < this.#memoryBytes) {
      at = this.#size % pieceBytes;
      if (at === 0) this.#pieces.push(Buffer.allocUnsafeSlow(pieceBytes));
      piece = this.#pieces.at(-1)!;
    } else {
      if (this.#pendingBytes === pieceBytes) {
        this.#file.append(this.#pending, pieceBytes);
        this.#pendingBytes = 0;
      }
      if (this.#pending.length === 0) this.#pending = Buffer.allocUnsafeSlow(pieceBytes);
      piece = this.#pending;
      at = this.#pendingBytes;
    }
    const length = Math.min(body.length, pieceBytes - at);
    piece.set(body.subarray(0, length), at);
    if (piece === this.#pending) this.#pendingBytes += length;
    this.#size += length;
    return length;
  }

  #readSome(into: Uint8Array, start: number, position: number): number {
    const inFile = position - this.#memoryBytes;
    if (inFile >= 0 && inFile < this.#file.length) return this.#file.read(into, start, into.length, inFile);
    const isPending = inFile >= 0;
    const piece = isPending ? this.#pending : this.#pieces[Math.floor(position / pieceBytes)];
    if (piece === undefined) return 0;
    const from = isPending ? inFile - this.#file.length : position % pieceBytes;
    const bytes = piece.subarray(
      from,
      Math.min(from + into.length - start, isPending ? this.#pendingBytes : pieceBytes),
    );
    into.set(bytes, start);
    return bytes.length;
  }
}
