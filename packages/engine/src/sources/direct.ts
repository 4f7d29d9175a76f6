// The descriptor of a file in, its bytes out, read at once into one piece of memory.
import { closeSync, readSync } from "node:fs";

const pieceBytes = 65_536;

/** Reading goes on no longer before timers, signals and sockets have their turn. */
const mostMsWithoutTurn = 4;

/** What a descriptor is of. */
export interface DirectSource {
  /** Where the file is read from; otherwise where it stands. */
  readonly start?: number;
  /** Whether it is closed here. */
  readonly isOwn: boolean;
}

/** A file's descriptor that is read to its end once. It is not touched before. */
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

  /** Ends reading at once, with an error or as if it came to its end; what is its own is closed, also when it was not read. */
  destroy(error?: Error): void {
    this.#error ??= error;
    this.#close();
  }

  /** Chunks to be kept. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.pieces()) yield Buffer.from(piece);
  }

  /** Chunks, each of which changes when the next is asked for. Throws the system's errors. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    let place = this.#source.start ?? null;
    let turnedAt = performance.now();
    try {
      while (!this.#isClosed) {
        const count = readSync(this.fd, this.#piece, 0, this.#piece.length, place);
        if (count === 0) return;
        if (place !== null) place += count;
        yield this.#piece.subarray(0, count);
        if (performance.now() - turnedAt > mostMsWithoutTurn) {
          await new Promise((resolve) => setImmediate(resolve));
          turnedAt = performance.now();
        }
      }
      if (this.#error !== undefined) throw this.#error;
    } finally {
      this.#close();
    }
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#source.isOwn) closeSync(this.fd);
  }
}
