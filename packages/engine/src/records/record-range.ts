// Where one record's head and target stand: what deciding a record takes, wherever the record waited.

/** A record as ranges of bytes. */
export interface RecordRange {
  heads: Buffer;
  headStart: number;
  headEnd: number;
  targets: Buffer;
  targetStart: number;
  targetEnd: number;
}

/** A range to be filled in for one record after another: no object is made per record. */
export function createRecordRange(): RecordRange {
  const none = Buffer.alloc(0);
  return { heads: none, headStart: 0, headEnd: 0, targets: none, targetStart: 0, targetEnd: 0 };
}
