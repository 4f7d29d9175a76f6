// Matches a path pattern with a target, both as ranges of bytes. Also computes sets of characters, with which callers can reject most
// pairs of pattern and target without matching them.

const STAR = 0x2a;

// Each lower-case letter and each of `?&.-` has its own bit; `*` has another, and all other characters share one bit.
export const starBit: number = 1 << 30;
const otherBit = 1 << 31;
const bitOfByte: Int32Array = new Int32Array(256).fill(otherBit);
const ownBits = "abcdefghijklmnopqrstuvwxyz?&.-";
for (let bit = 0; bit < ownBits.length; bit++) bitOfByte[ownBits.charCodeAt(bit)] = 1 << bit;
bitOfByte[STAR] = starBit;

/** The set of characters in a range of bytes, as a bit mask. */
export function setOf(bytes: Uint8Array, start: number, end: number): number {
  let set = 0;
  for (let at = start; at < end; at++) set |= bitOfByte[bytes[at]!]!;
  return set;
}

/**
 * Whether the pattern `text[start, stop)` matches the path `bytes[pathStart, pathEnd)`: `matchesPattern` of pattern.ts for a path of bytes.
 * With `tied`, the match must end at the end of the path. The time is up to the product of the two lengths; callers bound both.
 */
export function matchesBytes(
  text: Uint8Array,
  start: number,
  stop: number,
  tied: boolean,
  bytes: Uint8Array,
  pathStart: number,
  pathEnd: number,
): boolean {
  let from = start;
  let at = pathStart;
  for (; from < stop; from++, at++) {
    const byte = text[from]!;
    if (byte === STAR) break;
    if (at >= pathEnd || bytes[at] !== byte) return false;
  }
  if (from === stop) return !tied || at === pathEnd;
  for (;;) {
    while (from < stop && text[from] === STAR) from++;
    if (from === stop) return true;
    let next = from + 1;
    while (next < stop && text[next] !== STAR) next++;
    const last = pathEnd - (next - from);
    if (next === stop && tied) return last >= at && holdsAt(text, from, next, bytes, last);
    while (at <= last && !holdsAt(text, from, next, bytes, at)) at++;
    if (at > last) return false;
    if (next === stop) return true;
    at += next - from;
    from = next;
  }
}

/** Whether the bytes at `position` equal the given range of the pattern. */
function holdsAt(text: Uint8Array, start: number, end: number, bytes: Uint8Array, position: number): boolean {
  let at = position;
  for (let from = start; from < end; from++, at++) if (bytes[at] !== text[from]) return false;
  return true;
}
