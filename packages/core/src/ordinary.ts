// The ordinary lines of a file → the rows that the tokenizer would give, in less time: each line is walked over once.
//
// Most lines are blank, a comment, or `disallow:`, `allow:` or `user-agent:` with a value. Any other line is left to the
// tokenizer; this reader goes on after it.
import { CONTROL, ESCAPABLE, HASH, LINE_END, STAR, byteClass } from "./bytes.ts";
import type { DirectiveCursor } from "./directives.ts";
import { ALLOW, DISALLOW, USER_AGENT } from "./keys.ts";
import { endColumn, lineColumn, markShift, rowSize, startColumn } from "./rows.ts";

// Parts of keys as words of four bytes, the first byte lowest. OR with 0x20 makes a letter lower case.
const disa = 0x61736964;
const low = 0x3a776f6c;
const allo = 0x6f6c6c61;
const user = 0x72657375;
const age = 0x6567612d;
const ent = 0x3a746e65;
const allLetters = 0x20202020;
const lastNoLetter = 0x202020;
const firstNoLetter = 0x20202000;

/** Position of the last CR or LF of a file, or -1. */
export function lastLineEndOf(bytes: Uint8Array, size: number): number {
  let at = size - 1;
  while (at >= 0 && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at--;
  return at;
}

// A call returns after so many numbers, so that V8 has seen the function return when it optimizes it.
const mostAtOnce = 256 * rowSize;

/**
 * Reads from the cursor's position up to the first line that is not ordinary or that no line end follows (the last one is at
 * `lastEnd`), at most `mostAtOnce` numbers of rows, and moves the cursor there. Writes the rows of directives from
 * `size` on, as long as they fit, and gives the size after them.
 *
 * One function although it is long: it is the hottest loop of parsing, whose positions stay in local variables.
 */
export function readOrdinaryLines(cursor: DirectiveCursor, lastEnd: number, rows: Int32Array, size: number): number {
  const { bytes, view } = cursor;
  const classes = byteClass;
  const lineLimit = cursor.dialect.lineLimit;
  const lastWord = lastEnd - 4;
  const lastKey = lastEnd - 11;
  const lastRow = Math.min(rows.length, size + mostAtOnce) - rowSize;
  let start = cursor.position;
  let line = cursor.line;
  let to = size;
  // Every walk stops at a line end, and there is one at `lastEnd`: no bound is checked but where a word is read.
  while (start <= lastEnd && to <= lastRow) {
    let at = start;
    let byte = bytes[at]!;
    while (byte === 0x20 || byte === 0x09) byte = bytes[++at]!;
    let kind = 0;
    const lower = byte | 0x20;
    if (lower === 0x64 || lower === 0x61 || lower === 0x75) {
      if (at > lastKey) break;
      const word = view.getInt32(at, true) | allLetters;
      if (word === disa) {
        if ((bytes[at + 4]! | 0x20) !== 0x6c || (view.getInt32(at + 5, true) | lastNoLetter) !== low) break;
        kind = DISALLOW;
        at += 9;
      } else if (word === allo) {
        if ((view.getInt32(at + 2, true) | lastNoLetter) !== low) break;
        kind = ALLOW;
        at += 6;
      } else {
        if (word !== user || (view.getInt32(at + 4, true) | firstNoLetter) !== age) break;
        if ((view.getInt32(at + 7, true) | lastNoLetter) !== ent) break;
        kind = USER_AGENT;
        at += 11;
      }
    }
    let found = classes[bytes[at]!]!;
    if (kind !== 0) {
      while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
      const from = at;
      let seen = 0;
      for (;;) {
        if (at <= lastWord) {
          // Four bytes at a time. A byte below 0x2b or of 0x80 and above is looked up; some of these are ordinary.
          const word = view.getInt32(at, true);
          const special = ((word - 0x2b2b2b2b) | word) & 0x80808080;
          if (special === 0) {
            at += 4;
            continue;
          }
          at += (31 - Math.clz32(special & -special)) >> 3;
        }
        found = classes[bytes[at]!]!;
        if (found >= CONTROL) break;
        seen |= found;
        at++;
      }
      let end = at;
      while (end > from && (bytes[end - 1] === 0x20 || bytes[end - 1] === 0x09)) end--;
      rows[to] = kind | ((seen & (STAR | ESCAPABLE)) << markShift);
      rows[to + lineColumn] = line + 1;
      rows[to + startColumn] = from;
      rows[to + endColumn] = end;
    }
    if (found === HASH) {
      while (bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
    } else if (found !== LINE_END) break;
    if (at - start > lineLimit) break;
    if (kind !== 0) to += rowSize;
    line++;
    start = at + (bytes[at] === 0x0d && at < lastEnd && bytes[at + 1] === 0x0a ? 2 : 1);
  }
  cursor.skipTo(start, line);
  return to;
}
