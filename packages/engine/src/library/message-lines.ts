// Finds the lines of records in the bytes of a message.

const newline = 0x0a;
const space = 0x20;

/** Lines of a message that are records, and their numbers. */
export interface MessageLines {
  /** Numbers of the lines in the message, from 1. */
  readonly lines: readonly number[];
  /** The lines, each with a line end. */
  readonly bytes: Buffer;
}

/**
 * The lines of some records of a message. `places` has the positions of these records among all records of the message, from 0 and in
 * order; undefined: all records. Blank lines, lines in `rejected` and lines for which `isSilent` returns true are not records.
 */
export function linesOf(
  value: Uint8Array,
  rejected: readonly number[],
  places: readonly number[] | undefined,
  isSilent: ((line: string) => boolean) | undefined,
): MessageLines {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const refused = new Set(rejected);
  const lines: number[] = [];
  const parts: Buffer[] = [];
  let record = 0;
  let at = 0;
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    const isRecord =
      !refused.has(line) && !isBlank(bytes, start, end) && isSilent?.(bytes.toString("latin1", start, end)) !== true;
    if (isRecord) {
      if (places === undefined || places[at] === record) {
        at++;
        lines.push(line);
        parts.push(bytes.subarray(start, end), lineEnd);
      }
      record++;
    }
    start = end + 1;
  }
  return { lines, bytes: Buffer.concat(parts) };
}

const lineEnd = Buffer.from("\n");

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > space) return false;
  return true;
}

/** The number of line feeds in `bytes`. */
export function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}
