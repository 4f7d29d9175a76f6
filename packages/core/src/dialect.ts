// Dialects: the points on which parsers of robots.txt differ, as one table of choices for each dialect.
import { CoreError, shownValueOf } from "./errors.ts";

/** Names of the dialects: Google's open-source parser, and RFC 9309 read to the letter. */
export type DialectName = "google" | "rfc9309";

/** The choices of a dialect. Code tests these fields and never a dialect's name. */
export interface Dialect {
  readonly name: DialectName;
  /** Bytes of a line that are read; the rest of the line is dropped. */
  readonly lineLimit: number;
  /** The first one or two bytes of a byte order mark are dropped even without the rest; else only the whole mark is (RFC 3629 §6). */
  readonly dropsBrokenMark: boolean;
  /** A key means what it begins with, known typos included, and a missing colon is forgiven; else keys follow the grammar (§2.2). */
  readonly lenientKeys: boolean;
  /**
   * Control characters make a line's value invalid (§2.2, §3): a user-agent line names no crawler, a rule matches nothing,
   * any other line is ignored. Else such lines are read like all others.
   */
  readonly refusesControls: boolean;
  /** A user-agent value is cut at the first byte outside `[A-Za-z_-]`, and `* text` means `*`; else such values name no crawler (§2.2.1). */
  readonly cutsTokens: boolean;
  /** Path patterns must begin with `/` or `*` (§2.2, §5.1), and rules with other patterns match nothing; else any text is a pattern. */
  readonly refusesRelativePatterns: boolean;
  /** Patterns and targets are both normalized before they are compared (§2.2.2, §2.2.3); else only patterns are, and only bytes of 0x80 and above. */
  readonly normalizes: boolean;
  /** `/robots.txt` is always allowed (§2.2.2). */
  readonly allowsRobotsTxt: boolean;
  /** A rule competes by the fewest octets that a match can have, an escape being one (§2.2.2); else by the length of the pattern. */
  readonly countsLiteralOctets: boolean;
  /** An allow rule ending in `/index.htm…` also allows the folder itself. */
  readonly allowsFolderOfIndex: boolean;
}

/** Google-only: what google/robotstxt does; `lineLimit` is 2083 × 8 − 1 there. */
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
  // The standard has no limit; parsers need not read more of a file than this (§2.5).
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

/** The dialects, the default first. */
const dialects: readonly Dialect[] = [google, rfc9309];

/** The dialect of a name. Throws a {@link CoreError} with code `ERR_UNKNOWN_DIALECT` for any other value. */
export function dialectOf(name: DialectName): Dialect {
  const found = dialects.find((dialect) => dialect.name === name);
  if (found === undefined) {
    throw new CoreError("ERR_UNKNOWN_DIALECT", `${shownValueOf(name)} is not a dialect: google, rfc9309.`);
  }
  return found;
}
