// Defines each dialect as a table of choices for the points on which parsers of robots.txt differ.
import { CoreError, checkOptionNames, shownValueOf } from "./errors.ts";

/** Names of the dialects: `google` is Google's open-source parser, `rfc9309` is RFC 9309 to the letter. */
export type DialectName = "google" | "rfc9309";

/** The choices of a dialect. Code tests these fields, never the name of a dialect. */
export interface Dialect {
  readonly name: DialectName;
  /** The maximum number of bytes of a line that the parser reads. The parser ignores the rest of the line. */
  readonly lineLimit: number;
  /**
   * True: a byte order mark is skipped even if it is incomplete (only its first one or two bytes). False: only a complete mark is skipped
   * (RFC 3629 §6).
   */
  readonly dropsBrokenMark: boolean;
  /**
   * True: a key that begins with a known key or a known typo has the meaning of that key, and a missing colon is forgiven. False: keys
   * follow the grammar (§2.2).
   */
  readonly lenientKeys: boolean;
  /**
   * True: control characters make a line's value invalid (§2.2, §3): a user-agent line names no crawler, a rule matches
   * nothing, any other line is ignored. False: such lines are read like all other lines.
   */
  readonly refusesControls: boolean;
  /**
   * True: a user-agent value is cut at the first byte outside `[A-Za-z_-]`, and `* text` means `*`. False: such values name
   * no crawler (§2.2.1).
   */
  readonly cutsTokens: boolean;
  /** True: a rule whose pattern begins with neither `/` nor `*` matches nothing (§2.2, §5.1). False: any text is a pattern. */
  readonly refusesRelativePatterns: boolean;
  /**
   * True: patterns and targets are normalized before they are compared (§2.2.2, §2.2.3). False: only patterns are changed,
   * and only their escapes and bytes of 0x80 and above.
   */
  readonly normalizes: boolean;
  /** `/robots.txt` is always allowed (§2.2.2). */
  readonly allowsRobotsTxt: boolean;
  /**
   * True: a rule competes by the fewest octets that a match can have, where an escape is one octet (§2.2.2). False: a rule competes
   * by the length of its pattern.
   */
  readonly countsLiteralOctets: boolean;
  /** An allow rule ending in `/index.htm…` also allows the folder itself. */
  readonly allowsFolderOfIndex: boolean;
}

/** Google-only: the behaviour of google/robotstxt, where the line limit is 2083 × 8 − 1. */
const google: Dialect = {
  name: "google",
  lineLimit: 16_663,
  dropsBrokenMark: true,
  lenientKeys: true,
  refusesControls: false,
  cutsTokens: true,
  refusesRelativePatterns: false,
  normalizes: false,
  allowsRobotsTxt: false,
  countsLiteralOctets: false,
  allowsFolderOfIndex: true,
};

const rfc9309: Dialect = {
  name: "rfc9309",
  // RFC 9309 has no line limit. A parser need not read more than this many bytes of a file (§2.5).
  lineLimit: 512_000,
  dropsBrokenMark: false,
  lenientKeys: false,
  refusesControls: true,
  cutsTokens: false,
  refusesRelativePatterns: true,
  normalizes: true,
  allowsRobotsTxt: true,
  countsLiteralOctets: true,
  allowsFolderOfIndex: false,
};

/** All dialects; the default is the first. */
const dialects: readonly Dialect[] = [google, rfc9309];

/** The dialect with a name. Throws a {@link CoreError} with code `ERR_UNKNOWN_DIALECT` for an unknown name. */
export function dialectOf(name: DialectName): Dialect {
  const found = dialects.find((dialect) => dialect.name === name);
  if (found === undefined) {
    throw new CoreError("ERR_UNKNOWN_DIALECT", `${shownValueOf(name)} is not a dialect: google, rfc9309.`);
  }
  return found;
}

/** Options for parsing a file. */
export interface ParseOptions {
  /** Default `"google"`. */
  readonly dialect?: DialectName | undefined;
}

/** The option names of {@link ParseOptions}. */
export const parseOptionNames: readonly string[] = ["dialect"];

/** The dialect in the options; reads the option once. Throws as `parseRobotsTxt` does. */
export function dialectIn(options: ParseOptions | undefined): Dialect {
  checkOptionNames(options, parseOptionNames);
  return dialectOf(options?.dialect ?? "google");
}
