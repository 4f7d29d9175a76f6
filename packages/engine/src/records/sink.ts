// The interface of a sink: what takes the records of a batch one by one, each with the row of its decisions.
//
// Order: a sink takes a record when its row is complete. Records of one origin come in the order of the input; others do not, because a
// record that waits for its robots.txt delays no other record. Every record has one row.
// Memory: a sink keeps no bytes. The row of a record begins where the row of the record that was taken before it ends, as an offset into
// all rows of the run; the bytes come later, in pieces of whole rows, through the stage after the group stage, and may be kept until they
// are given back to the row memory. A record with a sink waits in memory, never in a file: its sink limits the number of records.
// Losses: a record is taken once, or never if the run is stopped or the record is withdrawn.

/** Records of one batch that wait for the same robots.txt. */
export interface ParkedRecords {
  readonly sink: Sink;
  /** The records, as indices into the batch. */
  readonly records: readonly number[];
  /** Whether building the rows of these records has begun. */
  isBegun: boolean;
  /** Gives up the records, which then get no rows, and frees their memory. Returns false if their rows are already being built. */
  withdraw(): boolean;
}

/** Takes the records of one batch. */
export interface Sink {
  /** Takes the record at an index of the batch. Its row ends at byte `to` of all rows of the run. */
  take(record: number, to: number): void;
  /** Tells that records wait for their robots.txt; each is taken later, unless it is withdrawn. */
  park(parked: ParkedRecords): void;
  /** Tells that the last of these records was taken. */
  release(parked: ParkedRecords): void;
}
