// Finds the ends of quoted fields and of rows in the text of a table (RFC 4180 §2), for all code except walk.ts.

const quote = '"';
const quoteByte = 0x22;

/**
 * The offset of the quote that closes a quoted field; -1 if there is none. `from`: offset after the opening quote. Doubled quotes are text.
 */
export function closingQuoteFrom(text: string, from: number): number {
  let at = text.indexOf(quote, from);
  while (at >= 0 && text.charCodeAt(at + 1) === quoteByte) at = text.indexOf(quote, at + 2);
  return at;
}

/** The offset of the first line end outside of quotes; -1 when there is none. `isOpen`: the text begins within quotes. */
export function endOfRow(text: string, lineEnd: string, isOpen = false): number {
  let at = 0;
  if (isOpen) {
    at = closingQuoteFrom(text, 0) + 1;
    if (at === 0) return -1;
  }
  let lineEndAt = -1;
  for (;;) {
    // The line end at `lineEndAt` is searched again only when it is before `at`.
    if (lineEndAt < at) lineEndAt = text.indexOf(lineEnd, at);
    const opening = text.indexOf(quote, at);
    if (lineEndAt < 0 || opening < 0 || lineEndAt < opening) return lineEndAt;
    at = closingQuoteFrom(text, opening + 1) + 1;
    if (at === 0) return -1;
  }
}

/** Removes the text in quotes from a row, so that each delimiter left is between two fields. */
export function withoutQuotedText(row: string): string {
  return row.replaceAll(/"[^"]*"/g, '""');
}
