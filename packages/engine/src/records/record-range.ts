// Offsets of one record's head and target, in memory or in a file: the input of a decision.

/** A record as ranges of bytes. */
export interface RecordRange {
  heads: Buffer;
  headStart: number;
  headEnd: number;
  targets: Buffer;
  targetStart: number;
  targetEnd: number;
}

/** A range to fill in for each record: no object is allocated per record. */
export function createRecordRange(): RecordRange {
  const none = Buffer.alloc(0);
  return { heads: none, headStart: 0, headEnd: 0, targets: none, targetStart: 0, targetEnd: 0 };
}
