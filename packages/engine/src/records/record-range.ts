// Defines the input of a decision: the head and the target of one record, as ranges of buffers.

/** A record: the head is `heads[headStart, headEnd)`, the target is `targets[targetStart, targetEnd)`. */
export interface RecordRange {
  heads: Buffer;
  headStart: number;
  headEnd: number;
  targets: Buffer;
  targetStart: number;
  targetEnd: number;
}

/** Creates an object that is filled in again for each record, so that no object is allocated per record. */
export function createRecordRange(): RecordRange {
  const none = Buffer.alloc(0);
  return { heads: none, headStart: 0, headEnd: 0, targets: none, targetStart: 0, targetEnd: 0 };
}
