// Cuts a text, at its end or in its middle, to a number of terminal columns.

/** The number of columns that a character takes: none for a combining mark, two for an East Asian one. */
export type WidthOf = (codePoint: number) => number;

const ellipsis = "…";
/** Largest number of characters for one column. A text with more combining marks is cut earlier, which limits the time. */
const mostCharactersPerColumn = 8;

// oxlint-disable-next-line no-control-regex
const isAscii = /^[\x00-\x7f]*$/;

/**
 * The width of a text without control characters. Infinity, without measuring, for a text that has more characters than may be shown in
 * `columns` columns.
 */
export function widthWithin(text: string, columns: number, widthOf: WidthOf): number {
  if (isAscii.test(text)) return text.length;
  if (text.length > columns * 2 * mostCharactersPerColumn) return Infinity;
  let width = 0;
  for (const character of text) width += widthOf(character.codePointAt(0)!);
  return width;
}

/** The text, cut at its end to at most `columns` columns. */
export function cutEnd(text: string, columns: number, widthOf: WidthOf): string {
  if (widthWithin(text, columns, widthOf) <= columns) return text;
  return columns < 1 ? "" : beginningOf(text, columns - 1, widthOf) + ellipsis;
}

/** The text, cut in the middle to at most `columns` columns. Keeps both ends: of a URL, the host and the end of the path. */
export function cutMiddle(text: string, columns: number, widthOf: WidthOf): string {
  if (widthWithin(text, columns, widthOf) <= columns) return text;
  if (columns < 1) return "";
  const atEnd = Math.floor((columns - 1) / 2);
  return beginningOf(text, columns - 1 - atEnd, widthOf) + ellipsis + endOf(text, atEnd, widthOf);
}

function beginningOf(text: string, columns: number, widthOf: WidthOf): string {
  const most = columns * mostCharactersPerColumn;
  let found = "";
  let width = 0;
  let count = 0;
  for (const character of text) {
    width += widthOf(character.codePointAt(0)!);
    if (width > columns || ++count > most) break;
    found += character;
  }
  return found;
}

function endOf(text: string, columns: number, widthOf: WidthOf): string {
  const most = columns * mostCharactersPerColumn;
  // A character has at most two UTF-16 units. The loop stops before the first element, which may be half of a surrogate pair.
  const characters = Array.from(text.slice(-2 * most - 2));
  const least = Math.max(0, characters.length - most);
  let at = characters.length;
  for (let width = 0; at > least; at--) {
    width += widthOf(characters[at - 1]!.codePointAt(0)!);
    if (width > columns) break;
  }
  // A mark without its letter would be drawn over the ellipsis.
  while (at < characters.length && widthOf(characters[at]!.codePointAt(0)!) === 0) at++;
  return characters.slice(at).join("");
}
