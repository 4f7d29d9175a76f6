// Matches one path pattern with one path, including `*` and `$`, in linear time (RFC 9309 §2.2.3).
import { textOf } from "./bytes.ts";
import { type PathIndex, createPathIndex, longestIndexedPath } from "./path-index.ts";

const STAR = 0x2a;
// `String.indexOf` may take time proportional to the product of the two lengths, so it is used only if the piece has at most
// `shortPieceLength` characters, or the rest of the path at most `shortPathLength`.
const shortPieceLength = 16;
const shortPathLength = 256;
// The number of positions that are tried before `indexOf` is called.
const nearLength = 64;

/**
 * Whether the pattern in `text` (ASCII bytes) from `start` to `stop` matches the path that begins at `offset` of `path`. A
 * match begins at the path's first character; `*` matches any characters, or none. With `tied`, the match must end at the end of
 * the path; `tied` stands for a final `$`, which is not part of the range. Linear in pattern and path: the pieces between
 * stars are searched from left to right, and the first occurrence is taken. With an index of the path, the time does not
 * depend on the path's length.
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

/** Whether the path has the bytes of a range at `position`. The caller checks that the path is long enough. */
function holdsAt(text: Uint8Array, start: number, end: number, path: string, position: number): boolean {
  let at = position;
  for (let from = start; from < end; from++, at++) if (path.charCodeAt(at) !== text[from]) return false;
  return true;
}

/** The first position of a non-empty piece in a path from `position` on, or -1. Linear in piece and path. */
function indexOfPiece(path: string, text: Uint8Array, start: number, end: number, position: number): number {
  const first = text[start]!;
  const last = path.length - (end - start);
  // Most pieces occur early, so the nearby positions are tried before making a string for `indexOf`.
  const near = Math.min(last, position + nearLength);
  let at = position;
  for (; at <= near; at++) {
    if (path.charCodeAt(at) === first && holdsAt(text, start + 1, end, path, at + 1)) return at;
  }
  return at > last ? -1 : indexOfText(path, textOf(text, start, end), at);
}

/** The first position of a piece in a path from `position` on, or -1. Linear in piece and path. */
export function indexOfText(path: string, piece: string, position: number): number {
  if (piece.length <= shortPieceLength || path.length - position <= shortPathLength)
    return path.indexOf(piece, position);
  return searchLinear(path, piece, position);
}

/** The Knuth-Morris-Pratt search: linear for every input. */
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

// The number of work units after which an index of the path pays. Matching one pattern takes at most an eighth of the time of indexing the
// path, usually far less, plus a constant cost for any path (`workOfAnyPath`). A longer pattern counts as more work units, because
// searching its pieces takes longer.
const workBeforeIndex = 64 * 1024;
const workOfAnyPath = 512;
const shiftOfMoreWork = 6;
const shortestIndexedPath = 128;

/** Counts the work of matching patterns with one path, and indexes the path once the index pays. */
export class PathTries {
  #work = 0;
  /** The index of the path; undefined until it is made. */
  index: PathIndex | undefined;

  /** Starts counting for another path; releases the index of the previous path. */
  begin(): void {
    this.#work = 0;
    this.index = undefined;
  }

  /** Counts the work for a pattern of `patternLength` bytes; returns the index of the path once the index pays, else undefined. */
  indexFor(patternLength: number, path: string, offset: number): PathIndex | undefined {
    if (this.index !== undefined) return this.index;
    const size = path.length - offset;
    this.#work += (1 + (patternLength >> shiftOfMoreWork)) * (size + workOfAnyPath);
    if (this.#work < workBeforeIndex || size < shortestIndexedPath || size > longestIndexedPath) return undefined;
    return (this.index = createPathIndex(path, offset));
  }
}
