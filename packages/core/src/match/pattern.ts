// Matches one path pattern with one path, both as ranges of ASCII bytes, in linear time (RFC 9309 §2.2.3).

const STAR = 0x2a;
// A longer piece is searched with the algorithm of Knuth, Morris and Pratt, unless the rest of the path is short. The simple search of all
// other pieces compares each byte of a path with at most `shortPiece` bytes, or each byte of a piece with at most `shortPath` bytes.
const shortPiece = 16;
const shortPath = 256;

/**
 * Whether the pattern `text[start, stop)` matches the path `bytes[pathStart, pathEnd)`. A match begins at the path's first byte; `*` matches
 * any bytes, or none. With `tied`, the match must end at the end of the path; `tied` stands for a final `$`, which is not part of the range.
 * Linear in pattern and path: the pieces between stars are searched from left to right, and the first occurrence is taken.
 */
export function matchesPattern(
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
  let patternEnd = stop;
  let end = pathEnd;
  if (tied) {
    // The bytes after the last star must be the last bytes of the path. The other pieces are searched before them.
    while (text[patternEnd - 1] !== STAR) patternEnd--;
    end -= stop - patternEnd;
    if (at > end || !holdsAt(text, patternEnd, stop, bytes, end)) return false;
  }
  for (;;) {
    while (from < patternEnd && text[from] === STAR) from++;
    if (from === patternEnd) return true;
    const first = text[from]!;
    let next = from + 1;
    while (next < patternEnd && text[next] !== STAR) next++;
    const last = end - (next - from);
    if (next - from > shortPiece && end - at > shortPath) at = searchLinear(text, from, next, bytes, at, end);
    else while (at <= last && (bytes[at] !== first || !holdsAt(text, from + 1, next, bytes, at + 1))) at++;
    if (at > last) return false;
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

/** The first position of the piece `text[start, end)` in the path from `position` on; `pathEnd` when there is none. Linear for any input. */
function searchLinear(
  text: Uint8Array,
  start: number,
  end: number,
  bytes: Uint8Array,
  position: number,
  pathEnd: number,
): number {
  const size = end - start;
  const borders = new Int32Array(size);
  let matched = 0;
  for (let at = 1; at < size; at++) {
    const byte = text[start + at]!;
    while (matched > 0 && text[start + matched] !== byte) matched = borders[matched - 1]!;
    if (text[start + matched] === byte) matched++;
    borders[at] = matched;
  }
  matched = 0;
  for (let at = position; at < pathEnd; at++) {
    const byte = bytes[at]!;
    while (matched > 0 && text[start + matched] !== byte) matched = borders[matched - 1]!;
    if (text[start + matched] === byte) matched++;
    if (matched === size) return at - size + 1;
  }
  return pathEnd;
}
