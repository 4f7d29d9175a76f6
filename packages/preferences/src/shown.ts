// Cuts texts of a file or a response to a bounded length, because they may appear in each of a million rows.

const mostCharacters = 200;

/** The text, cut at 200 characters. */
export function shownOf(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
