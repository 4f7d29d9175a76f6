// Buffers for output rows: cut into pieces for the output, and reused once all pieces were returned.

/** Size of a buffer unless one row is longer. Larger pieces mean fewer writes; smaller pieces use less memory. */
export const pieceBytes: number = 512 * 1_024;

/** Most buffers kept for reuse, unless the owner asks for more. */
const fewSpare = 4;

/** The state of a buffer in use. */
interface Use {
  /** Pieces that were cut and not returned. */
  piecesOut: number;
  /** Whether the writer of rows may still cut pieces. */
  isOpen: boolean;
}

/**
 * Owns the memory of one run's rows: allocating a buffer for each piece would keep the garbage collector busy all the time.
 * When a piece is never returned, its buffer is garbage collected.
 */
export class RowMemory {
  readonly #uses = new WeakMap<ArrayBufferLike, Use>();
  readonly #spare: Buffer[] = [];
  readonly #mostSpare: number;

  constructor(mostSpare: number = fewSpare) {
    this.#mostSpare = mostSpare;
  }

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

  /** Counts a part of a piece that will be returned separately. */
  keep({ buffer }: Buffer): void {
    const use = this.#uses.get(buffer);
    if (use !== undefined) use.piecesOut++;
  }

  /** Ends cutting pieces from a buffer. */
  close(memory: Buffer): void {
    const use = this.#uses.get(memory.buffer);
    if (use === undefined) return;
    use.isOpen = false;
    this.#reuse(memory.buffer, use);
  }

  /** Takes back a piece that is no longer read; ignores one from other memory. */
  giveBack({ buffer }: Buffer): void {
    const use = this.#uses.get(buffer);
    if (use === undefined || use.piecesOut === 0) return;
    use.piecesOut--;
    this.#reuse(buffer, use);
  }

  #reuse(buffer: ArrayBufferLike, { piecesOut, isOpen }: Use): void {
    if (isOpen || piecesOut > 0 || this.#spare.length >= this.#mostSpare || buffer.byteLength !== pieceBytes) return;
    this.#uses.delete(buffer);
    this.#spare.push(Buffer.from(buffer));
  }
}
