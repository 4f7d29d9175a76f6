// The shape of a row of the fault matrix that is no server, and whose tests are elsewhere.

/** A row that other tests show. */
export interface RowElsewhere {
  readonly id: number;
  readonly title: string;
  readonly does: string;
  /** From the repository's root. */
  readonly tests: readonly string[];
}
