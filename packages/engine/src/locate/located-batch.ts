// The records of a batch with their origins and targets: the message from the locating stage to the deciding stage.
import type { OriginState } from "../origins/origin-state.ts";
import { notInBytes, spanSize, targetEndAt, targetStartAt } from "../records/packed.ts";

/** The records of a batch. */
export interface LocatedBatch {
  readonly count: number;
  /** What heads are ranges of, see `Batch`. */
  readonly heads: Buffer;
  /** What targets are ranges of. */
  readonly bytes: Buffer;
  /** `spanSize` numbers a record: start and end of its head, start and end of its target. */
  readonly spans: Int32Array;
  /** Undefined for a record that no robots.txt decides about. A state may have to be built before it decides, see `currentOf`. */
  readonly states: (OriginState | undefined)[];
  /** Texts of the records whose target starts at `notInBytes`: their targets; where there is no state, the reason. */
  readonly made: readonly string[];
  /** When each record names its crawler: the index of its first question. Absent: 0 for every record. */
  readonly firsts?: Uint32Array | undefined;
  /** To be called after the last use of the batch: its memory is then reused. */
  readonly recycle: (() => void) | undefined;
  /**
   * To be called by a queue that keeps the order when the rows of the batch and of all before it have been made, and none of
   * a later one: with the bytes of all rows so far.
   */
  readonly onDecided?: ((rowBytes: number) => void) | undefined;
}

/** What the rules are compared with; for a record without a state, the reason. */
export function targetOf({ spans, bytes, made }: LocatedBatch, record: number): string {
  const start = spans[record * spanSize + targetStartAt]!;
  const end = spans[record * spanSize + targetEndAt]!;
  return start === notInBytes ? made[end]! : bytes.toString("latin1", start, end);
}

/** The index of the first question for a record. */
export function firstOf({ firsts, states }: LocatedBatch, record: number): number {
  return states[record]?.first ?? firsts?.[record] ?? 0;
}
