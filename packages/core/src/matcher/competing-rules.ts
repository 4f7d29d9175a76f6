// Returns the rules of a matcher, strongest first, as data for programs that compare rules with rules (RFC 9309 §2.2.2).
import { ruleAt } from "../match/entries.ts";
import { RulesMatcher, NO_RULE } from "./match.ts";
import { Path } from "../match/path.ts";
import { matchesPattern } from "../match/pattern.ts";
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
  /** The position of the rule's entry in the matcher's tables, as one after another. */
  readonly entry: number;
}

/**
 * Returns the rules of a matcher, strongest first. Leaves out rules with an empty pattern, which are the weakest and allow every target, as
 * the absence of a rule does. Returns undefined for a matcher that has no rules, because it was not made from a file. Linear in the rules,
 * but for sorting.
 */
export function competingRulesOf(matcher: Matcher): readonly CompetingRule[] | undefined {
  if (!(matcher instanceof RulesMatcher)) return undefined;
  const rules: CompetingRule[] = [];
  const { tables } = matcher.rules;
  let first = 0;
  for (const table of tables) {
    const { entries } = table;
    for (const { entry, start, stop, isTied, strength } of table.rows()) {
      if (start === stop && !isTied) continue;
      const bytes = entries.subarray(start, stop);
      rules.push({ rule: ruleAt(entries, entry), bytes, isTied, key: 1 - strength, entry: first + entry });
    }
    first += entries.length;
  }
  return tables.length === 1 ? rules : rules.toSorted((one, other) => one.key - other.key);
}

/** The decision of a matcher for the targets that one of its `competingRulesOf` decides. */
export function decisionBy(matcher: Matcher, { entry }: CompetingRule): Decision {
  return rulesMatcherOf(matcher).decisionOf(entry);
}

/** The decision of a matcher for the targets that none of its `competingRulesOf` matches. */
export function decisionByNone(matcher: Matcher): Decision {
  const made = rulesMatcherOf(matcher);
  let first = 0;
  for (const table of made.rules.tables) {
    const weakest = table.rows().find(({ start, stop, isTied }) => start === stop && !isTied);
    if (weakest !== undefined) return made.decisionOf(first + weakest.entry);
    first += table.entries.length;
  }
  return made.decisionOf(NO_RULE);
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
