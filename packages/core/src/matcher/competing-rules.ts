// Returns the rules of a matcher, strongest first, as data for programs that compare rules with rules (RFC 9309 §2.2.2).
import { ruleAt } from "../match/entries.ts";
import { RulesMatcher, NO_RULE } from "./match.ts";
import { Path } from "../match/path.ts";
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

/** The decision of a matcher for the targets that one of its `competingRulesOf` decides. */
export function decisionBy(matcher: Matcher, { answer }: CompetingRule): Decision {
  return rulesMatcherOf(matcher).decisionOf(answer);
}

/** The decision of a matcher for the targets that none of its `competingRulesOf` matches. */
export function decisionByNone(matcher: Matcher): Decision {
  const made = rulesMatcherOf(matcher);
  return made.decisionOf(rowsOf(made.rules.tables).find(matchesAll)?.answer ?? NO_RULE);
}

function rulesMatcherOf(matcher: Matcher): RulesMatcher {
  if (matcher instanceof RulesMatcher) return matcher;
  throw new TypeError("the matcher has no rules of its own");
}

// All calls share this object, since matching is synchronous.
const path = new Path();

/** Whether a rule matches a target. The caller passes the target in the form that is compared. Linear in both. */
export function matchesTarget({ bytes, isTied }: CompetingRule, target: string): boolean {
  path.readTarget(target);
  return matchesPattern(bytes, 0, bytes.length, isTied, path.bytes, path.start, path.end);
}
