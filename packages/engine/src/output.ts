// Output rows in, bytes on the output stream out, no faster than it takes them.
import { Writable } from "node:stream";
import { IoError } from "./errors.ts";

/** What an outlet writes to, and when. */
export interface OutletOptions {
  /** What stands before the first row. */
  readonly headerOf: () => string;
  /** Whether it is there already. */
  readonly hasHeader?: boolean;
  /** From then on nothing more is written or waited for: who reads the output has stopped to. */
  readonly givesUp?: AbortSignal;
  /** Is given each piece of rows that was written and that nobody reads any more. */
  readonly onWritten?: (rows: Buffer) => void;
  /** Is told that rows were not written because of that. */
  readonly onLoss?: () => void;
}

/** The last stage: writes pieces of rows to `output`, the header before the first. Does not end `output`. */
export function createOutlet(
  output: Writable,
  { headerOf, hasHeader = false, givesUp, onWritten, onLoss }: OutletOptions,
): Writable {
  let begun = hasHeader;
  const write = (rows: Buffer, callback: (error?: Error) => void): void => {
    const bytes = begun ? rows : Buffer.concat([Buffer.from(headerOf(), "latin1"), rows]);
    begun = true;
    if (bytes.length === 0) {
      callback();
      return;
    }
    const giveUp = (): void => {
      onLoss?.();
      callback();
    };
    if (givesUp?.aborted === true) {
      giveUp();
      return;
    }
    givesUp?.addEventListener("abort", giveUp, { once: true });
    output.write(bytes, (error) => {
      if (givesUp?.aborted === true) return;
      givesUp?.removeEventListener("abort", giveUp);
      if (error === null || error === undefined) {
        onWritten?.(rows);
        callback();
      } else {
        // What had to be done first may have failed.
        callback(error instanceof IoError ? error : new IoError("output", "output", error));
      }
    });
  };
  return new Writable({
    objectMode: true,
    highWaterMark: 2,
    write: (rows: Buffer, _encoding, callback) => write(rows, callback),
    // A run without records still has a header when its input had one.
    final: (callback) => (begun ? callback() : write(Buffer.alloc(0), callback)),
  });
}
