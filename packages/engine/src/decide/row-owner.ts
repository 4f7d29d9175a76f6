// The interface by which the owner of a batch learns where the rows of its records are in the output, and which of its records wait.

/** The records of a parcel whose batch has an owner. */
export interface OwnedRecords {
  readonly owner: RowOwner;
  /** The records, as indices into the batch. */
  readonly records: readonly number[];
  /** The number of records, from the first one on, whose rows are built. */
  done: number;
  /** Whether the building of their rows has begun. */
  isBegun: boolean;
  /** Gives up the records, which then get no rows, and frees their memory. Returns false if their rows are already being built. */
  withdraw(): boolean;
}

/**
 * The owner of a batch. Positions are offsets into all rows of the run, so a stage after the group stage can tell whose rows a piece
 * has. Every record has one row. Calls come in the order of the rows, before the piece with these rows is pushed: the rows of a call
 * begin where the rows of the previous call end.
 */
export interface RowOwner {
  /** The rows of the batch's records `[first, end)`, without those in `waiting`, end at byte `to`. */
  onRows(first: number, end: number, waiting: readonly number[], to: number): void;
  /** Records wait for their origin. */
  onParked(parked: OwnedRecords): void;
  /** The rows of the parked records `[first, end)`, as indices into `parked.records`, end at byte `to`. */
  onParkedRows(parked: OwnedRecords, first: number, end: number, to: number): void;
}
