// Bytes → one Directive a line, with all that was forgiven: what a linter or an editor wants to see (RFC 9309 §2.2).
import { textOf, utf8Of } from "./bytes.ts";
import { DirectiveCursor } from "./directives.ts";
import { patternOf } from "./encode.ts";
import { NONE, SITEMAP, USER_AGENT } from "./keys.ts";
import { type ParseOptions, dialectIn } from "./parse.ts";

/** What a line is; `"none"`: blank, a comment, or nothing that parses. */
export type DirectiveType = "user-agent" | "allow" | "disallow" | "sitemap" | "other" | "none";

/** One line of a file as the parser reads it. */
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
  /** The key is a misspelling that is forgiven. */
  readonly typo: boolean;
  /** Key and value are parted by blanks instead of a colon. */
  readonly missingColon: boolean;
  /** The line is longer than what is read of a line (16,663 bytes in the google dialect); the rest is not seen. */
  readonly tooLong: boolean;
  /** The line holds a `#`. */
  readonly hasComment: boolean;
}

/** By number of the kind. */
const types: readonly DirectiveType[] = ["none", "user-agent", "allow", "disallow", "sitemap", "other"];

/**
 * Reads a file line by line; one Directive a line, the text after the last line end being a line too, even when it is
 * empty. Total: nothing throws. Linear in the input; makes an object a line.
 */
export function parseDirectives(input: string | Uint8Array, options?: ParseOptions): Directive[] {
  const bytes = typeof input === "string" ? utf8Of(input) : input;
  const cursor = new DirectiveCursor(bytes, bytes.length, dialectIn(options));
  const directives: Directive[] = [];
  while (cursor.next()) {
    const { line, kind, keyStart, keyEnd, valueStart, valueEnd, typo, missingColon, tooLong, hasComment } = cursor;
    // A rule that was refused says nothing; a user-agent line still begins a group.
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
