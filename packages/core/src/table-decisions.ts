// What a matcher table knows of decisions: their bits in a block, and which matchers can share a block.
import { RulesMatcher } from "./match.ts";
import { UnionMatcher } from "./rule-union.ts";
import type { Decision, Matcher } from "./types.ts";

/** The bits of a decision: whether it allows, its ground, and above them the number of the product token. */
const ALLOWS = 1;
const groundShift = 1;
const groundMask = 7;
const tokenShift = 4;
const grounds = ["rule", "no-rule", "no-group", "unavailable", "unreachable", "robots-txt"] as const;

export function bitsOf(because: Decision["because"], allows: boolean, token: number): number {
  return (allows ? ALLOWS : 0) | (grounds.indexOf(because) << groundShift) | (token << tokenShift);
}

export function allowsIn(bits: number): boolean {
  return (bits & ALLOWS) !== 0;
}

export function groundIn(bits: number): Decision["because"] {
  return grounds[(bits >>> groundShift) & groundMask]!;
}

/** The number of the product token in the table's list. */
export function tokenIn(bits: number): number {
  return bits >>> tokenShift;
}

/**
 * The same object for matchers that one block of a table can serve: matchers made by one `CrawlerGroups` for crawlers that the
 * same groups bind. They decide alike but for the product token that their decisions name.
 */
export function rulesIdentityOf(matcher: Matcher): object {
  if (matcher instanceof UnionMatcher) return matcher.decider.union;
  return matcher instanceof RulesMatcher && matcher.tokens.length === 1 ? matcher.rules.entries : matcher;
}

/** The product token that all decisions of a matcher name: `*`, or the matcher's only one; undefined where it depends on the rule. */
export function chosenTokenOf(matcher: Matcher): string | undefined {
  if (matcher instanceof UnionMatcher) return matcher.decider.productToken;
  if (!(matcher instanceof RulesMatcher) || matcher.rules.ground === "none") return undefined;
  if (matcher.rules.ground === "everybody") return "*";
  return matcher.tokens.length === 1 ? matcher.tokens[0] : undefined;
}

/** The decision that another matcher of the same rules makes, whose product token is given. */
export function decisionFor(decision: Decision, productToken: string | undefined): Decision {
  if (productToken === undefined || (decision.because !== "rule" && decision.because !== "no-rule")) return decision;
  return Object.freeze({ ...decision, productToken });
}
