// The type of a row of the fault matrix whose tests are outside the lab.

/** A row that other tests cover. */
export interface RowElsewhere {
  readonly id: number;
  readonly title: string;
  readonly does: string;
  /** Paths from the repository's root. */
  readonly tests: readonly string[];
}
