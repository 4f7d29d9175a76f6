// The descriptor of a pipe in, what comes through it out, into one piece of memory: a pipe that has something is read at
// once, and only an empty one is waited for, by the event loop.
import { readSync } from "node:fs";
import { Socket } from "node:net";

/** As much as a pipe holds on Linux. */
const pieceBytes = 65_536;

/** Reading without waiting goes on no longer before timers, signals and sockets have their turn. */
const mostMsWithoutTurn = 4;

/** A pipe that is read to its end once. It is not touched before. */
export class PipeInput implements AsyncIterable<Uint8Array> {
  readonly isTTY = false;
  readonly fd: number;
  readonly #piece = Buffer.allocUnsafeSlow(pieceBytes);
  /** Waits for what comes into an empty pipe. */
  #socket: Socket | undefined;
  #wake: (() => void) | undefined;
  /** What the socket has read; -1: nothing yet. */
  #count = -1;
  #isEnded = false;
  #error: Error | undefined;

  /** The descriptor is this object's from now on; whoever else has it finds that it does not wait any more. */
  constructor(fd: number) {
    this.fd = fd;
  }

  /** Ends reading at once, with an error or as if the pipe had ended. */
  destroy(error?: Error): void {
    this.#end(error);
    this.#socket?.destroy();
  }

  /** Chunks to be kept. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.pieces()) yield Buffer.from(piece);
  }

  /** Chunks, each of which changes when the next is asked for. Throws the system's errors. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    // A named pipe that nobody writes into yet would be taken for one that has ended.
    let mayBeFull = false;
    let turnedAt = performance.now();
    try {
      while (!this.#isEnded) {
        let count = mayBeFull ? readNow(this.fd, this.#piece) : -1;
        if (count === 0) return;
        if (count < 0) {
          count = await this.#wait();
          turnedAt = performance.now();
          if (count < 0) break;
        } else if (performance.now() - turnedAt > mostMsWithoutTurn) {
          await new Promise((resolve) => setImmediate(resolve));
          turnedAt = performance.now();
        }
        mayBeFull = true;
        yield this.#piece.subarray(0, count);
      }
      if (this.#error !== undefined) throw this.#error;
    } finally {
      this.#socket?.destroy();
    }
  }

  /** Waits for something to come, and reads it: so many bytes; -1 at the end. */
  async #wait(): Promise<number> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    this.#count = -1;
    (this.#socket ??= this.#open()).resume();
    if (!this.#isEnded) await woken;
    return this.#count;
  }

  #open(): Socket {
    const socket = new Socket({
      fd: this.fd,
      readable: true,
      writable: false,
      onread: {
        buffer: this.#piece,
        callback: (count) => {
          this.#count = count;
          this.#wake?.();
          // It reads no more until it is asked to.
          return false;
        },
      },
    });
    socket.on("end", () => this.#end());
    socket.on("close", () => this.#end());
    socket.on("error", (error) => this.#end(error));
    return socket;
  }

  #end(error?: Error): void {
    this.#isEnded = true;
    this.#error ??= error;
    this.#wake?.();
  }
}

/** Bytes that are there already: so many, 0 at the end, -1 when there are none yet. */
function readNow(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into, 0, into.length, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return -1;
    throw error;
  }
}
