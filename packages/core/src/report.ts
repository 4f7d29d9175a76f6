// Bytes → one Directive per line with the mistakes that are forgiven, for linters and editors (RFC 9309 §2.2).
import { textOf, utf8Of } from "./bytes.ts";
import { DirectiveCursor } from "./directives.ts";
import { patternOf } from "./encode.ts";
import { NONE, SITEMAP, USER_AGENT } from "./keys.ts";
import { type ParseOptions, dialectIn } from "./parse.ts";

/** The kind of a line; `"none"`: blank, a comment, or not a directive. */
export type DirectiveType = "user-agent" | "allow" | "disallow" | "sitemap" | "other" | "none";

/** One line of a file, as the parser reads it. */
export interface Directive {
  /** Line number, from 1. */
  readonly line: number;
  readonly type: DirectiveType;
  /** The key as written, trimmed; empty for `"none"`. */
  readonly key: string;
  /**
   * The value, trimmed; empty for `"none"`. As written for user-agent and sitemap lines; for all others escaped as a
   * path pattern is (bytes of 0x80 and above as `%XX`, escapes in upper case).
   */
  readonly value: string;
  /** The key is a forgiven misspelling. */
  readonly typo: boolean;
  /** Blanks instead of a colon separate key and value. */
  readonly missingColon: boolean;
  /** The line is longer than the dialect's limit (16,663 bytes in the google dialect); the rest is ignored. */
  readonly tooLong: boolean;
  /** The line holds a `#`. */
  readonly hasComment: boolean;
}

/** By kind of directive. */
const types: readonly DirectiveType[] = ["none", "user-agent", "allow", "disallow", "sitemap", "other"];

/**
 * Reads a file line by line: one Directive per line. The text after the last line end is a line, too, even when it is empty.
 * Total: no file throws. Linear in the input. Options and errors as for `parseRobotsTxt`.
 */
export function parseDirectives(input: string | Uint8Array, options?: ParseOptions): Directive[] {
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
