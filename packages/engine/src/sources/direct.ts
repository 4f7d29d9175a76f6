// Reads the bytes of a file from its descriptor, synchronously and into one buffer.
import { closeSync, readSync } from "node:fs";

const pieceBytes = 65_536;

/** Time in milliseconds after which reading yields to the event loop (timers, signals, sockets). */
const mostMsWithoutTurn = 4;

export interface DirectSource {
  /** The offset at which reading starts; undefined: the descriptor's position. */
  readonly start?: number;
  /** Whether the `DirectInput` closes the descriptor. */
  readonly isOwn: boolean;
  /** Whether the descriptor stays open until `destroy`, so that `pieces` can be called again; needs `start`. */
  readonly isKept?: boolean;
}

/** Reads a file from its descriptor, once, or several times with `isKept`. The constructor reads nothing. */
export class DirectInput implements AsyncIterable<Uint8Array> {
  readonly isTTY = false;
  readonly fd: number;
  readonly #source: DirectSource;
  readonly #piece = Buffer.allocUnsafeSlow(pieceBytes);
  #error: Error | undefined;
  #isClosed = false;

  constructor(fd: number, source: DirectSource) {
    this.fd = fd;
    this.#source = source;
  }

  /**
   * Ends reading at once: with `error`, or without an error, as at the end of the file. Closes the descriptor if `isOwn` is set, even
   * when nothing was read.
   */
  destroy(error?: Error): void {
    this.#error ??= error;
    this.#close();
  }

  /** Chunks that the caller may keep. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.pieces()) yield Buffer.from(piece);
  }

  /**
   * Chunks, each valid until the next one is requested. Throws the system's errors. All calls share one buffer: the iteration of one call
   * must have ended before the next call.
   */
  async *pieces(): AsyncGenerator<Uint8Array> {
    let offset = this.#source.start ?? null;
    let turnedAt = performance.now();
    try {
      while (!this.#isClosed) {
        const count = readSync(this.fd, this.#piece, 0, this.#piece.length, offset);
        if (count === 0) return;
        if (offset !== null) offset += count;
        yield this.#piece.subarray(0, count);
        if (performance.now() - turnedAt > mostMsWithoutTurn) {
          await new Promise((resolve) => setImmediate(resolve));
          turnedAt = performance.now();
        }
      }
      if (this.#error !== undefined) throw this.#error;
    } finally {
      if (this.#source.isKept !== true) this.#close();
    }
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#source.isOwn) closeSync(this.fd);
  }
}
