// The rows of the fault matrix that are no servers: what we do, which test files show it.

/** A row that other tests show. */
interface RowElsewhere {
  readonly id: number;
  readonly title: string;
  readonly does: string;
  /** From the repository's root. */
  readonly tests: readonly string[];
}

export const elsewhere: readonly RowElsewhere[] = [
  {
    id: 100,
    title: "A good file, then 404, then an outage",
    does: "The 404 replaces the file: the outage falls back to it.",
    tests: ["packages/fetch/src/client.test.ts"],
  },
];
