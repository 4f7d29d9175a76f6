// Files from the network in, the same files out later in the run, so that no origin is loaded twice when matchers are evicted. The
// first files stay in memory, the others go into a temporary file.
import { TempFile } from "../files/temp-file.ts";

/** Bytes that are written at once. */
const pieceBytes = 256 * 1_024;

/** Files of a run, one behind the other. Throws an `IoError` when the system has no room for them. */
export class KeptBodies {
  readonly #memoryBytes: number;
  readonly #file: TempFile;
  /** Bytes of all. */
  #size = 0;
  /** Pieces of equal length, for the first of them. */
  readonly #pieces: Buffer[] = [];
  /** What comes behind the bytes in the file. */
  #pending: Buffer = Buffer.alloc(0);
  #pendingBytes = 0;

  /** Keeps about `memoryBytes` in memory; the file is in `folder`. */
  constructor(memoryBytes: number, folder?: string) {
    this.#memoryBytes = Math.floor(memoryBytes / pieceBytes) * pieceBytes;
    this.#file = new TempFile(folder);
  }

  /** Keeps a file; it is where `size` was before. */
  keep(body: Uint8Array): number {
    const position = this.#size;
    for (let from = 0; from < body.length;) from += this.#take(body.subarray(from));
    return position;
  }

  /** The file of that many bytes that is kept at a position. */
  read(position: number, size: number): Uint8Array {
    const body = new Uint8Array(size);
    for (let done = 0; done < size;) {
      const read = this.#readSome(body, done, position + done);
      if (read === 0) throw this.#file.missing();
      done += read;
    }
    return body;
  }

  /** Frees everything, and removes the file. */
  close(): void {
    this.#pieces.length = 0;
    this.#file.close();
  }

  /** Keeps the beginning of what is given; gives how much. */
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
