// Writes pieces of output rows to the output stream, and takes the next piece only when the stream has taken the last one.
import { Writable } from "node:stream";
import { IoError } from "../common/errors.ts";
import type { RowMemory } from "../records/row-memory.ts";

export interface WriteStageOptions {
  /** Bytes before the first row. */
  readonly headerOf: () => string;
  /** Whether the header is already in the output, from an earlier part of the run. */
  readonly hasHeader?: boolean;
  /** Aborts when the reader of the output is gone. From then on, the stage drops the pieces, and no longer waits for pending writes. */
  readonly givesUp?: AbortSignal;
  /** The pool that row buffers are returned to; undefined: the buffers are not reused. */
  readonly memory?: RowMemory | undefined;
  /** Called for each piece whose rows may not have been written because of `givesUp`. */
  readonly onLoss?: () => void;
}

/** The last stage: writes the header and then the pieces of rows to `output`. Does not end `output`. */
export function createWriteStage(
  output: Writable,
  { headerOf, hasHeader = false, givesUp, memory, onLoss }: WriteStageOptions,
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
        memory?.giveBack(rows);
        callback();
      } else {
        // An `IoError` comes from work before the write, such as writing the checkpoint; it is passed on unchanged.
        callback(error instanceof IoError ? error : new IoError("output", "output", error));
      }
    });
  };
  return new Writable({
    objectMode: true,
    highWaterMark: 2,
    write: (rows: Buffer, _encoding, callback) => write(rows, callback),
    // A run without records still writes the header of its input.
    final: (callback) => (begun ? callback() : write(Buffer.alloc(0), callback)),
  });
}
