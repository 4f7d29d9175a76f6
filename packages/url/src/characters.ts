// Tables over ASCII, and hex digits, for the scanners of URLs.

/** A table over ASCII with a 1 for each of these characters. */
export function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = 1;
  return table;
}

/** What {@link hexDigitOf} finds; a digit that upper case leaves alone is the third answer. */
export const notHex = 0;
const upperHex = 1;
export const lowerHex = 2;

/** Whether a code unit is a hex digit, and whether it is one that upper case would change; NaN is none. */
export function hexDigitOf(code: number): 0 | 1 | 2 {
  if (code < 0x30) return notHex;
  if (code <= 0x39) return upperHex;
  if (code >= 0x41 && code <= 0x46) return upperHex;
  return code >= 0x61 && code <= 0x66 ? lowerHex : notHex;
}
