// The descriptor of a regular file in, a stream that writes lines into it out: when a write fails in the middle of a line,
// what is there of that line is taken away again, so that the file ends with a whole one.
import { close, fstatSync, ftruncateSync, write } from "node:fs";
import { Writable } from "node:stream";

const lineFeed = 0x0a;

/** How a file output ends. */
export interface FileOutputOptions {
  /** Closes the descriptor at the end; otherwise it stays open. */
  readonly closes?: boolean;
}

/**
 * Writes where the descriptor stands. Every chunk must end with a line end. A failed write gives the stream the system's
 * error; process.stdout would take what a full disk cut short for written.
 */
export function createFileOutput(fd: number, { closes = false }: FileOutputOptions = {}): Writable {
  let begin: number | undefined;
  let written = 0;

  function writeFrom(chunk: Uint8Array, from: number, callback: (error?: Error | null) => void): void {
    write(fd, chunk, from, chunk.length - from, null, (error, count) => {
      if (error !== null) {
        cut(from - (chunk.subarray(0, from).lastIndexOf(lineFeed) + 1));
        callback(error);
        return;
      }
      written += count;
      if (from + count < chunk.length) writeFrom(chunk, from + count, callback);
      else callback();
    });
  }

  /** Only where all of the file's end is ours: others may write into it, or a program before us had more of it. */
  function cut(bytes: number): void {
    try {
      const end = (begin ?? 0) + written;
      if (bytes > 0 && fstatSync(fd).size === end) ftruncateSync(fd, end - bytes);
    } catch {
      // Then the line stays cut. The error that is told is the one of the write.
    }
  }

  return new Writable({
    write: (chunk: Uint8Array, _encoding, callback) => {
      begin ??= fstatSync(fd).size;
      writeFrom(chunk, 0, callback);
    },
    destroy: (error, callback) => {
      if (closes) close(fd, (failure) => callback(error ?? failure));
      else callback(error);
    },
  });
}
