// The offsets of one record's head and target: the input of deciding, in memory or in a file.

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
