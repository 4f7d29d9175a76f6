// Defines a stream that writes lines to the descriptor of a file or device. When a write fails in the middle of a line, the stream
// truncates the file to its last whole line.
import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { Writable } from "node:stream";

const lineFeed = 0x0a;

export interface FileOutputOptions {
  /** The name of the output in messages. */
  readonly shown?: string;
  /** Offset of the first write; if undefined, the descriptor's own position. */
  readonly begin?: number;
  /** Called once and awaited before the first write. */
  readonly prepare?: () => Promise<void>;
  /** Called after each write that succeeded. */
  readonly onWritten?: () => void;
}

/**
 * Writes to a file or a device and leaves the descriptor open. Every chunk must end with a line end. A failed write ends the stream with
 * the system's error. A write that a full disk truncated also fails; process.stdout would report such a write as complete.
 */
export class FileOutput extends Writable {
  /** Number of bytes written so far. */
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

  /** The output's name in messages. For a named file, the text adds that the file is incomplete: its former content is already lost. */
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

  /** Writes synchronously: the system only copies the bytes, which costs less than a call to a thread of Node's pool. */
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

  /** Removes the last `bytes` bytes unless another process has appended to the file since this stream's last write. */
  #cut(bytes: number): void {
    try {
      const end = (this.#begin ?? 0) + this.written;
      if (bytes > 0 && fstatSync(this.fd).size === end) ftruncateSync(this.fd, end - bytes);
    } catch {
      // The file keeps its incomplete last line. The stream reports the error of the write, not the error of the truncation.
    }
  }
}
