// Texts of a file or a response in, texts of a bounded length out: a row for each of a million records may have them.

const mostCharacters = 200;

/** The text, cut at 200 characters. */
export function shownOf(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
