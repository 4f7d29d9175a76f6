// Buffers for output rows: cut into pieces that travel to the output, and reused when all pieces were returned.

/** Bytes of a buffer, unless one row is longer: a writer likes large pieces, memory likes small ones. */
export const pieceBytes: number = 512 * 1_024;

/** Buffers that are kept to be reused. */
const mostSpare = 4;

/** What is known of a buffer that is in use. */
interface Use {
  /** Pieces that were not returned. */
  piecesOut: number;
  /** Whether the writer of rows may still cut pieces. */
  isOpen: boolean;
}

/**
 * Owns the memory of one run's rows. Rows are made at a rate at which memory thrown away keeps the garbage collector busy all the
 * time. Pieces that never come back cost nothing: their buffer is garbage then.
 */
export class RowMemory {
  readonly #uses = new WeakMap<ArrayBufferLike, Use>();
  readonly #spare: Buffer[] = [];

  /** A buffer of at least `bytes` bytes, to cut pieces from until `close`. */
  open(bytes: number): Buffer {
    const spare = bytes > pieceBytes ? undefined : this.#spare.pop();
    const memory = spare ?? Buffer.allocUnsafeSlow(Math.max(bytes, pieceBytes));
    this.#uses.set(memory.buffer, { piecesOut: 0, isOpen: true });
    return memory;
  }

  /** Cuts a piece, which is returned with `giveBack`. */
  cut(memory: Buffer, start: number, end: number): Buffer {
    this.#uses.get(memory.buffer)!.piecesOut++;
    return memory.subarray(start, end);
  }

  /** Says that no more pieces are cut from a buffer. */
  close(memory: Buffer): void {
    const use = this.#uses.get(memory.buffer);
    if (use === undefined) return;
    use.isOpen = false;
    this.#reuse(memory.buffer, use);
  }

  /** Takes back a piece that is no longer read; ignores one from other memory. */
  giveBack({ buffer }: Buffer): void {
    const use = this.#uses.get(buffer);
    if (use === undefined) return;
    use.piecesOut--;
    this.#reuse(buffer, use);
  }

  #reuse(buffer: ArrayBufferLike, { piecesOut, isOpen }: Use): void {
    if (isOpen || piecesOut > 0 || this.#spare.length === mostSpare || buffer.byteLength !== pieceBytes) return;
    this.#uses.delete(buffer);
    this.#spare.push(Buffer.from(buffer));
  }
}
