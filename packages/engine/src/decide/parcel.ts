// Copies the bytes of records of one batch that wait for the same origin; the copy outlives the batch.
import { type LocatedBatch, targetOf } from "../locate/located-batch.ts";
import { headEndAt, headStartAt, spanSize } from "../records/packed.ts";
import type { ParkedRecords } from "../records/sink.ts";

/** Copies of records of one batch that wait for the same state. */
export interface Parcel {
  /** Head and target of the first record, then head and target of the second, and so on. */
  bytes: Buffer;
  /** `endsEach` offsets for each record: the end of its head, then the end of its target. */
  ends: Int32Array;
  /** The object that represents this parcel to the sink of its records; absent for records without a sink. */
  parked?: ParkedRecords;
}

/** Numbers per record in `Parcel.ends`. */
export const endsEach = 2;

/** Bytes per number in `ends`, and bytes that a parcel takes besides its buffers. */
const endBytes = 4;
const parcelOverhead = 850;

/**
 * Makes a parcel of the batch's records with these indices. Copies their bytes, because a slice of the batch's buffer would keep the whole
 * buffer in memory.
 */
export function parcelOf(batch: LocatedBatch, records: readonly number[]): Parcel {
  const { heads, spans } = batch;
  const targets = records.map((record) => targetOf(batch, record));
  let size = 0;
  for (const [index, record] of records.entries()) {
    const at = record * spanSize;
    size += spans[at + headEndAt]! - spans[at + headStartAt]! + targets[index]!.length;
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  const ends = new Int32Array(records.length * endsEach);
  let end = 0;
  for (const [index, record] of records.entries()) {
    const at = record * spanSize;
    end += heads.copy(bytes, end, spans[at + headStartAt], spans[at + headEndAt]);
    ends[index * endsEach] = end;
    end += bytes.write(targets[index]!, end, "latin1");
    ends[index * endsEach + 1] = end;
  }
  return { bytes, ends };
}

/** The memory that a parcel takes, in bytes. */
export function sizeOf({ bytes, ends }: Parcel): number {
  return bytes.length + ends.length * endBytes + parcelOverhead;
}
