// The type of a row of the fault matrix that tests outside the lab cover.

/** A row of the fault matrix that tests outside the lab cover. */
export interface RowElsewhere {
  readonly id: number;
  readonly title: string;
  readonly does: string;
  /** Paths of the test files, relative to the repository's root. */
  readonly tests: readonly string[];
}
