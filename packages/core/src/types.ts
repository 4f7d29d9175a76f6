// The nouns of RFC 9309 as readonly data: RobotsTxt, Group, Rule, OtherRecord, Matcher, Decision, Trace.
import type { DialectName } from "./dialect.ts";

/** How a rule decides (RFC 9309 §2.2.2). */
export type RuleType = "allow" | "disallow";

/** One allow or disallow line of a group (RFC 9309 §2.2.2). */
export interface Rule {
  readonly type: RuleType;
  /**
   * The path pattern as it is compared: ASCII only, every byte of 0x80 and above as `%XX`, the hex digits of
   * escapes in upper case; in the rfc9309 dialect normalized (§2.2.2). May be empty (an empty rule matches everything
   * and decides nothing).
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
  /**
   * Decides as `decide` does and tells how: the user-agent lines that chose the rules, all rules that match, the one
   * that wins and the one that would win without it. Tries every rule; for questions asked one by one. A target that
   * begins with `//` has to be given as a whole URL. Never throws for a string.
   */
  trace(urlOrPath: string): Trace;
}

/** How a user-agent line is compared with the caller's product tokens. */
export type TokenMatch = "google" | "whole";

/** Which groups bind a crawler: those that name it, those for `*`, or none. */
export type Ground = "named" | "everybody" | "none";

/** How a decision came about; frozen throughout. */
export interface Trace {
  /** What `decide` gives for the same text: the same object. */
  readonly decision: Decision;
  /** The path as it is compared: cut out of the URL, and normalized in a dialect that normalizes. */
  readonly path: string;
  /** The dialect in which the file was parsed; undefined when there is none (unavailable, unreachable). */
  readonly dialect: DialectName | undefined;
  /** Undefined when there is no file. */
  readonly tokenMatch: TokenMatch | undefined;
  /** As the caller gave them. */
  readonly productTokens: readonly string[];
  readonly ground: Ground;
  /** The groups that bind, in file order; their rules count together. */
  readonly groups: readonly BindingGroup[];
  /** Every rule of these groups that matches the path, in file order. */
  readonly matches: readonly RuleMatch[];
  /** The one of `matches` that decides; undefined when no rule does. */
  readonly winner: RuleMatch | undefined;
  /** The one of `matches` that would decide without the winner. */
  readonly runnerUp: RuleMatch | undefined;
}

/**
 * A run of user-agent lines whose rules bind the crawler (RFC 9309 §2.2.1). Each line from `fromLine` to `toLine` is a
 * user-agent line, but for those between the two lines of a join.
 */
export interface BindingGroup {
  /** The first user-agent line of the run, from 1. */
  readonly fromLine: number;
  /** The last user-agent line before the rules. */
  readonly toLine: number;
  /** The lines of the run that name the crawler, or `*`. */
  readonly userAgents: readonly BindingUserAgent[];
  /** Where other lines stand between user-agent lines and do not part them: what follows binds those above, too. */
  readonly joins: readonly Join[];
}

/** A user-agent line that chose its group. */
export interface BindingUserAgent {
  readonly line: number;
  /** The value as written, trimmed. */
  readonly value: string;
  /** The one of the caller's product tokens that it names, or `*`. */
  readonly productToken: string;
}

/** Lines between two user-agent lines of one group: no rules, so they end nothing. */
export interface Join {
  /** The user-agent line above them. */
  readonly afterLine: number;
  /** The user-agent line below them. */
  readonly beforeLine: number;
  /** The other records among them; the rest are blank, comments, or nothing that is known. */
  readonly records: readonly { readonly name: string; readonly line: number }[];
}

/** A rule that matches a path. */
export interface RuleMatch {
  readonly rule: Rule;
  /** What matched: the rule's pattern, or, of an allow rule on an index file, the pattern of its folder. */
  readonly pattern: string;
  /** By how many octets it competes (RFC 9309 §2.2.2): the most win, allow among equals, then the first. */
  readonly octets: number;
  /** The name that chose its group: one of the caller's product tokens, or `*`. */
  readonly productToken: string;
}
