// The pieces of a body as they come → the body, in memory that grows with its length and not with the number of its pieces.

/** Up to this many pieces are kept as they are, so that each byte is copied once, at the end. */
const mostPieces = 64;

/** Joins pieces. A piece must not change before `whole` was called. */
export class Pieces {
  #pieces: Uint8Array[] = [];
  /** Holds all bytes once there are many pieces: an array of one byte takes more than a hundred bytes of memory. */
  #buffer: Uint8Array | undefined;
  #length = 0;

  /** Bytes taken. */
  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const at = this.#length;
    this.#length += piece.length;
    if (this.#buffer === undefined) {
      this.#pieces.push(piece);
      if (this.#pieces.length <= mostPieces) return;
      this.#buffer = joined(this.#pieces, this.#length, 2 * this.#length);
      this.#pieces = [];
      return;
    }
    if (this.#length > this.#buffer.length) this.#buffer = joined([this.#buffer], at, 2 * this.#length);
    this.#buffer.set(piece, at);
  }

  /** The first `maxBytes` of what came, in bytes of their own: pieces may be views of larger buffers. */
  whole(maxBytes: number): Uint8Array {
    const length = Math.min(this.#length, maxBytes);
    if (this.#buffer !== undefined) return this.#buffer.slice(0, length);
    const [only] = this.#pieces;
    // A piece that is all of its buffer needs no copy.
    if (only !== undefined && only.length === length && only.buffer.byteLength === length) return only;
    return joined(this.#pieces, length, length);
  }
}

/** The first `length` bytes of the pieces at the beginning of an array of `size` bytes. */
function joined(pieces: readonly Uint8Array[], length: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, length - at), at);
    at += Math.min(piece.length, length - at);
  }
  return bytes;
}
