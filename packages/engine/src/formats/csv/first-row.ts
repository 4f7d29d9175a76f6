// The beginning of a table in, its first row and the delimiter that this row shows out.
import { indexOfUsualField } from "../url-field.ts";

const delimiters: readonly string[] = [",", ";", "\t", "|"];

/**
 * The delimiter of a first row, as bytes: the one that gives a usual URL field, else the most frequent; "" when there
 * is none. What stands in quotes does not count.
 */
export function delimiterOf(row: string): string {
  const bare = row.replaceAll(/"[^"]*"/g, '""');
  const fieldsBy = delimiters.map((delimiter) => bare.split(delimiter).length);
  const named = delimiters.findIndex(
    (delimiter, index) => (fieldsBy[index] ?? 0) > 1 && indexOfUsualField(unquoted(row.split(delimiter))) >= 0,
  );
  const most = Math.max(...fieldsBy);
  return most === 1 ? "" : (delimiters[named >= 0 ? named : fieldsBy.indexOf(most)] ?? "");
}

/** The first row of a text, over several lines when a quoted field goes over several. */
export function firstRowOf(text: string, lineEnd: "\n" | "\r"): string {
  const end = endOfRow(text, lineEnd, false);
  if (end >= 0) return text.slice(0, end);
  // A quote that nothing closes says nothing.
  return text.split('"').length % 2 === 0 ? (text.split(lineEnd, 1)[0] ?? "") : text;
}

/** The place of the first line end outside of quotes; -1 when there is none. `isOpen`: the text begins within quotes. */
export function endOfRow(text: string, lineEnd: string, isOpen: boolean): number {
  let inQuotes = isOpen;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inQuotes = !inQuotes;
    else if (character === lineEnd && !inQuotes) return at;
  }
  return -1;
}

function unquoted(fields: readonly string[]): string[] {
  return fields.map((field) => (field.startsWith('"') ? field.slice(1, -1) : field));
}
