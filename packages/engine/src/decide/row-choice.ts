// The value of --only in, which rows are written out. Counts do not depend on it.

/** A kind of row that can be chosen. */
export type RowChoice = "allowed" | "disallowed" | "undecided" | "crawlers";

/** The kinds of rows, in the order of the help. */
export const rowChoices: readonly { readonly name: RowChoice; readonly about: string }[] = [
  { name: "allowed", about: "the crawler may fetch the URL" },
  { name: "disallowed", about: "the crawler may not fetch the URL" },
  { name: "undecided", about: "no robots.txt applies to the URL" },
  { name: "crawlers", about: "all of these three, for requests that a crawler made (needs --agent-field)" },
];

/** Which rows are written, by their answer. A row of no crawler is written only when nothing was chosen. */
export interface ChosenRows {
  readonly allowed: boolean;
  readonly disallowed: boolean;
  readonly undecided: boolean;
}

/** The rows that one of the choices names. */
export function chosenRowsOf(only: readonly RowChoice[]): ChosenRows {
  const isChosen = (name: RowChoice): boolean => only.includes(name) || only.includes("crawlers");
  return { allowed: isChosen("allowed"), disallowed: isChosen("disallowed"), undecided: isChosen("undecided") };
}
