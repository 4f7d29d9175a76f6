// The interface by which the owner of a batch learns where the rows of its records are in the output, and which of its records wait.

/** The records of a parcel whose batch has an owner. */
export interface OwnedRecords {
  readonly owner: RowOwner;
  /** The records, as indices into the batch. */
  readonly records: readonly number[];
  /** The number of records whose rows are built, from the first one on. */
  done: number;
  /** Whether building the rows of these records has begun. */
  isBegun: boolean;
  /** Gives up the records, which then get no rows, and frees their memory. Returns false if their rows are already being built. */
  withdraw(): boolean;
}

/**
 * The owner of a batch. Every record has one row. The argument `to` of each call is an offset into all rows of the run. With these offsets,
 * a stage after the group stage finds the owner of the rows in a piece of output. Calls come in the order of the rows, before the piece
 * with these rows is pushed: the rows of a call begin where the rows of the previous call end.
 */
export interface RowOwner {
  /** The rows of the batch's records `[first, end)` end at byte `to`. The records in `waiting` have no row yet. */
  onRows(first: number, end: number, waiting: readonly number[], to: number): void;
  /** The records of a parcel wait for their robots.txt. */
  onParked(parked: OwnedRecords): void;
  /** The rows of the records `[first, end)` of a parcel, as indices into `parked.records`, end at byte `to`. */
  onParkedRows(parked: OwnedRecords, first: number, end: number, to: number): void;
}
