// Defines the message from the locating stage to the deciding stage: the records of a batch with their origins and targets.
import type { RowTracker } from "../records/batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import { notInBytes, spanSize, targetEndAt, targetStartAt } from "../records/packed.ts";

export interface LocatedBatch {
  readonly count: number;
  /** The buffer that contains the heads, see `Batch`. */
  readonly heads: Buffer;
  /** The buffer that contains the targets. */
  readonly bytes: Buffer;
  /** `spanSize` numbers per record: start and end of its head, start and end of its target. */
  readonly spans: Int32Array;
  /** The state of each record's origin; undefined if no robots.txt applies. The deciding stage replaces a state that is not ready. */
  readonly states: (OriginState | undefined)[];
  /**
   * Texts of the records whose target starts at `notInBytes`; the end of such a target is an index of this list. A text is the target or,
   * for a record without a state, the reason why no robots.txt applies.
   */
  readonly made: readonly string[];
  /** With `agentField`: the index of each record's first question. Absent: 0 for every record. */
  readonly firsts?: Uint32Array | undefined;
  /** The last user of the batch calls this function after its last use. The memory of the batch is then reused. */
  readonly recycle: (() => void) | undefined;
  /**
   * A queue that keeps the order calls this function once the rows of this batch and of all earlier batches are built, and before it builds
   * a row of a later batch. The argument is the number of bytes of all rows so far.
   */
  readonly onDecided?: ((rowBytes: number) => void) | undefined;
  /** Is told where the rows of the records end; only for a queue that does not keep the order. */
  readonly tracker?: RowTracker | undefined;
}

/** A record's target; for a record without a state, the reason why no robots.txt applies. */
export function targetOf({ spans, bytes, made }: LocatedBatch, record: number): string {
  const start = spans[record * spanSize + targetStartAt]!;
  const end = spans[record * spanSize + targetEndAt]!;
  return start === notInBytes ? made[end]! : bytes.toString("latin1", start, end);
}

/** The index of the first question for a record. */
export function firstOf({ firsts, states }: LocatedBatch, record: number): number {
  return states[record]?.first ?? firsts?.[record] ?? 0;
}
