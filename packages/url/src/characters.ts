// Lookup tables over ASCII and a test for hex digits, used by the URL scanners.

/** A table with one byte per ASCII character: 1 for each of the given characters, else 0. */
export function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = 1;
  return table;
}

/** The results of {@link hexDigitOf}. `upperHex`: a hex digit that is not a lower-case letter. */
export const notHex = 0;
const upperHex = 1;
export const lowerHex = 2;

/** Whether a code unit is a hex digit and, if so, whether it is a lower-case letter. NaN is not a hex digit. */
export function hexDigitOf(code: number): 0 | 1 | 2 {
  if (code < 0x30) return notHex;
  if (code <= 0x39) return upperHex;
  if (code >= 0x41 && code <= 0x46) return upperHex;
  return code >= 0x61 && code <= 0x66 ? lowerHex : notHex;
}
