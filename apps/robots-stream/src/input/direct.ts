// The descriptor of a file or a pipe in, what it gives out, into one piece of memory: what is there is read at once, and only
// an empty pipe is waited for, by the event loop.
import { closeSync, readSync } from "node:fs";
import type { Socket } from "node:net";
import { nodeNet } from "../node-parts.ts";

/** As much as a pipe holds on Linux. */
const pieceBytes = 65_536;

/** Reading without waiting goes on no longer before timers, signals and sockets have their turn. */
const mostMsWithoutTurn = 4;

/** What a descriptor is of. */
export interface DirectSource {
  readonly kind: "file" | "pipe";
  /** Where a file is read from; otherwise where it stands. */
  readonly start?: number;
  /** Whether it is closed here. */
  readonly isOwn: boolean;
}

/** A descriptor that is read to its end once. It is not touched before. */
export class DirectInput implements AsyncIterable<Uint8Array> {
  readonly isTTY = false;
  readonly fd: number;
  readonly #source: DirectSource;
  readonly #piece = Buffer.allocUnsafeSlow(pieceBytes);
  /** Waits for what comes into an empty pipe. */
  #socket: Socket | undefined;
  #wake: (() => void) | undefined;
  /** What the socket has read; -1: nothing yet. */
  #count = -1;
  #isEnded = false;
  #error: Error | undefined;

  #isClosed = false;

  /** A pipe does not wait from now on, for whoever else has it either. */
  constructor(fd: number, source: DirectSource) {
    this.fd = fd;
    this.#source = source;
  }

  /** Ends reading at once, with an error or as if it came to its end; what is its own is closed, also when it was not read. */
  destroy(error?: Error): void {
    this.#end(error);
    this.#close();
  }

  /** Chunks to be kept. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.pieces()) yield Buffer.from(piece);
  }

  /** Chunks, each of which changes when the next is asked for. Throws the system's errors. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    const isPipe = this.#source.kind === "pipe";
    let place = this.#source.start ?? null;
    // A named pipe that nobody writes into yet would be taken for one that has ended.
    let mayHaveSome = !isPipe;
    let turnedAt = performance.now();
    try {
      while (!this.#isEnded) {
        let count = mayHaveSome ? readNow(this.fd, this.#piece, place) : -1;
        if (count === 0) return;
        if (count < 0) {
          count = await this.#wait();
          turnedAt = performance.now();
          if (count < 0) break;
        } else if (performance.now() - turnedAt > mostMsWithoutTurn) {
          await new Promise((resolve) => setImmediate(resolve));
          turnedAt = performance.now();
        }
        // What did not fill the piece was all there was. Others may have made the pipe one that waits, and then only it would hear.
        mayHaveSome = !isPipe || count === this.#piece.length;
        if (place !== null) place += count;
        yield this.#piece.subarray(0, count);
      }
      if (this.#error !== undefined) throw this.#error;
    } finally {
      this.#close();
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
    const { Socket } = nodeNet();
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

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Its number may be another file's from now on.
    this.#isEnded = true;
    if (this.#socket !== undefined) this.#socket.destroy();
    else if (this.#source.isOwn) closeSync(this.fd);
  }

  #end(error?: Error): void {
    this.#isEnded = true;
    this.#error ??= error;
    this.#wake?.();
  }
}

/** Bytes that are there already: so many, 0 at the end, -1 when there are none yet. */
function readNow(fd: number, into: Buffer, place: number | null): number {
  try {
    return readSync(fd, into, 0, into.length, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return -1;
    throw error;
  }
}
