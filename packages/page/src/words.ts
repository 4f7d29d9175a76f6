// Letter case and white space of ASCII only, as the grammars of headers and tags define them.

/** A text with its ASCII letters in lower case; other letters are not changed, so that none of them becomes an ASCII letter. */
export function asciiLowerOf(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether the character at an index is ASCII white space of HTML: a space, a tab, LF, CR or a form feed, but not a vertical tab. */
export function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
}

/** The words of a text that commas, semicolons or ASCII white space separate. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/[,;\t\n\f\r ]+/).filter((word) => word !== "");
}

/** The text from `start` to `end` without the white space at its ends. */
export function trimmedOf(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isSpaceAt(text, from)) from++;
  while (to > from && isSpaceAt(text, to - 1)) to--;
  return text.slice(from, to);
}
