// The ordinary lines of a file, each read in one walk over its bytes: rows as the tokenizer would give them, in less time.
//
// Most lines are `disallow:`, `allow:` or `user-agent:` with a value, blank, or a comment. Any other line is left to
// the tokenizer, and reading goes on behind it.
import { CONTROL, ESCAPABLE, HASH, LINE_END, STAR, byteClass } from "./bytes.ts";
import type { DirectiveCursor } from "./directives.ts";
import { ALLOW, DISALLOW, USER_AGENT } from "./keys.ts";
import { markShift, rowSize } from "./rows.ts";

// Keys as words of four bytes, the first byte lowest; 0x20 in each byte of a word that is a letter makes it lower case.
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

// A call ends after so much, so that the engine has seen the function's end when it compiles it.
const mostAtOnce = 256 * rowSize;

/**
 * Reads from where the cursor stands up to the first line that is not ordinary or that no line end follows (none
 * stands behind `lastEnd`), though not too much at once, and moves the cursor there. Writes the rows of directives from
 * `size` on, as long as they fit, and gives the size after them.
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
  // No walk goes past the last line end, so none needs a look at the size.
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
          // Four bytes at a time: special are those below 0x2b, some ordinary among them, and those of 0x80 and above.
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
      rows[to + 1] = line + 1;
      rows[to + 2] = from;
      rows[to + 3] = end;
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
