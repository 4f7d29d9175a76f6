// The descriptor of a file or a pipe in, what it gives out, into one piece of memory: what is there is read at once, and only
// an empty pipe is waited for, by the event loop.
import { closeSync, readSync } from "node:fs";
import type { Socket } from "node:net";
import { nodeNet } from "../node-parts.ts";

/** As much as a pipe holds on Linux. */
const pieceBytes = 65_536;

/** Reading without waiting goes on no longer before timers, signals and sockets have their turn. */
const mostMsWithoutTurn = 4;

/** What a descriptor is of: a regular file, from where it stands or from a place, or a pipe. */
export type DirectSource = { readonly start: number | null; readonly isOwn: boolean } | "pipe";

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

  /**
   * A pipe is this object's from now on; whoever else has it finds that it does not wait any more. A file is closed at its end
   * when it is its own.
   */
  constructor(fd: number, source: DirectSource) {
    this.fd = fd;
    this.#source = source;
  }

  /** Ends reading at once, with an error or as if it came to its end. */
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
    const source = this.#source;
    // A named pipe that nobody writes into yet would be taken for one that has ended.
    let mayHaveSome = source !== "pipe";
    let place = source === "pipe" ? null : source.start;
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
        mayHaveSome = true;
        if (place !== null) place += count;
        yield this.#piece.subarray(0, count);
      }
      if (this.#error !== undefined) throw this.#error;
    } finally {
      this.#socket?.destroy();
      if (source !== "pipe" && source.isOwn) closeSync(this.fd);
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
