// The nouns of RFC 9309 as readonly data: RobotsTxt, Group, Rule, OtherRecord, Matcher, Decision.

/** How a rule decides (RFC 9309 §2.2.2). */
export type RuleType = "allow" | "disallow";

/** One allow or disallow line of a group (RFC 9309 §2.2.2). */
export interface Rule {
  readonly type: RuleType;
  /**
   * The path pattern as it is compared: ASCII only, every byte of 0x80 and above as `%XX`, the hex digits of
   * escapes in upper case. May be empty (an empty rule matches everything and decides nothing).
   */
  readonly pattern: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

/** One user-agent line (RFC 9309 §2.2.1). */
export interface UserAgentLine {
  /** The value as written, trimmed. */
  readonly value: string;
  /** What a crawler's product token is compared with: `*` for everybody, else the leading `[A-Za-z_-]` bytes, maybe none. */
  readonly productToken: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

/** Whether an other record speaks for the file or for the group it stands in. */
export type RecordScope = "file" | "group";

/** A line that is neither user-agent, allow nor disallow, but has a known name (RFC 9309 §2.2.4). */
export interface OtherRecord {
  /** The name in lower case as the table of records has it: `sitemap`, `crawl-delay`, … */
  readonly name: string;
  /** The value as written, trimmed, decoded as UTF-8 (bytes that are none become U+FFFD). */
  readonly value: string;
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly scope: RecordScope;
}

/** User-agent lines and the rules that follow them (RFC 9309 §2.1). */
export interface Group {
  readonly userAgents: readonly UserAgentLine[];
  readonly rules: readonly Rule[];
  /** The other records that stand in this group, in line order. */
  readonly records: readonly OtherRecord[];
}

/**
 * What a robots.txt says. Made by {@link parseRobotsTxt}; `groups` and `records` are built when first read, so a file
 * that is only matched against never pays for them.
 */
export interface RobotsTxt {
  /** In file order; groups for the same crawler are not joined here. */
  readonly groups: readonly Group[];
  /** All other records, of the file and of its groups, in line order. */
  readonly records: readonly OtherRecord[];
}

/** The answer for one target and the ground of it. */
export type Decision =
  | RuleDecision
  /** A group speaks for the product token (or for `*`) and none of its rules matches. */
  | { readonly allowed: true; readonly because: "no-rule"; readonly productToken: string }
  /** No group names the product token and none names `*`. */
  | { readonly allowed: true; readonly because: "no-group" }
  /** The target is /robots.txt itself, which the dialect in use always allows (RFC 9309 §2.2.2). */
  | { readonly allowed: true; readonly because: "robots-txt" }
  /** There is no robots.txt to obey (RFC 9309 §2.3.1.3). */
  | { readonly allowed: true; readonly because: "unavailable" }
  /** Nobody knows what robots.txt says (RFC 9309 §2.3.1.4). */
  | { readonly allowed: false; readonly because: "unreachable" };

/** A decision whose ground is a rule, an empty one included. */
export interface RuleDecision {
  readonly allowed: boolean;
  readonly because: "rule";
  readonly rule: Rule;
  /** The name that chose the group: one of the caller's product tokens as given, or `*`. */
  readonly productToken: string;
}

/** Decides targets for one crawler. The same ground gives the same frozen Decision object each time. */
export interface Matcher {
  /**
   * Decides a whole URL or a path; the path is cut out of it as Google's parser does, without any validation or
   * normalization. Never throws for a string.
   */
  decide(urlOrPath: string): Decision;
  /** Decides a target that starts with `/` and holds no fragment: what `parseTarget` gives. Nothing is cut out. */
  decideTarget(target: string): Decision;
}
