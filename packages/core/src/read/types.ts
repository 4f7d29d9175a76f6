// Defines the types of parsed files and of decisions, with the nouns of RFC 9309: RobotsTxt, Group, Rule, Matcher, Decision, Trace.
import type { DialectName } from "./dialect.ts";

/** The key of a rule's line (RFC 9309 §2.2.2). */
export type RuleType = "allow" | "disallow";

/** One allow or disallow line of a group (RFC 9309 §2.2.2). */
export interface Rule {
  readonly type: RuleType;
  /**
   * The path pattern in the form that is compared: ASCII only, every byte of 0x80 and above as `%XX`, the hex digits of
   * escapes in upper case; normalized in the rfc9309 dialect (§2.2.2). May be empty: a rule with an empty pattern matches every
   * target, loses to every other rule that matches, and always allows.
   */
  readonly pattern: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

/** One user-agent line (RFC 9309 §2.2.1). */
export interface UserAgentLine {
  /** The value as written, trimmed. */
  readonly value: string;
  /**
   * The part that is compared with product tokens: `*` for all crawlers, else the leading `[A-Za-z_-]` bytes, possibly none. In the dialect
   * rfc9309, such bytes count only if they are the whole value; otherwise this part is empty.
   */
  readonly productToken: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

/** Whether an `OtherRecord` applies to the whole file or to its group. */
export type RecordScope = "file" | "group";

/** A line with a known key other than user-agent, allow and disallow (RFC 9309 §2.2.4). */
export interface OtherRecord {
  /** The lower-case name from the table of known records: `sitemap`, `crawl-delay`, … */
  readonly name: string;
  /** The value as written, trimmed, decoded as UTF-8 (invalid sequences become U+FFFD). */
  readonly value: string;
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly scope: RecordScope;
}

/** User-agent lines and the rules that follow them (RFC 9309 §2.1). */
export interface Group {
  readonly userAgents: readonly UserAgentLine[];
  readonly rules: readonly Rule[];
  /** The other records of this group, in line order. */
  readonly records: readonly OtherRecord[];
}

/** A parsed robots.txt, made by `parseRobotsTxt`. `groups` and `records` are built when they are first read. */
export interface RobotsTxt {
  /** The groups in file order; several groups for one crawler are not merged. */
  readonly groups: readonly Group[];
  /** All other records in line order, including the records of groups. */
  readonly records: readonly OtherRecord[];
}

/** The answer for one target, and the reason for it. */
export type Decision =
  | RuleDecision
  /** A group binds the crawler, and none of its rules matches. */
  | { readonly allowed: true; readonly because: "no-rule"; readonly productToken: string }
  /** No group names the product token and none names `*`. */
  | { readonly allowed: true; readonly because: "no-group" }
  /** The target is /robots.txt, which the dialect always allows (RFC 9309 §2.2.2). */
  | { readonly allowed: true; readonly because: "robots-txt" }
  /** The robots.txt is unavailable (RFC 9309 §2.3.1.3). */
  | { readonly allowed: true; readonly because: "unavailable" }
  /** The robots.txt is unreachable (RFC 9309 §2.3.1.4). */
  | { readonly allowed: false; readonly because: "unreachable" };

/** A decision made by a rule. The pattern of the rule may be empty. */
export interface RuleDecision {
  readonly allowed: boolean;
  readonly because: "rule";
  readonly rule: Rule;
  /** The name that chose the group: one of the caller's product tokens as given, or `*`. */
  readonly productToken: string;
}

/**
 * Decides targets for one crawler. A matcher has one frozen Decision object for each rule and for each other value of `because`, and
 * returns the same object each time.
 */
export interface Matcher {
  /**
   * Decides a whole URL or a path. The path is cut out of the URL as in Google's parser, without any validation or normalization. Never
   * throws for a string: for a text that is neither a URL nor a path (`private/x`, `mailto:a`), the path begins at the first `/`, `?` or
   * `;` of the text, and is `/` if the text has none of them. A path that begins with `?` or `;` gets a `/` in front. Check untrusted texts
   * with `parseTarget` of @robots-stream/url, which also returns their origin.
   */
  decide(urlOrPath: string): Decision;
  /**
   * Decides a target, which starts with `/` and has no fragment (as returned by `parseTarget` of @robots-stream/url). Any other text, such
   * as a URL, is compared with the rules as a whole, so rules that start with `/` do not match it. Use `decide` for URLs.
   */
  decideTarget(target: string): Decision;
  /**
   * Decides as `decide` does and explains the decision: the user-agent lines that chose the rules, all rules that match, the
   * winner and the runner-up. Meant for single decisions, since the path is compared with every rule. A target that begins
   * with `//` must be given as a whole URL. Never throws for a string.
   */
  trace(urlOrPath: string): Trace;
}

/** How a user-agent line is compared with the caller's product tokens. */
export type TokenMatch = "google" | "whole";

/** Which groups apply to a crawler: the groups that name it, the groups for `*`, or none. */
export type Ground = "named" | "everybody" | "none";

/** The trace of a decision; deeply frozen. */
export interface Trace {
  /** The object that `decide` returns for the same string. */
  readonly decision: Decision;
  /** The path in the form that is compared: cut out of the URL, and normalized if the dialect normalizes. */
  readonly path: string;
  /** The dialect in which the file was parsed; undefined without a file (unavailable, unreachable). */
  readonly dialect: DialectName | undefined;
  /** How product tokens were compared; undefined without a file. */
  readonly tokenMatch: TokenMatch | undefined;
  /** The product tokens as the caller gave them. */
  readonly productTokens: readonly string[];
  readonly ground: Ground;
  /** The groups that bind, in file order; their rules compete with one another. */
  readonly groups: readonly BindingGroup[];
  /** Every rule of these groups that matches the path, in file order. */
  readonly matches: readonly RuleMatch[];
  /** The rule of `matches` that decides; undefined when no rule does. */
  readonly winner: RuleMatch | undefined;
  /** The rule of `matches` that would decide if the winner did not exist; undefined when there is none. */
  readonly runnerUp: RuleMatch | undefined;
}

/**
 * A run of user-agent lines whose rules bind the crawler (RFC 9309 §2.2.1). Each line from `fromLine` to `toLine` is a
 * user-agent line, except the lines between the two lines of a join.
 */
export interface BindingGroup {
  /** The number of the first user-agent line of the run, from 1. */
  readonly fromLine: number;
  /** The number of the last user-agent line of the run. */
  readonly toLine: number;
  /** The lines of the run that name the crawler, or `*`. */
  readonly userAgents: readonly BindingUserAgent[];
  /** Interruptions of the run by other lines. An interruption does not end the run: the rules also bind the crawlers named above it. */
  readonly joins: readonly Join[];
}

/** A user-agent line that chose its group. */
export interface BindingUserAgent {
  readonly line: number;
  /** The value as written, trimmed. */
  readonly value: string;
  /** The caller's product token that the line names, or `*`. */
  readonly productToken: string;
}

/** Lines between two user-agent lines of one group. None of these lines is a rule, so they do not end the run. */
export interface Join {
  /** The number of the user-agent line above. */
  readonly afterLine: number;
  /** The number of the user-agent line below. */
  readonly beforeLine: number;
  /** The other records among these lines; the remaining lines are blank, comments, or have unknown keys. */
  readonly records: readonly { readonly name: string; readonly line: number }[];
}

/** A rule that matches a path. */
export interface RuleMatch {
  readonly rule: Rule;
  /** The pattern that matched: the pattern of the rule or, for an allow rule on an index file, the pattern of the folder. */
  readonly pattern: string;
  /**
   * The number of octets by which the rule competes (RFC 9309 §2.2.2). The rule with the most octets wins. Of rules with equally many, an
   * allow rule wins over a disallow rule, and otherwise the rule on the earlier line wins.
   */
  readonly octets: number;
  /** The name that chose the rule's group: one of the caller's product tokens, or `*`. */
  readonly productToken: string;
}
