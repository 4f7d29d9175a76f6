// Pieces of output rows in, bytes on the output stream out, no faster than it takes them.
import { Writable } from "node:stream";
import { IoError } from "./errors.ts";
import type { RowMemory } from "./records/row-memory.ts";

/** What the stage writes to, and when. */
export interface WriteStageOptions {
  /** Bytes before the first row. */
  readonly headerOf: () => string;
  /** Whether it is there already. */
  readonly hasHeader?: boolean;
  /** Once aborted nothing more is written or waited for: the output is not read any more. */
  readonly givesUp?: AbortSignal;
  /** The memory that the rows are returned to. */
  readonly memory?: RowMemory | undefined;
  /** Called when rows were not written because of `givesUp`. */
  readonly onLoss?: () => void;
}

/** The last stage: writes pieces of rows to `output`, the header before the first. Does not end `output`. */
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
        // The error may be from work before the first write.
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
