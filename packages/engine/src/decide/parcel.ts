// Records of a batch that wait for one origin in, a copy of their bytes out, which outlives the batch.
import { type LocatedBatch, targetOf } from "../locate/located-batch.ts";
import { headEndAt, headStartAt, spanSize } from "../records/packed.ts";

/** Records of one origin that came in one batch. */
export interface Parcel {
  /** The head and the target of the first record, those of the second, … */
  readonly bytes: Buffer;
  /** `endsEach` numbers a record: where its head ends, then where its target ends. */
  readonly ends: Int32Array;
}

/** Numbers of one record in `Parcel.ends`. */
export const endsEach = 2;

/** Memory of a number in `ends`, and of a parcel besides its bytes and numbers. */
const endBytes = 4;
const parcelOverhead = 850;

/** A copy: a range of a block would keep the whole block in memory. */
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

/** The memory that a parcel takes. */
export function sizeOf({ bytes, ends }: Parcel): number {
  return bytes.length + ends.length * endBytes + parcelOverhead;
}
