// Reads the bytes of a file as directives, one line at a time: comment, key, value and forgiven mistakes (RFC 9309 §2.2).
import { byteClass, COLON, CONTROL, ESCAPABLE, HASH, isBlank, LINE_END, NUL, textOf, utf8Of, viewOf } from "./bytes.ts";
import { type Dialect, type ParseOptions, dialectIn } from "./dialect.ts";
import { type DirectiveKind, ALLOW, DISALLOW, meaningOfKey, NONE, SITEMAP, USER_AGENT } from "./keys.ts";
import { checkText } from "./errors.ts";
import { patternOf } from "./encode.ts";

/**
 * A cursor over the lines of a file. Each `next()` reads one line into the fields and returns false after the last line. The
 * text after the last line end is a line, too, even if it is empty. Linear in the bytes; allocates nothing.
 */
export class DirectiveCursor {
  bytes!: Uint8Array;
  /** A view of the same bytes, to read several bytes at a time. */
  view!: DataView;
  size!: number;
  dialect!: Dialect;
  /** Number of the current line, from 1. */
  line = 0;
  kind: DirectiveKind = NONE;
  /** Range of the trimmed key; empty when the line is not a directive. */
  keyStart = 0;
  keyEnd = 0;
  /** Range of the trimmed value; empty when the line is not a directive. */
  valueStart = 0;
  valueEnd = 0;
  /** Range of the whole line without its line end, even when the line was cut. */
  lineStart = 0;
  lineEnd = 0;
  /** The key is a forgiven typo. */
  typo = false;
  /** Key and value are separated only by blanks. */
  missingColon = false;
  /** The line is longer than the dialect's limit and was cut. */
  tooLong = false;
  /** The line is a user-agent line or a rule whose value the dialect refuses; the value is empty. */
  refused = false;
  /** The line has a comment: a `#` before any NUL and within the line limit. */
  hasComment = false;
  /** The line has a `%` or a byte of 0x80 and above before the comment, so the value may need escaping. */
  escapable = false;
  #next = 0;
  #colon = -1;
  #control = false;

  /** A cursor over the first `size` bytes. */
  constructor(bytes: Uint8Array, size: number, dialect: Dialect) {
    this.open(bytes, size, dialect);
  }

  /** Moves the cursor to the start of another file. */
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

  /** Moves the cursor past lines that another reader has read: to the byte offset `position`, directly after line `line`. */
  skipTo(position: number, line: number): void {
    this.#next = position;
    this.line = line;
  }

  /** Stores the line end in `#next`, the first colon in `#colon`, and the line's flags; returns the end of the part before the comment. */
  #scan(start: number, limit: number): number {
    const bytes = this.bytes;
    const classes = byteClass;
    let colon = -1;
    let escapable = false;
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
    this.hasComment = comment;
    return contentEnd < 0 ? at : contentEnd;
  }

  /** Splits the part before the comment into key and value and finds the kind of directive. */
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

  /**
   * Empties the value of an invalid line. A user-agent line still begins a group, and a rule still ends a run of user-agent lines. Any
   * other invalid line is not a directive.
   */
  #refuse(kind: DirectiveKind): void {
    this.valueStart = this.valueEnd;
    if (kind === USER_AGENT || kind === ALLOW || kind === DISALLOW) {
      this.kind = kind;
      this.refused = true;
    } else this.keyStart = this.keyEnd = this.valueEnd;
  }
}

/** The number of bytes of the byte order mark EF BB BF at the start of the file, from 0 to 3. */
function byteOrderMarkLengthOf(bytes: Uint8Array, size: number): number {
  if (size < 1 || bytes[0] !== 0xef) return 0;
  if (size < 2 || bytes[1] !== 0xbb) return 1;
  return size < 3 || bytes[2] !== 0xbf ? 2 : 3;
}

/** The offset of the next line, or `size + 1` after the last line. CR LF is one line end. */
function nextLineFrom(bytes: Uint8Array, lineEnd: number, size: number): number {
  if (lineEnd >= size) return size + 1;
  return lineEnd + (bytes[lineEnd] === 0x0d && lineEnd + 1 < size && bytes[lineEnd + 1] === 0x0a ? 2 : 1);
}

/** The offset of the first LF or CR from `at` on, or `limit`. */
function lineEndFrom(bytes: Uint8Array, at: number, limit: number): number {
  let end = at;
  while (end < limit && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end++;
  return end;
}

/** Google-only: two words separated by SP or TAB are a key and a value. The offset of the first blank, or -1 for other lines. */
function blankBetweenTwoWords(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== 0x20 && bytes[at] !== 0x09) at++;
  if (at === end) return -1;
  const blank = at;
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++;
  while (at < end && bytes[at] !== 0x20 && bytes[at] !== 0x09) at++;
  return at === end ? blank : -1;
}

/** The kind of a line. `"none"`: the line is blank, a comment, or not a directive. */
export type DirectiveType = "user-agent" | "allow" | "disallow" | "sitemap" | "other" | "none";

/** One line of a file, as the parser reads it. */
export interface Directive {
  /** Line number, from 1. */
  readonly line: number;
  readonly type: DirectiveType;
  /** The key as written, trimmed; empty for `"none"`. */
  readonly key: string;
  /**
   * The value, trimmed; empty for `"none"`. User-agent and sitemap lines have the value as written; all other lines have it
   * escaped like a path pattern (bytes of 0x80 and above as `%XX`, escapes in upper case).
   */
  readonly value: string;
  /** The key is a forgiven misspelling. */
  readonly typo: boolean;
  /** Key and value are separated by blanks instead of a colon. */
  readonly missingColon: boolean;
  /** The line is longer than the dialect's limit (16,663 bytes in the google dialect); the rest is ignored. */
  readonly tooLong: boolean;
  /** The line has a comment: a `#` before any NUL and within the dialect's limit. */
  readonly hasComment: boolean;
}

/** The type for each kind of directive. */
const types: readonly DirectiveType[] = ["none", "user-agent", "allow", "disallow", "sitemap", "other"];

/**
 * Reads a file line by line and returns one Directive per line. The text after the last line end is also a line, even when it
 * is empty. No content of a file makes it throw. Linear in the input. Takes options and throws errors as `parseRobotsTxt` does.
 */
export function parseDirectives(input: string | Uint8Array, options?: ParseOptions): Directive[] {
  checkText(input, true);
  const bytes = typeof input === "string" ? utf8Of(input) : input;
  const cursor = new DirectiveCursor(bytes, bytes.length, dialectIn(options));
  const directives: Directive[] = [];
  while (cursor.next()) {
    const { line, kind, keyStart, keyEnd, valueStart, valueEnd, typo, missingColon, tooLong, hasComment } = cursor;
    // A refused rule has no effect; a refused user-agent line still begins a group.
    const isNothing = cursor.refused && kind !== USER_AGENT;
    const isEscaped = cursor.escapable && kind !== USER_AGENT && kind !== SITEMAP;
    directives.push({
      line,
      type: types[isNothing ? NONE : kind]!,
      key: isNothing ? "" : textOf(bytes, keyStart, keyEnd),
      value: (isEscaped ? patternOf : textOf)(bytes, valueStart, valueEnd),
      typo,
      missingColon,
      tooLong,
      hasComment,
    });
  }
  return directives;
}
