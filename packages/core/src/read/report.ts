// Reports one Directive per line, including forgiven mistakes, for linters and editors (RFC 9309 §2.2).
import { checkText } from "./errors.ts";
import { textOf, utf8Of } from "./bytes.ts";
import { DirectiveCursor } from "./directives.ts";
import { patternOf } from "./encode.ts";
import { NONE, SITEMAP, USER_AGENT } from "./keys.ts";
import { type ParseOptions, dialectIn } from "./parse.ts";

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
