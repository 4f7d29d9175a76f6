// Converts the value of `only` to `ChosenRows`. The counts of a run do not depend on `only`.

/** A kind of row that can be chosen. */
export type RowChoice = "allowed" | "disallowed" | "undecided" | "crawlers";

/** The kinds of rows, in the order of the help. */
export const rowChoices: readonly { readonly name: RowChoice; readonly about: string }[] = [
  { name: "allowed", about: "the crawler may fetch the URL" },
  { name: "disallowed", about: "the crawler may not fetch the URL" },
  { name: "undecided", about: "no robots.txt applies to the URL" },
  {
    name: "crawlers",
    about: "allowed, disallowed and undecided rows of requests that a crawler made",
  },
];

/**
 * For each kind of answer, whether rows with such an answer are written. Rows of records that no crawler made are written only without
 * `only`.
 */
export interface ChosenRows {
  readonly allowed: boolean;
  readonly disallowed: boolean;
  readonly undecided: boolean;
}

/** The kinds of rows that `only` selects: every kind that at least one of its names includes. */
export function chosenRowsOf(only: readonly RowChoice[]): ChosenRows {
  const isChosen = (name: RowChoice): boolean => only.includes(name) || only.includes("crawlers");
  return { allowed: isChosen("allowed"), disallowed: isChosen("disallowed"), undecided: isChosen("undecided") };
}
