// Cuts a robots.txt at a size limit so that only whole lines are left (RFC 9309 §2.5): the beginning of a rule is not a rule.
import type { StoredRobots } from "./types.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The bytes, if they are not more than `maxBytes`; otherwise the whole lines among the first `maxBytes`. A line is whole if it ends at
 * `maxBytes` and its line end follows. Bytes without a line end have no whole line. The result is a view of `bytes`.
 */
export function wholeLinesOf(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  return isLineEnd(bytes[maxBytes]!) ? bytes.subarray(0, maxBytes) : withoutCutLine(bytes.subarray(0, maxBytes));
}

/** The bytes up to the last line end, for bytes that were cut at an unknown place. The result is a view of `bytes`. */
export function withoutCutLine(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && !isLineEnd(bytes[end - 1]!)) end--;
  return bytes.subarray(0, end);
}

/** The whole lines of an entry's body: an entry without `cutAtBytes` may end with a part of a line. */
export function wholeBodyOf({ body, truncated, cutAtBytes }: StoredRobots): Uint8Array | undefined {
  return body !== undefined && truncated === true && cutAtBytes === undefined ? withoutCutLine(body) : body;
}

/** Whether a byte ends a line. */
export function isLineEnd(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn;
}
