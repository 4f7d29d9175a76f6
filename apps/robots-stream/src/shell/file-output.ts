// The descriptor of a file or a device in, a stream that writes lines into it out. When a write fails in the middle of a line, the
// file is truncated to its last whole line.
import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { Writable } from "node:stream";

const lineFeed = 0x0a;

/** How a file output begins. */
export interface FileOutputOptions {
  /** How messages name it. */
  readonly shown?: string;
  /** Offset of the first write; otherwise the descriptor's own position. */
  readonly begin?: number;
  /** Called once and awaited before the first write. */
  readonly prepare?: () => Promise<void>;
  /** Called after each write. */
  readonly onWritten?: () => void;
}

/**
 * Writes into a file or a device, and leaves it open. Every chunk must end with a line end. A failed write ends the stream with the
 * system's error, also one that a full disk cut short, which process.stdout reports as complete.
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

  /** How messages name it; a file that was truncated and not finished holds nothing of what was in it before. */
  get shown(): string {
    const { shown } = this.#options;
    return shown === undefined ? "output" : `${shown}, which is replaced and incomplete now`;
  }

  /** Calls `prepare` of the options, once. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#options.prepare?.() ?? Promise.resolve();
    return this.#prepared;
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (this.written > 0) this.#writeAll(chunk, callback);
    else this.prepare().then(() => this.#writeAll(chunk, callback), callback);
  }

  /** Writes synchronously: the system only copies the bytes, and handing them to a thread of Node's pool costs more than that. */
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

  /** Truncates only when the file ends where this stream wrote last: other processes may have written behind it. */
  #cut(bytes: number): void {
    try {
      const end = (this.#begin ?? 0) + this.written;
      if (bytes > 0 && fstatSync(this.fd).size === end) ftruncateSync(this.fd, end - bytes);
    } catch {
      // The line stays cut. The stream reports the error of the write, not this one.
    }
  }
}
