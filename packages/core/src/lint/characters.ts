// Adds findings about bytes of a line that do not belong in a robots.txt (RFC 9309 §2.2, §2.3, §3).
import { isBlank } from "../read/bytes.ts";
import type { DirectiveCursor } from "../read/directives.ts";
import type { FindingsList } from "./findings-list.ts";

/** The part of a line that parsers read: up to the comment, a NUL or the length limit, with blanks trimmed. */
export interface Content {
  readonly start: number;
  readonly end: number;
}

/** The content of the cursor's line. */
export function contentOf(cursor: DirectiveCursor): Content {
  const { bytes, lineStart, dialect } = cursor;
  let end = Math.min(cursor.lineEnd, lineStart + dialect.lineLimit);
  if (cursor.hasComment) end = Math.min(end, bytes.indexOf(0x23, lineStart));
  let start = lineStart;
  for (let at = start; at < end; at++) if (bytes[at] === 0) end = at;
  while (start < end && isBlank(bytes[start]!)) start++;
  while (end > start && isBlank(bytes[end - 1]!)) end--;
  return { start, end };
}

/**
 * Adds findings about NUL, invalid UTF-8, control characters and invisible characters in the line, at most one of each code. Returns
 * whether the line's content has invisible characters. `isLastOfCut`: the size limit cuts this line.
 */
export function checkCharacters(list: FindingsList, cursor: DirectiveCursor, isLastOfCut: boolean): boolean {
  const { bytes, lineEnd } = cursor;
  for (let at = cursor.lineStart; at < lineEnd; at++) {
    if (!isOrdinary(bytes[at]!)) return checkFrom(at, list, cursor, isLastOfCut);
  }
  return false;
}

function isOrdinary(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09;
}

/** Checks the line from `first` on. `first`: the offset of the first byte that is not ordinary. */
function checkFrom(first: number, list: FindingsList, cursor: DirectiveCursor, isLastOfCut: boolean): boolean {
  const { bytes, line, lineStart, lineEnd } = cursor;
  const contentEnd = contentOf(cursor).end;
  // The size limit may have cut a character in two.
  const invalidEnd = isLastOfCut ? lineEnd - 3 : lineEnd;
  let told = 0;
  for (let at = first; at < lineEnd;) {
    const byte = bytes[at]!;
    if (isOrdinary(byte)) {
      at++;
      continue;
    }
    // Parsers ignore the text after a NUL. A NUL in a comment makes no difference.
    if (byte === 0 && (!cursor.hasComment || at <= contentEnd)) {
      list.add("nul", { line, lineStart, at }, () => ({}));
      break;
    }
    const length = byte < 0x80 ? 1 : sequenceLengthAt(bytes, at, lineEnd);
    const codePoint = length === 1 ? byte : length === 0 ? -1 : codePointAt(bytes, at, length);
    const odd = length === 0 ? (at < invalidEnd ? INVALID : 0) : oddityOf(codePoint, at < contentEnd);
    if ((odd & ~told) !== 0) {
      told |= odd;
      const place = { line, lineStart, at };
      if (odd === INVALID) list.add("invalid-utf8", place, () => ({ byte: `0x${hexOf(byte)}` }));
      else {
        const code = odd === CONTROL ? "control-character" : "invisible-character";
        list.add(code, place, () => ({ character: `U+${hexOf(codePoint).padStart(4, "0")}` }));
      }
    }
    at += Math.max(length, 1);
  }
  return (told & INVISIBLE) !== 0;
}

function oddityOf(codePoint: number, isContent: boolean): number {
  if (codePoint < 0xa0) return CONTROL;
  return isContent && isInvisible(codePoint) ? INVISIBLE : 0;
}

const CONTROL = 1;
const INVALID = 2;
const INVISIBLE = 4;

function hexOf(number: number): string {
  return number.toString(16).toUpperCase();
}

/** The length of the UTF-8 sequence that begins at a byte of 0x80 and above; 0 for an invalid sequence (Unicode, table 3-7). */
function sequenceLengthAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return 0;
  const second = bytes[at + 1]!;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let next = at + 2; next < at + length; next++) if ((bytes[next]! & 0xc0) !== 0x80) return 0;
  return length;
}

function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  let codePoint = bytes[at]! & (0x7f >> length);
  for (let next = at + 1; next < at + length; next++) codePoint = (codePoint << 6) | (bytes[next]! & 0x3f);
  return codePoint;
}

/** Spaces other than SP, soft hyphen, zero-width characters, and characters that change the writing direction. */
function isInvisible(codePoint: number): boolean {
  return (
    codePoint === 0xa0 ||
    codePoint === 0xad ||
    codePoint === 0x61c ||
    codePoint === 0x180e ||
    (codePoint >= 0x2000 && codePoint <= 0x200f) ||
    (codePoint >= 0x2028 && codePoint <= 0x202f) ||
    (codePoint >= 0x205f && codePoint <= 0x206f) ||
    codePoint === 0x3000 ||
    codePoint === 0xfeff
  );
}
