// Compares rules with rules (RFC 9309 §2.2.2): the rules of a matcher, strongest first, as data, and the targets that two matchers of one
// file, each in its own dialect, are sure to decide equally.
import { ruleAt } from "../match/entries.ts";
import { isForeign } from "../read/encode.ts";
import { RulesMatcher, NO_RULE } from "./match.ts";
import { Path, isRobotsTxt } from "../match/path.ts";
import { matchesPattern } from "../match/pattern.ts";
import { type TableRow, rowsOf } from "../match/rule-table.ts";
import type { Decision, Matcher, Rule } from "../read/types.ts";

/** A rule and one pattern of it. An allow rule for an index file has two patterns: its own pattern, and the pattern of the folder. */
export interface CompetingRule {
  readonly rule: Rule;
  /** The pattern in the form that is compared, as ASCII bytes without a final `$`. */
  readonly bytes: Uint8Array;
  /** Whether a match must end at the end of the target. */
  readonly isTied: boolean;
  /** Of the rules that match a target, one with the smallest key wins. An allow rule never has the key of a disallow rule. */
  readonly key: number;
  /** The answer of the matcher when this rule wins. */
  readonly answer: number;
}

/**
 * Returns the rules of a matcher, strongest first. Leaves out rules with an empty pattern, which are the weakest and allow every target, as
 * the absence of a rule does. Returns undefined for a matcher that has no rules, because it was not made from a file. Linear in the rules,
 * but for sorting.
 */
export function competingRulesOf(matcher: Matcher): readonly CompetingRule[] | undefined {
  if (!(matcher instanceof RulesMatcher)) return undefined;
  const rules: CompetingRule[] = [];
  for (const row of rowsOf(matcher.rules.tables)) {
    if (matchesAll(row)) continue;
    const { entries, entry, answer, start, stop, isTied, strength } = row;
    rules.push({
      rule: ruleAt(entries, entry),
      bytes: entries.subarray(start, stop),
      isTied,
      key: 1 - strength,
      answer,
    });
  }
  return rules;
}

/** Whether a row has an empty pattern. */
function matchesAll({ start, stop, isTied }: TableRow): boolean {
  return start === stop && !isTied;
}

/** The decision of a matcher for the targets that one of its `competingRulesOf` decides; without a rule, for those that none matches. */
export function decisionBy(matcher: Matcher, rule: CompetingRule | undefined): Decision {
  if (!(matcher instanceof RulesMatcher)) throw new TypeError("the matcher has no rules of its own");
  return matcher.decisionOf(rule?.answer ?? rowsOf(matcher.rules.tables).find(matchesAll)?.answer ?? NO_RULE);
}

// All calls share this object, since matching is synchronous.
const path = new Path();

/** Whether a rule matches a target. The caller passes the target in the form that is compared. Linear in both. */
export function matchesTarget({ bytes, isTied }: CompetingRule, target: string): boolean {
  path.readTarget(target);
  return matchesPattern(bytes, 0, bytes.length, isTied, path.bytes, path.start, path.end);
}

const star = 0x2a;
const percent = 0x25;
/** With more rules than this, the pairs of rules are not compared. */
const mostPaired = 200;

/**
 * Whether the target `bytes[start, end)` is plain: normalization changes none of its bytes, and it is not `/robots.txt`, which rfc9309
 * always allows (§2.2.2).
 */
export function isPlainTarget(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (!isForeign[bytes[at]!]) continue;
    if (bytes[at] !== percent || at + 2 >= end || !isBeyondAscii(bytes[at + 1]!, bytes[at + 2]!)) return false;
    at += 2;
  }
  return !isRobotsTxt(bytes, start, end);
}

/** Whether two bytes are upper-case hex digits of an octet of 0x80 or above. No dialect changes the escape of such an octet. */
function isBeyondAscii(high: number, low: number): boolean {
  const isHigh = high === 0x38 || high === 0x39 || (high >= 0x41 && high <= 0x46);
  return isHigh && ((low >= 0x30 && low <= 0x39) || (low >= 0x41 && low <= 0x46));
}

/** The plain targets ({@link isPlainTarget}) that two matchers surely decide equally: all, only targets that no rule matches, or none. */
export type Alikeness = "all" | "unmatched" | "none";

/**
 * Returns the plain targets that two matchers surely decide equally. `"unmatched"`: both matchers have the same rules. `"all"`: in
 * addition, of any two rules that can match the same target, both dialects prefer the same one. Other decisions may still be equal.
 */
export function alikenessOf(one: Matcher, other: Matcher): Alikeness {
  if (!(one instanceof RulesMatcher) || !(other instanceof RulesMatcher)) return "none";
  if (one.rules.ground !== other.rules.ground) return "none";
  if (one.rules.tables.length !== 1 || other.rules.tables.length !== 1) return "none";
  // A decision contains a product token of the crawler only if a group names the crawler.
  const { ground } = one.rules;
  if (ground === "named" && !(one.tokens.length === 1 && one.tokens.join() === other.tokens.join())) return "none";
  const [byOne, byOther] = [rowsOf(one.rules.tables), rowsOf(other.rules.tables)];
  const placeInOther = new Map(byOther.map(({ line }, place) => [line, place]));
  const places = byOne.map(({ line }) => placeInOther.get(line) ?? -1);
  const isSame = (row: TableRow, at: number): boolean => places[at]! >= 0 && areSame(row, byOther[places[at]!]!);
  if (byOne.length !== byOther.length || !byOne.every(isSame)) return "none";
  if (places.every((place, at) => place === at)) return "all";
  return byOne.length <= mostPaired && swappedAreDisjoint(byOne, places) ? "all" : "unmatched";
}

/** Whether two rows have the same pattern, and both allow or both disallow. */
function areSame(one: TableRow, other: TableRow): boolean {
  const size = lengthOf(one);
  if (((one.strength ^ other.strength) & 1) !== 0 || size !== lengthOf(other)) return false;
  for (let at = 0; at < size; at++) if (one.entries[one.start + at] !== other.entries[other.start + at]) return false;
  return true;
}

/** Whether every two rules whose order differs between the two matchers are disjoint. `places`: the place of each rule in the other. */
function swappedAreDisjoint(byOne: readonly TableRow[], places: readonly number[]): boolean {
  for (let weaker = 1; weaker < byOne.length; weaker++) {
    for (let stronger = 0; stronger < weaker; stronger++) {
      const isSwapped = places[stronger]! > places[weaker]!;
      if (isSwapped && !areDisjoint(byOne[stronger]!, byOne[weaker]!)) return false;
    }
  }
  return true;
}

/** Whether the patterns of two rules differ before the first `*`, so that no target matches both rules. */
function areDisjoint(one: TableRow, other: TableRow): boolean {
  const length = Math.min(lengthOf(one), lengthOf(other));
  for (let at = 0; at < length; at++) {
    const a = one.entries[one.start + at]!;
    const b = other.entries[other.start + at]!;
    if (a === star || b === star) return false;
    if (a !== b) return true;
  }
  return false;
}

/** The length of a rule's pattern, with a final `$`. */
function lengthOf({ start, stop, isTied }: TableRow): number {
  return stop - start + (isTied ? 1 : 0);
}
