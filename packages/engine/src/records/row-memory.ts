// Allocates buffers for output rows. A buffer is cut into pieces for the output, and reused once all its pieces were returned.

/** Size of a buffer in bytes, unless one row is longer. Larger pieces mean fewer writes; smaller pieces use less memory. */
export const pieceBytes: number = 512 * 1_024;

/** Default of the maximum number of buffers kept for reuse. */
const fewSpare = 4;

/** The state of a buffer in use. */
interface Use {
  /** Number of pieces that were cut and not returned. */
  piecesOut: number;
  /** Whether the writer of rows may still cut pieces. */
  isOpen: boolean;
}

/**
 * Owns the buffers for one run's rows. The buffers are reused, because allocating one for each piece would keep the garbage collector busy
 * all the time. A buffer is not reused but garbage collected if one of its pieces is never returned.
 */
export class RowMemory {
  readonly #uses = new WeakMap<ArrayBufferLike, Use>();
  readonly #spare: Buffer[] = [];
  readonly #mostSpare: number;

  constructor(mostSpare: number = fewSpare) {
    this.#mostSpare = mostSpare;
  }

  /** Returns a buffer of at least `bytes` bytes. Pieces may be cut from it until `close`. */
  open(bytes: number): Buffer {
    const spare = bytes > pieceBytes ? undefined : this.#spare.pop();
    const memory = spare ?? Buffer.allocUnsafeSlow(Math.max(bytes, pieceBytes));
    this.#uses.set(memory.buffer, { piecesOut: 0, isOpen: true });
    return memory;
  }

  /** Cuts the piece `memory[start, end)` from a buffer. The reader of the piece returns it with `giveBack`. */
  cut(memory: Buffer, start: number, end: number): Buffer {
    this.#uses.get(memory.buffer)!.piecesOut++;
    return memory.subarray(start, end);
  }

  /** Counts one more piece of a buffer: a part of a piece that its reader will return separately. */
  keep({ buffer }: Buffer): void {
    const use = this.#uses.get(buffer);
    if (use !== undefined) use.piecesOut++;
  }

  /** Marks a buffer from which no more pieces will be cut. */
  close(memory: Buffer): void {
    const use = this.#uses.get(memory.buffer);
    if (use === undefined) return;
    use.isOpen = false;
    this.#reuse(memory.buffer, use);
  }

  /** Takes back a piece that is no longer read. Ignores a piece of any other memory. */
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
