// Rows of a table in, whether each of them is surely one line out (RFC 4180).

const quote = 0x22;
const carriageReturn = 0x0d;

/**
 * Whether every quote in these rows, which are whole lines from the beginning of a row on, belongs to a field that opens,
 * closes and is within one line. Then rows are lines; else only reading in order tells.
 */
export function hasPlainRows(bytes: Buffer, delimiter: string, lineEnd: "\n" | "\r"): boolean {
  const between = delimiter.charCodeAt(0);
  const end = lineEnd.charCodeAt(0);
  for (let at = bytes.indexOf(quote); at >= 0; at = bytes.indexOf(quote, at)) {
    const before = at === 0 ? end : bytes[at - 1];
    if (before !== between && before !== end) return false;
    at++;
    for (; ; at++) {
      const byte = bytes[at];
      if (byte === undefined || byte === end) return false;
      if (byte !== quote) continue;
      if (bytes[at + 1] !== quote) break;
      at++;
    }
    const after = bytes[++at] === carriageReturn && end !== carriageReturn ? bytes[at + 1] : bytes[at];
    if (after !== between && after !== end && after !== undefined) return false;
  }
  return true;
}
