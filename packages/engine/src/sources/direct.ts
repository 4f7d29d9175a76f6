// Reads the bytes of a descriptor into one buffer: of a file synchronously, of a pipe or a socket in the event loop.
import { closeSync, readSync } from "node:fs";
import type { Socket, SocketConstructorOpts } from "node:net";

/** Size of the buffer; the capacity of a pipe on Linux. */
const pieceBytes = 65_536;

/** Time in milliseconds after which reading yields to the event loop (timers, signals, sockets). */
const mostMsWithoutTurn = 4;

interface DirectSource {
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

/** Reads a pipe or a socket from its descriptor to the end, once. The constructor reads nothing. */
export class PipeInput implements AsyncIterable<Uint8Array> {
  readonly isTTY = false;
  readonly fd: number;
  readonly #isOwn: boolean;
  #socket: Socket | undefined;
  /** Resolves the pending read. */
  #wake: (() => void) | undefined;
  /** Number of bytes in the buffer that were read but not yielded yet. */
  #count = 0;
  #isEnded = false;
  #error: Error | undefined;

  /** `isOwn`: whether `destroy` closes the descriptor even when nothing was read. */
  constructor(fd: number, isOwn: boolean) {
    this.fd = fd;
    this.#isOwn = isOwn;
  }

  /** Ends reading at once: with `error`, or without an error, as at the end of the pipe. */
  destroy(error?: Error): void {
    if (this.#socket !== undefined) this.#socket.destroy();
    else if (this.#isOwn && !this.#isEnded) closeSync(this.fd);
    // Drops bytes that were read but not yielded.
    this.#count = 0;
    this.#end(error);
  }

  /** Chunks that the caller may keep. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.pieces()) yield Buffer.from(piece);
  }

  /** Chunks, each valid until the next is requested. Throws the system's errors. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    if (this.#isEnded && this.#error === undefined) return;
    const piece = Buffer.allocUnsafeSlow(pieceBytes);
    try {
      while (!this.#isEnded) {
        const woken = new Promise<void>((resolve) => (this.#wake = resolve));
        (this.#socket ??= this.#open(piece)).resume();
        await woken;
        const count = this.#count;
        this.#count = 0;
        if (count > 0) yield piece.subarray(0, count);
      }
      if (this.#error !== undefined) throw this.#error;
    } finally {
      this.destroy();
    }
  }

  #open(piece: Buffer): Socket {
    const socket = socketOf({
      fd: this.fd,
      readable: true,
      writable: false,
      onread: {
        buffer: piece,
        callback: (count) => {
          this.#count = count;
          this.#wake?.();
          // Reading pauses until the next chunk is requested.
          return false;
        },
      },
    });
    socket.on("end", () => this.#endAfterSignals());
    socket.on("close", () => this.#endAfterSignals());
    socket.on("error", (error) => this.#end(error));
    return socket;
  }

  /**
   * Ends reading after the process has handled the signals that arrived before the end of the pipe. Ctrl-C also ends the program that
   * writes the pipe. If reading ended before the signal was handled, the program's incomplete output would seem to be complete.
   */
  #endAfterSignals(): void {
    // The event loop handles signals after the other events of a turn, and may have collected the events of this turn before the signal.
    setImmediate(() => setImmediate(() => this.#end()));
  }

  #end(error?: Error): void {
    this.#isEnded = true;
    this.#error ??= error;
    this.#wake?.();
  }
}

function socketOf(options: SocketConstructorOpts): Socket {
  const { Socket } = process.getBuiltinModule("node:net");
  try {
    return new Socket(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_INVALID_FD_TYPE") throw error;
    throw Object.assign(new Error("ENOTSUP: a datagram socket cannot be an input"), { code: "ENOTSUP" });
  }
}
