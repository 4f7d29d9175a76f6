// Bytes → directives, one line at a time: comment, key, value, and the mistakes that are forgiven (RFC 9309 §2.2).
import { COLON, CONTROL, ESCAPABLE, HASH, LINE_END, NUL, STAR, byteClass, isBlank, viewOf } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";
import { ALLOW, DISALLOW, type DirectiveKind, NONE, USER_AGENT, meaningOfKey } from "./keys.ts";

/**
 * Walks the lines of a file. Each `next()` reads one line into the fields and says whether there was one; the text
 * after the last line end counts as a line even when it is empty. Linear in the bytes, allocates nothing.
 */
export class DirectiveCursor {
  bytes!: Uint8Array;
  /** The same bytes, for reading several at a time. */
  view!: DataView;
  size!: number;
  dialect!: Dialect;
  /** Number of the current line, from 1. */
  line = 0;
  kind: DirectiveKind = NONE;
  /** Range of the trimmed key; empty unless there is a directive. */
  keyStart = 0;
  keyEnd = 0;
  /** Range of the trimmed value; empty unless there is a directive. */
  valueStart = 0;
  valueEnd = 0;
  /** Range of the whole line without its end, not cut. */
  lineStart = 0;
  lineEnd = 0;
  /** The key is a forgiven typo. */
  typo = false;
  /** Blanks alone separate key and value. */
  missingColon = false;
  /** The line is longer than the dialect's limit and was cut. */
  tooLong = false;
  /** The dialect accepts the line's key but not its value, which is left empty: a user-agent line or a rule. */
  refused = false;
  /** The line holds a `#`. */
  hasComment = false;
  /** There is a `%` or a byte of 0x80 and above before the comment: the value may need escaping. */
  escapable = false;
  /** There is a `*` before the comment: a pattern may hold one. */
  starred = false;
  #next = 0;
  #colon = -1;
  #control = false;

  /** Reads the first `size` bytes. */
  constructor(bytes: Uint8Array, size: number, dialect: Dialect) {
    this.open(bytes, size, dialect);
  }

  /** Begins to read another file. */
  open(bytes: Uint8Array, size: number, dialect: Dialect): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
    this.size = size;
    this.dialect = dialect;
    this.line = 0;
    this.#next = byteOrderMarkLengthOf(bytes, size);
    if (this.#next < 3 && !dialect.dropsBrokenMark) this.#next = 0;
  }

  next(): boolean {
    const bytes = this.bytes;
    const size = this.size;
    const start = this.#next;
    if (start > size) return false;
    this.line++;
    this.typo = false;
    this.missingColon = false;
    this.tooLong = false;
    this.refused = false;
    this.kind = NONE;
    let contentEnd = this.#scan(start, size);
    const lineEnd = this.#next;
    this.lineStart = start;
    this.lineEnd = lineEnd;
    if (lineEnd - start > this.dialect.lineLimit) {
      // Read the line again as if it ended at the limit.
      contentEnd = this.#scan(start, start + this.dialect.lineLimit);
      this.tooLong = true;
    }
    this.#next = nextLineFrom(bytes, lineEnd, size);
    this.#split(start, contentEnd);
    return true;
  }

  /** The byte offset of the next line. */
  get position(): number {
    return this.#next;
  }

  /** Skips lines that another reader has read. */
  skipTo(position: number, line: number): void {
    this.#next = position;
    this.line = line;
  }

  /** Finds the end of the line (kept in `#next`), its first colon and its marks; returns the end of the part that is not comment. */
  #scan(start: number, limit: number): number {
    const bytes = this.bytes;
    const classes = byteClass;
    let colon = -1;
    let escapable = false;
    let starred = false;
    let control = false;
    let comment = false;
    let contentEnd = -1;
    let at = start;
    for (; at < limit; at++) {
      const found = classes[bytes[at]!]!;
      if (found === 0) continue;
      if (found === COLON) {
        if (colon < 0) colon = at;
      } else if (found === ESCAPABLE) escapable = true;
      else if (found === STAR) starred = true;
      else if (found === CONTROL) control = true;
      else {
        if (found === LINE_END) break;
        contentEnd = at;
        if (found === HASH) comment = true;
        else if (found === NUL) control = true;
        at = lineEndFrom(bytes, at + 1, limit);
        break;
      }
    }
    this.#colon = colon;
    this.#control = control;
    this.#next = at;
    this.escapable = escapable;
    this.starred = starred;
    this.hasComment = comment;
    return contentEnd < 0 ? at : contentEnd;
  }

  /** Splits the content into key and value and finds the kind of directive. */
  #split(contentStart: number, contentEnd: number): void {
    const bytes = this.bytes;
    let start = contentStart;
    let end = contentEnd;
    while (start < end && isBlank(bytes[start]!)) start++;
    while (end > start && isBlank(bytes[end - 1]!)) end--;
    this.keyStart = this.keyEnd = this.valueStart = this.valueEnd = start;
    if (start === end) return;
    let separator = this.#colon;
    if (separator < 0) {
      if (!this.dialect.lenientKeys) return;
      separator = blankBetweenTwoWords(bytes, start, end);
      if (separator < 0) return;
      this.missingColon = true;
    }
    let keyEnd = separator;
    while (keyEnd > start && isBlank(bytes[keyEnd - 1]!)) keyEnd--;
    if (keyEnd === start) return;
    let valueStart = separator + 1;
    while (valueStart < end && isBlank(bytes[valueStart]!)) valueStart++;
    this.keyEnd = keyEnd;
    this.valueStart = valueStart;
    this.valueEnd = end;
    const { kind, typo } = meaningOfKey(bytes, start, keyEnd, this.dialect.lenientKeys);
    if (this.#control && this.dialect.refusesControls) {
      this.#refuse(kind);
      return;
    }
    this.kind = kind;
    this.typo = typo;
  }

  /** Keeps the effect of an invalid line on groups: a user-agent line begins a group, a rule ends a run of user-agent lines. */
  #refuse(kind: DirectiveKind): void {
    this.valueStart = this.valueEnd;
    if (kind === USER_AGENT || kind === ALLOW || kind === DISALLOW) {
      this.kind = kind;
      this.refused = true;
    } else this.keyStart = this.keyEnd = this.valueEnd;
  }
}

/** How many bytes of EF BB BF the file begins with, from 0 to 3. */
function byteOrderMarkLengthOf(bytes: Uint8Array, size: number): number {
  if (size < 1 || bytes[0] !== 0xef) return 0;
  if (size < 2 || bytes[1] !== 0xbb) return 1;
  return size < 3 || bytes[2] !== 0xbf ? 2 : 3;
}

/** The offset of the next line: CR LF is one line end; past the size after the last line. */
function nextLineFrom(bytes: Uint8Array, lineEnd: number, size: number): number {
  if (lineEnd >= size) return size + 1;
  return lineEnd + (bytes[lineEnd] === 0x0d && lineEnd + 1 < size && bytes[lineEnd + 1] === 0x0a ? 2 : 1);
}

/** The first LF or CR from `at` on, or `limit`. */
function lineEndFrom(bytes: Uint8Array, at: number, limit: number): number {
  let end = at;
  while (end < limit && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end++;
  return end;
}

/** Google-only: exactly two words separated by SP or TAB are a key and a value; returns the offset of the first blank, or -1. */
function blankBetweenTwoWords(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== 0x20 && bytes[at] !== 0x09) at++;
  if (at === end) return -1;
  const blank = at;
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++;
  while (at < end && bytes[at] !== 0x20 && bytes[at] !== 0x09) at++;
  return at === end ? blank : -1;
}
