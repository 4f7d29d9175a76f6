// Reads ordinary lines on a fast path, which writes the same rows as the tokenizer but reads each line only once.
//
// Most lines are blank, a comment, or `disallow:`, `allow:` or `user-agent:` with a value. The tokenizer reads any other
// line, and this reader continues after it.
import { CONTROL, ESCAPABLE, HASH, LINE_END, byteClass } from "./bytes.ts";
import type { DirectiveCursor } from "./directives.ts";
import { ALLOW, DISALLOW, USER_AGENT } from "./keys.ts";
import { endColumn, lineColumn, markShift, rowSize, startColumn } from "./parsed-file.ts";

// Parts of keys as little-endian words of four bytes. OR with 0x20 makes a letter lower case.
const disa = 0x61736964;
const low = 0x3a776f6c;
const allo = 0x6f6c6c61;
const user = 0x72657375;
const age = 0x6567612d;
const ent = 0x3a746e65;
const allLetters = 0x20202020;
const lastNoLetter = 0x202020;
const firstNoLetter = 0x20202000;

/** The position of the last CR or LF in a file, or -1. */
export function lastLineEndOf(bytes: Uint8Array, size: number): number {
  let at = size - 1;
  while (at >= 0 && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at--;
  return at;
}

// A call returns after it wrote this many numbers, so that V8 has seen the function return before V8 optimizes it.
const mostAtOnce = 256 * rowSize;

/**
 * Reads ordinary lines from the cursor's position on and writes the rows of their directives into `rows` from `size` on;
 * returns the new size. Stops before a line that is not ordinary, before the text after the last line end (at `lastEnd`),
 * when `rows` is full, or after `mostAtOnce` numbers; moves the cursor to where it stopped.
 *
 * One long function, because this is the hottest loop of parsing, and the loop's positions must stay in local variables.
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
  // Every inner loop stops at a line end, and a line end is at `lastEnd`. So only reads of whole words need a bounds check.
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
          // Skips four ordinary bytes at a time. Bytes below 0x2a, and of 0x80 and above, are looked up in the classes.
          const word = view.getInt32(at, true);
          const special = ((word - 0x2a2a2a2a) | word) & 0x80808080;
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
      rows[to] = kind | ((seen & ESCAPABLE) << markShift);
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
