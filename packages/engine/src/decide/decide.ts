// Turns records whose robots.txt is loaded into output rows: one row for each question about a record, or one row for all of them.
import { firstOf, type LocatedBatch } from "../locate/located-batch.ts";
import {
  createRecordRange,
  headEndAt,
  headStartAt,
  notInBytes,
  type RecordRange,
  spanSize,
  targetEndAt,
  targetStartAt,
} from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { MemberTails } from "./member-tails.ts";
import { ObjectTails } from "./object-tails.ts";
import { RecordRows } from "./record-rows.ts";
import { Tails } from "./tails.ts";
import { TargetBytes } from "../locate/target-bytes.ts";

/** Decides the records of batches, and single records that had to wait: counts the decisions and builds the rows. */
export class Decider extends RecordRows {
  readonly #origins: DeciderOptions["origins"];
  /** The current record of the batch. */
  readonly #record: RecordRange = createRecordRange();
  /** The current record's target, when the target is not a range of the input bytes. */
  readonly #target = new TargetBytes();

  constructor(options: DeciderOptions) {
    super(options, tailsFor(options));
    this.#origins = options.origins;
  }

  /**
   * Builds the rows of the batch's records `[record, end)` until the rows are full; returns the index of the record to continue with. The
   * indices of records whose origin is not loaded are added to `waiting`. Without `waiting`, the method stops before the first such record.
   */
  decideFrom(batch: LocatedBatch, record: number, end: number, rows: Rows, waiting?: number[]): number {
    let next = record;
    while (next < end && !rows.isFull) {
      const isWhole = this.#decide(batch, next, rows);
      if (isWhole === false) break;
      if (isWhole === undefined) {
        if (waiting === undefined) break;
        waiting.push(next);
      } else batch.tracker?.take(next, rows.allBytes);
      next++;
    }
    return next;
  }

  /** Builds rows of the record at `index` of a batch. Returns whether all its rows are built; undefined when its origin is not loaded. */
  #decide(batch: LocatedBatch, index: number, rows: Rows): boolean | undefined {
    const { heads, bytes, spans, states, made } = batch;
    const record = this.#record;
    const at = index * spanSize;
    record.heads = heads;
    record.headStart = spans[at + headStartAt]!;
    record.headEnd = spans[at + headEndAt]!;
    record.targetStart = spans[at + targetStartAt]!;
    record.targetEnd = spans[at + targetEndAt]!;
    let state = states[index];
    if (state === undefined) return this.addProblem(record, firstOf(batch, index), made[record.targetEnd]!, rows);
    if (!state.isReady) {
      state = states[index] = this.#origins.currentOf(state);
      // `currentOf` may have built matchers, which is slow.
      rows.turn.count(true);
      if (!state.isReady) return undefined;
    }
    record.targets = bytes;
    if (record.targetStart === notInBytes) {
      record.targetEnd = this.#target.write(made[record.targetEnd]!);
      record.targets = this.#target.bytes;
      record.targetStart = 0;
    }
    return this.add(record, state, rows);
  }
}

function tailsFor(options: DeciderOptions): Tails {
  if (options.objects !== undefined) return new ObjectTails(options);
  return options.members === undefined ? new Tails(options) : new MemberTails(options);
}
