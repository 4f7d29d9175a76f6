// Letters and spaces as the grammars of headers and tags define them: only ASCII counts.

/** A text with its ASCII letters in lower case; other letters stay, so that none of them becomes an ASCII letter. */
export function asciiLowerOf(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether the character at an index is a space, a tab (also a vertical one), a line end or a form feed. */
export function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** The text from `start` to `end`, without the spaces at both ends. */
export function trimmedOf(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isSpaceAt(text, from)) from++;
  while (to > from && isSpaceAt(text, to - 1)) to--;
  return text.slice(from, to);
}
