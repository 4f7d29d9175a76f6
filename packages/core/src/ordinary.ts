// The ordinary lines of a file, read by searching its text: rows as the tokenizer would give them, several times as fast.
//
// Most files are ASCII and most of their lines are `disallow:`, `allow:` or `user-agent:` with a value, blank, or a
// comment. The engine's search finds their ends at a fraction of the cost of looking at each byte. Any other line is
// left to the tokenizer, and reading goes on behind it.
import { ALLOW, DISALLOW, USER_AGENT, isAllowColon, isDisallowColon, isUserAgentColon } from "./keys.ts";
import { ESCAPABLE_MARK, STAR_MARK, rowSize } from "./rows.ts";

// The longest ordinary key with its colon, "user-agent:".
const longestKey = 11;

/** Reads ordinary lines of one file. */
export class OrdinaryLines {
  readonly #text: string;
  readonly #bytes: Uint8Array;
  readonly #lineLimit: number;
  // The next of each character that matters, from where reading stands on; the size for none.
  #feed = -1;
  #hash = -1;
  #percent = -1;
  #star = -1;
  #return = -1;
  /** The line behind those that were read. */
  position = 0;
  line = 0;

  /** Text and bytes are the same, and ASCII. */
  constructor(text: string, bytes: Uint8Array, lineLimit: number) {
    this.#text = text;
    this.#bytes = bytes;
    this.#lineLimit = lineLimit;
  }

  /** Whether a text has only characters for which searching is enough: no NUL, no vertical tab, no form feed. */
  static areIn(text: string): boolean {
    return !text.includes("\0") && !text.includes("\v") && !text.includes("\f");
  }

  /**
   * Reads from a position behind line number `line` on, up to the first line that is not ordinary or is the last;
   * writes the rows of directives from `length` on, as long as they fit, and gives the length after them. Leaves
   * `position` and `line` behind what was read.
   */
  read(position: number, line: number, rows: Int32Array, length: number): number {
    const text = this.#text;
    const bytes = this.#bytes;
    const size = text.length;
    const lastRow = rows.length - rowSize;
    let start = position;
    let number = line;
    let to = length;
    while (to <= lastRow) {
      if (this.#feed < start) this.#feed = nextOf(text, "\n", start);
      const lineEnd = this.#feed;
      if (lineEnd === size || lineEnd - start > this.#lineLimit) break;
      let end = lineEnd;
      if (this.#return < start) this.#return = nextOf(text, "\r", start);
      if (this.#return < lineEnd) {
        if (this.#return !== lineEnd - 1) break;
        end--;
      }
      if (this.#hash < start) this.#hash = nextOf(text, "#", start);
      if (this.#hash < end) end = this.#hash;
      let from = start;
      while (from < end && isBlank(bytes[from]!)) from++;
      if (from < end) {
        let kind: number;
        const first = bytes[from]! | 0x20;
        if (from + longestKey > size) break;
        if (first === 0x64) {
          if (!isDisallowColon(bytes, from)) break;
          kind = DISALLOW;
          from += 9;
        } else if (first === 0x61) {
          if (!isAllowColon(bytes, from)) break;
          kind = ALLOW;
          from += 6;
        } else if (first === 0x75) {
          if (!isUserAgentColon(bytes, from)) break;
          kind = USER_AGENT;
          from += longestKey;
        } else break;
        // The colon may lie behind a "#": then the key only seems to be there.
        if (from > end) break;
        while (from < end && isBlank(bytes[from]!)) from++;
        while (end > from && isBlank(bytes[end - 1]!)) end--;
        if (this.#percent < from) this.#percent = nextOf(text, "%", from);
        if (this.#percent < end) kind |= ESCAPABLE_MARK;
        if (this.#star < from) this.#star = nextOf(text, "*", from);
        if (this.#star < end) kind |= STAR_MARK;
        rows[to] = kind;
        rows[to + 1] = number + 1;
        rows[to + 2] = from;
        rows[to + 3] = end;
        to += rowSize;
      }
      number++;
      start = lineEnd + 1;
    }
    this.position = start;
    this.line = number;
    return to;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function nextOf(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from);
  return found < 0 ? text.length : found;
}
