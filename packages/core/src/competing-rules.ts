// Returns the rules of a matcher, strongest first, as data for programs that compare rules with rules (RFC 9309 §2.2.2).
import { RulesMatcher } from "./match.ts";
import { matchesPattern } from "./pattern.ts";
import { TIED, rankedRulesOf } from "./ranks.ts";
import { ruleAt } from "./trace.ts";
import type { Decision, Matcher, Rule } from "./types.ts";

/** A rule and one pattern of it. An allow rule for an index file has two patterns: its own pattern, and the pattern of the folder. */
export interface CompetingRule {
  readonly rule: Rule;
  /** The pattern in the form that is compared, as ASCII bytes without a final `$`. */
  readonly bytes: Uint8Array;
  /** Whether a match must end at the end of the target. */
  readonly isTied: boolean;
  /** Of the rules that match a target, one with the smallest key wins. An allow rule never has the key of a disallow rule. */
  readonly key: number;
  /** The position of the rule's entry in the matcher. */
  readonly entry: number;
}

/**
 * Returns the rules of a matcher, strongest first. Leaves out rules with an empty pattern, which are the weakest and allow every target, as
 * the absence of a rule does. Returns undefined for a matcher without rules of its own. Matchers made by `createMatcher` and
 * `createCrawlerMatcher` have rules. Linear in the rules.
 */
export function competingRulesOf(matcher: Matcher): readonly CompetingRule[] | undefined {
  if (!(matcher instanceof RulesMatcher)) return undefined;
  const { entries, count } = matcher.rules;
  const ranked = rankedRulesOf(entries, count, matcher.dialect.countsLiteralOctets);
  const rules: CompetingRule[] = [];
  for (let rank = 0; rank < ranked.count; rank++) {
    const bytes = entries.subarray(ranked.starts[rank], ranked.stops[rank]);
    const isTied = (ranked.marks[rank]! & TIED) !== 0;
    if (bytes.length === 0 && !isTied) continue;
    rules.push({
      rule: ruleAt(entries, ranked.entries[rank]!),
      bytes,
      isTied,
      key: ranked.keys[rank]!,
      entry: ranked.entries[rank]!,
    });
  }
  return rules;
}

/** The decision of a matcher for the targets that one of its `competingRulesOf` decides. */
export function decisionBy(matcher: Matcher, { entry }: CompetingRule): Decision {
  return rulesMatcherOf(matcher).decisionAt(entry);
}

/** The decision of a matcher for the targets that none of its `competingRulesOf` matches. Linear in the rules. */
export function decisionByNone(matcher: Matcher): Decision {
  const { rules, dialect } = rulesMatcherOf(matcher);
  const { count, starts, stops, marks, entries } = rankedRulesOf(
    rules.entries,
    rules.count,
    dialect.countsLiteralOctets,
  );
  for (let rank = 0; rank < count; rank++) {
    if (starts[rank] === stops[rank] && (marks[rank]! & TIED) === 0)
      return rulesMatcherOf(matcher).decisionAt(entries[rank]!);
  }
  return rulesMatcherOf(matcher).decisionAt(-1);
}

function rulesMatcherOf(matcher: Matcher): RulesMatcher {
  if (matcher instanceof RulesMatcher) return matcher;
  throw new TypeError("the matcher has no rules of its own");
}

/** Whether a rule matches a target. The caller passes the target in the form that is compared. Linear in both. */
export function matchesTarget({ bytes, isTied }: CompetingRule, target: string): boolean {
  return matchesPattern(bytes, 0, bytes.length, isTied, target, 0);
}
