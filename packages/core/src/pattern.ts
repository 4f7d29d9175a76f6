// One path pattern against one path: `*` and `$` in linear time (RFC 9309 §2.2.3).

const STAR = 0x2a;
const DOLLAR = 0x24;
// Up to here the engine's own search is used: its worst case is the product of the two lengths, which this bounds.
const shortPieceLength = 16;
const shortPathLength = 256;

/**
 * Whether the pattern that stands in `text` from `start` to `end` matches the path. The match begins at the path's
 * first character; `*` is any run, `$` is the end of the path as the pattern's last character only; without it a
 * prefix suffices. Linear in pattern and path: the pieces between stars are searched left to right, first hit taken.
 */
export function matchesPattern(text: string, start: number, end: number, path: string): boolean {
  const anchored = end > start && text.charCodeAt(end - 1) === DOLLAR;
  const stop = anchored ? end - 1 : end;
  const size = path.length;
  let from = start;
  let at = 0;
  for (; from < stop; from++, at++) {
    const code = text.charCodeAt(from);
    if (code === STAR) break;
    if (at >= size || path.charCodeAt(at) !== code) return false;
  }
  if (from === stop) return !anchored || at === size;
  for (;;) {
    while (from < stop && text.charCodeAt(from) === STAR) from++;
    if (from === stop) return true;
    let next = from + 1;
    while (next < stop && text.charCodeAt(next) !== STAR) next++;
    const length = next - from;
    if (length > size - at) return false;
    if (next === stop && anchored) return endsWith(text, from, stop, path);
    const found = indexOfPiece(path, text.slice(from, next), at);
    if (found < 0) return false;
    if (next === stop) return true;
    at = found + length;
    from = next;
  }
}

function endsWith(text: string, start: number, end: number, path: string): boolean {
  let at = path.length - (end - start);
  for (let from = start; from < end; from++, at++) {
    if (path.charCodeAt(at) !== text.charCodeAt(from)) return false;
  }
  return true;
}

/** The first position of a piece in a path from `from` on, or -1; linear in both. */
export function indexOfPiece(path: string, piece: string, from: number): number {
  if (piece.length <= shortPieceLength || path.length - from <= shortPathLength) return path.indexOf(piece, from);
  return searchLinear(path, piece, from);
}

/** Knuth, Morris and Pratt's search: no input makes it slow. */
function searchLinear(path: string, piece: string, from: number): number {
  const borders = new Int32Array(piece.length);
  let matched = 0;
  for (let at = 1; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    while (matched > 0 && piece.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (piece.charCodeAt(matched) === code) matched++;
    borders[at] = matched;
  }
  matched = 0;
  for (let at = from; at < path.length; at++) {
    const code = path.charCodeAt(at);
    while (matched > 0 && piece.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (piece.charCodeAt(matched) === code) matched++;
    if (matched === piece.length) return at - matched + 1;
  }
  return -1;
}

/** Whether a pattern holds a special: a `*` anywhere or a `$` at its end. */
export function isSpecialPattern(pattern: string): boolean {
  return pattern.includes("*") || pattern.endsWith("$");
}
