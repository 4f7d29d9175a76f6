// The descriptor of a file or a device in, a stream that writes lines into it out: when a write into a file fails in the middle
// of a line, what is there of that line is taken away again, so that the file ends with a whole one.
import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { Writable } from "node:stream";

const lineFeed = 0x0a;

/** How a file output begins. */
export interface FileOutputOptions {
  /** Where in the file to write; otherwise where the descriptor stands. */
  readonly begin?: number;
  /** To be waited for before the first write. */
  readonly prepare?: () => Promise<void>;
  /** Is told after each write. */
  readonly onWritten?: () => void;
}

/**
 * Writes into a file or a device, and leaves it open. Every chunk must end with a line end. A failed write gives the stream the system's error; process.stdout
 * would take what a full disk cut short for written.
 */
export class FileOutput extends Writable {
  /** Bytes that were written. */
  written = 0;
  readonly fd: number;
  readonly #options: FileOutputOptions;
  #begin: number | undefined;
  #prepared: Promise<void> | undefined;

  constructor(fd: number, options: FileOutputOptions = {}) {
    super();
    this.fd = fd;
    this.#options = options;
    this.#begin = options.begin;
  }

  /** Does what is to be done before the first write, once. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#options.prepare?.() ?? Promise.resolve();
    return this.#prepared;
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (this.written > 0) this.#writeAll(chunk, callback);
    else this.prepare().then(() => this.#writeAll(chunk, callback), callback);
  }

  /** At once: to have a thread do it and tell costs more than it takes to give the system what it writes later. */
  #writeAll(chunk: Uint8Array, callback: (error?: Error | null) => void): void {
    let from = 0;
    try {
      this.#begin ??= fstatSync(this.fd).size;
      while (from < chunk.length) {
        const position = this.#options.begin === undefined ? null : this.#begin + this.written;
        const count = writeSync(this.fd, chunk, from, chunk.length - from, position);
        from += count;
        this.written += count;
      }
    } catch (error) {
      this.#cut(from - (chunk.subarray(0, from).lastIndexOf(lineFeed) + 1));
      callback(error as Error);
      return;
    }
    this.#options.onWritten?.();
    callback();
  }

  /** Only where all of the file's end is ours: others may write into it, or a program before us had more of it. */
  #cut(bytes: number): void {
    try {
      const end = (this.#begin ?? 0) + this.written;
      if (bytes > 0 && fstatSync(this.fd).size === end) ftruncateSync(this.fd, end - bytes);
    } catch {
      // Then the line stays cut. The error that is told is the one of the write.
    }
  }
}
