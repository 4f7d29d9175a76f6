// One path pattern against one path: `*` and `$` in linear time (RFC 9309 §2.2.3).
import { textOf } from "./bytes.ts";
import { type PathIndex, createPathIndex, longestIndexedPath } from "./path-index.ts";

const STAR = 0x2a;
// Up to here the engine's own search is used: its worst case is the product of the two lengths, which this bounds.
const shortPieceLength = 16;
const shortPathLength = 256;
const nearLength = 64;

/**
 * Whether the pattern that stands in `text` (ASCII bytes) from `start` to `stop` matches the path, which is what `path`
 * holds from `offset` on. The match begins at the path's first character and `*` is any run; `tied` says that it must
 * end with the path (the `$` at the end of a pattern, which is not part of the range), else a prefix suffices. Linear
 * in pattern and path: the pieces between stars are searched left to right, first hit taken, the last one tied to the
 * end. With an index of the path the search does not depend on its length.
 */
export function matchesPattern(
  text: Uint8Array,
  start: number,
  stop: number,
  tied: boolean,
  path: string,
  offset: number,
  index?: PathIndex,
): boolean {
  const size = path.length;
  let from = start;
  let at = offset;
  for (; from < stop; from++, at++) {
    const byte = text[from]!;
    if (byte === STAR) break;
    if (at >= size || path.charCodeAt(at) !== byte) return false;
  }
  if (from === stop) return !tied || at === size;
  if (index !== undefined) return index.holds(text, from, stop, tied, at);
  for (;;) {
    while (from < stop && text[from] === STAR) from++;
    if (from === stop) return true;
    let next = from + 1;
    while (next < stop && text[next] !== STAR) next++;
    const length = next - from;
    if (length > size - at) return false;
    if (next === stop && tied) return holdsAt(text, from, stop, path, size - length);
    const found = indexOfPiece(path, text, from, next, at);
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
  const first = text[start]!;
  const last = path.length - (end - start);
  // Most pieces are near, or short: the engine's search is not worth making a string for.
  const near = Math.min(last, position + nearLength);
  let at = position;
  for (; at <= near; at++) {
    if (path.charCodeAt(at) === first && holdsAt(text, start + 1, end, path, at + 1)) return at;
  }
  return at > last ? -1 : indexOfText(path, textOf(text, start, end), at);
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

// Trying a pattern on a path takes an eighth, at worst, of the time that indexing the path takes, most often far less,
// and something whatever the path. Long patterns count for more: their pieces are searched with more care.
const workBeforeIndex = 64 * 1024;
const workOfAnyPath = 512;
const shiftOfMoreWork = 6;
const shortestIndexedPath = 128;

/** The patterns tried on one path: after so many of them an index of the path pays. */
export class PathTries {
  #work = 0;
  /** The index of the path, once there is one. */
  index: PathIndex | undefined;

  /** Begins with another path; lets go of the index of the last one. */
  begin(): void {
    this.#work = 0;
    this.index = undefined;
  }

  /** The index to try a pattern of this length with, once there is one. */
  indexFor(patternLength: number, path: string, offset: number): PathIndex | undefined {
    if (this.index !== undefined) return this.index;
    const size = path.length - offset;
    this.#work += (1 + (patternLength >> shiftOfMoreWork)) * (size + workOfAnyPath);
    if (this.#work < workBeforeIndex || size < shortestIndexedPath || size > longestIndexedPath) return undefined;
    return (this.index = createPathIndex(path, offset));
  }
}
