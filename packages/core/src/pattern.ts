// One path pattern against one path: `*` and `$` in linear time (RFC 9309 §2.2.3).
import { textOf } from "./bytes.ts";
import { PathIndex, longestIndexedPath } from "./path-index.ts";

const STAR = 0x2a;
const DOLLAR = 0x24;
// Up to here the engine's own search is used: its worst case is the product of the two lengths, which this bounds.
const shortPieceLength = 16;
const shortPathLength = 256;

/**
 * Whether the pattern that stands in `text` (ASCII bytes) from `start` to `end` matches the path. The match begins at
 * the path's first character; `*` is any run, `$` is the end of the path as the pattern's last character only; without
 * it a prefix suffices. Linear in pattern and path: the pieces between stars are searched left to right, first hit
 * taken, the last one tied to the end for `$`. The path is what `path` holds from `offset` on; an
 * index of it makes the search independent of its length.
 */
export function matchesPattern(
  text: Uint8Array,
  start: number,
  end: number,
  path: string,
  offset = 0,
  index?: PathIndex,
): boolean {
  const stop = endOfText(text, start, end);
  const anchored = stop < end;
  const size = path.length;
  let from = start;
  let at = offset;
  for (; from < stop; from++, at++) {
    const byte = text[from]!;
    if (byte === STAR) break;
    if (at >= size || path.charCodeAt(at) !== byte) return false;
  }
  if (from === stop) return !anchored || at === size;
  for (;;) {
    while (from < stop && text[from] === STAR) from++;
    if (from === stop) return true;
    let next = from + 1;
    while (next < stop && text[next] !== STAR) next++;
    const length = next - from;
    if (length > size - at) return false;
    if (next === stop && anchored) return holdsAt(text, from, stop, path, size - length);
    const found = index === undefined ? indexOfPiece(path, text, from, next, at) : index.indexOf(text, from, next, at);
    if (found < 0) return false;
    if (next === stop) return true;
    at = found + length;
    from = next;
  }
}

/** Whether the path holds the bytes of a range at a position; the path is long enough. */
function holdsAt(text: Uint8Array, start: number, end: number, path: string, position: number): boolean {
  let at = position;
  for (let from = start; from < end; from++, at++) if (path.charCodeAt(at) !== text[from]) return false;
  return true;
}

/** The first position of a piece (not empty) in a path from `position` on, or -1; linear in both. */
function indexOfPiece(path: string, text: Uint8Array, start: number, end: number, position: number): number {
  const length = end - start;
  if (length > shortPieceLength && path.length - position > shortPathLength) {
    return searchLinear(path, textOf(text, start, end), position);
  }
  const first = text[start]!;
  const last = path.length - length;
  for (let at = position; at <= last; at++) {
    if (path.charCodeAt(at) === first && holdsAt(text, start + 1, end, path, at + 1)) return at;
  }
  return -1;
}

/** The first position of a piece in a path from `position` on, or -1; linear in both. */
export function indexOfText(path: string, piece: string, position: number): number {
  if (piece.length <= shortPieceLength || path.length - position <= shortPathLength)
    return path.indexOf(piece, position);
  return searchLinear(path, piece, position);
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

/** The end of a pattern without the `$` that ties it to the end of the path. */
export function endOfText(text: Uint8Array, start: number, end: number): number {
  return end > start && text[end - 1] === DOLLAR ? end - 1 : end;
}

// Trying a pattern on a path costs the path's length at most; indexing the path costs that about a hundred times.
const triesBeforeIndex = 96;
const shortestIndexedPath = 128;

/** The index of a path once so many patterns have been tried on it that it pays, else undefined. */
export function indexOfPathAfter(tries: number, path: string, offset: number): PathIndex | undefined {
  const size = path.length - offset;
  if (tries < triesBeforeIndex || size < shortestIndexedPath || size > longestIndexedPath) return undefined;
  return new PathIndex(path, offset);
}
