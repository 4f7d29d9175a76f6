// Passes batches of decided records to a consumer, which may write them to a queue or a database. The output formats of `OutputFormat`
// write rows of bytes instead and get no record objects.
import { Writable } from "node:stream";
import type { Answer } from "./types.ts";

/** One record with one of its answers. */
export interface DecidedRecord<R = unknown> extends Answer {
  /** The record object from the caller; for a record read from bytes, an object made from it. */
  readonly record: R;
  /** The record's URL. */
  readonly url: string;
}

/** A consumer of decided records, or of other decisions `D`. */
export interface DecidedConsumer<D = DecidedRecord> {
  /**
   * Takes the next batch, which is not empty and does not change. The engine passes no other batch until `take` has returned or its
   * promise has resolved. An error ends the run.
   */
  take(batch: readonly D[]): void | Promise<void>;
  /** Called once, after the last batch was taken. */
  end?(): void | Promise<void>;
}

/**
 * The last stage of a run with a consumer: converts each piece `P` of the engine's output to decisions and passes these to the consumer.
 * `createWriteStage` is the stage for bytes.
 */
export function createDecidedOutlet<P, D>(
  decisionsOf: (piece: P) => readonly D[],
  consumer: DecidedConsumer<D>,
): Writable {
  const settled = (act: () => void | Promise<void>, callback: (error?: Error | null) => void): void => {
    try {
      const taken = act();
      if (taken === undefined) callback();
      else taken.then(() => callback(), callback);
    } catch (error) {
      callback(error as Error);
    }
  };
  return new Writable({
    objectMode: true,
    highWaterMark: 1,
    write(piece: P, _encoding, callback) {
      settled(() => {
        const batch = decisionsOf(piece);
        return batch.length === 0 ? undefined : consumer.take(batch);
      }, callback);
    },
    final: (callback) => settled(() => consumer.end?.(), callback),
  });
}
