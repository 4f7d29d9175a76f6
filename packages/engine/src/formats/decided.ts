// The second tier of outputs: batches of decided records in, a consumer's own output out (objects of a program, a table,
// messages of a queue). Outputs of the first tier, `OutputFormat`, write rows of bytes and see no record.
import { Writable } from "node:stream";
import type { Answer } from "./types.ts";

/** One record with one of its answers. */
export interface DecidedRecord<R = unknown> extends Answer {
  /** The record as it was given; a record from bytes as an object. */
  readonly record: R;
  /** Its URL. */
  readonly url: string;
}

/** A consumer of decided records, or of other decisions `D`. */
export interface DecidedConsumer<D = DecidedRecord> {
  /**
   * Takes the next batch, which is not empty and does not change. The engine decides nothing more until this has returned, or
   * its promise has resolved; an error ends the run.
   */
  take(batch: readonly D[]): void | Promise<void>;
  /** Called once, after the last batch was taken. */
  end?(): void | Promise<void>;
}

/** Maps the pieces of rows that the engine builds back to their records. */
export interface DecidedRows<D = DecidedRecord> {
  decisionsOf(rows: Buffer): readonly D[];
}

/** The last stage of a run with a consumer; `createWriteStage` is its counterpart for bytes. */
export function createDecidedOutlet<D>(rows: DecidedRows<D>, consumer: DecidedConsumer<D>): Writable {
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
    write(piece: Buffer, _encoding, callback) {
      settled(() => {
        const batch = rows.decisionsOf(piece);
        return batch.length === 0 ? undefined : consumer.take(batch);
      }, callback);
    },
    final: (callback) => settled(() => consumer.end?.(), callback),
  });
}
