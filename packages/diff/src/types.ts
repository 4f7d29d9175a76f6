// The types of a comparison: crawlers, rules, records, witnesses.
import type { Decision, DialectName, Rule, TokenMatch } from "@robots-stream/core";
import type { Effect, FileSide } from "./effects.ts";

/** A crawler whose answers are compared. A `Crawler` of `@robots-stream/agents` with an added `name` has this type. */
export interface ComparedCrawler {
  /** The name in results. */
  readonly name: string;
  /** The names to look for in a file, the crawler's own first; empty for a crawler that no file names. */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind the crawler if a file has no group for any of its names. Default: true. */
  readonly boundByEverybody?: boolean | undefined;
  /** Default: `"google"` if the first name is a product token, else `"whole"`. */
  readonly tokenMatch?: TokenMatch | undefined;
}

/** A target whose answer differs, and the decisions of both files. */
export interface Witness {
  /** The path and query of a URL. */
  readonly target: string;
  readonly old: Decision;
  readonly new: Decision;
}

/** A rule that only one file has for some crawlers, and its effect. */
export interface RuleChange {
  readonly side: FileSide;
  readonly rule: Rule;
  readonly effect: Effect;
  /** A target whose answer the rule changes; undefined for the effects "none" and "unknown". */
  readonly witness: Witness | undefined;
}

/** Crawlers that the same rules bind, and the rules that only one file has for them. */
export interface ChangedAnswers {
  readonly crawlers: readonly string[];
  readonly changes: readonly RuleChange[];
  /** The number of rules that both files have in a different order. The order of rules changes no answer. */
  readonly moved: number;
}

/** A record, other than a rule, that only one file has. */
export interface RecordChange {
  readonly side: FileSide;
  readonly name: string;
  readonly value: string;
  readonly line: number;
  /** Product tokens of the record's group, at most 100; empty for a record outside groups. */
  readonly productTokens: readonly string[];
  /** The number of the group's product tokens beyond those. */
  readonly moreProductTokens: number;
}

/** A crawler's name that only one file has in its user-agent lines; `*` included. */
export interface GroupChange {
  readonly side: FileSide;
  /** The whole name in lower case. */
  readonly productToken: string;
  readonly line: number;
}

/** The differences between two files. */
export interface RobotsDiff {
  readonly dialect: DialectName;
  /** How many crawlers were compared. */
  readonly compared: number;
  /** The classes of crawlers whose rules differ between the files; classes whose answers may change come first. */
  readonly answers: readonly ChangedAnswers[];
  readonly groups: readonly GroupChange[];
  readonly records: readonly RecordChange[];
  /**
   * Whether every effect is proved. Otherwise some rules have the effect "unknown", or `notCompared` crawlers were left out: the files are
   * too large or too complex for the limit of work.
   */
  readonly isProved: boolean;
  /** The number of URLs that were tried for rules whose proof would exceed the limit of work. */
  readonly tried: number;
  readonly notCompared: readonly string[];
}
