// Parts of User-Agent headers (RFC 9110 §10.1.5), found by position: words, URLs, mail addresses and escapes.

/** Whether a UTF-16 code unit can be part of a word: ASCII letters, digits, `-` `.` `_`. */
export function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x5f
  );
}

/** The end of the word that begins at `start`. */
export function wordEndOf(text: string, start: number): number {
  let at = start;
  while (at < text.length && isWordCode(text.charCodeAt(at))) at++;
  return at;
}

const addressEnds: ReadonlySet<number> = new Set(Array.from(" \t()<>[]\"',;", (end) => end.charCodeAt(0)));

/** The end of a URL or mail address: the next white space, bracket, quote, comma or semicolon. */
export function addressEndOf(text: string, start: number): number {
  let at = start;
  while (at < text.length && !addressEnds.has(text.charCodeAt(at))) at++;
  return at;
}

/**
 * The position after the escape at `percent`, such as `%20` or `%2520`, which some logs write for a space. If `percent` begins no escape,
 * the next position.
 */
export function escapeEndOf(text: string, percent: number): number {
  let at = percent + 1;
  if (!isHexPairAt(text, at)) return at;
  while (text.startsWith("25", at) && isHexPairAt(text, at + 2)) at += 2;
  return at + 2;
}

function isHexPairAt(text: string, at: number): boolean {
  return isHexCode(text.charCodeAt(at)) && isHexCode(text.charCodeAt(at + 1));
}

function isHexCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}
