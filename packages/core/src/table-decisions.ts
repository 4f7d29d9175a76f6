// Decisions in a matcher table: their encoding as bits in a block, and which matchers can share a block.
import { RulesMatcher } from "./match.ts";
import { UnionMatcher } from "./rule-union.ts";
import type { Decision, Matcher } from "./types.ts";

/** The bits of a decision, from the lowest: whether it allows, its ground, the number of the product token. */
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

/** The number of a decision's product token in the table's list. */
export function tokenIn(bits: number): number {
  return bits >>> tokenShift;
}

/**
 * An object that is the same for all matchers that can share one block of a table: matchers made by one `CrawlerGroups` for
 * crawlers bound by the same groups. Their decisions differ only in the product token.
 */
export function rulesIdentityOf(matcher: Matcher): object {
  if (matcher instanceof UnionMatcher) return matcher.decider.union;
  return matcher instanceof RulesMatcher && matcher.tokens.length === 1 ? matcher.rules.entries : matcher;
}

/** The product token in all decisions of a matcher, or `*`; undefined when the product token depends on the rule. */
export function chosenTokenOf(matcher: Matcher): string | undefined {
  if (matcher instanceof UnionMatcher) return matcher.decider.productToken;
  if (!(matcher instanceof RulesMatcher) || matcher.rules.ground === "none") return undefined;
  if (matcher.rules.ground === "everybody") return "*";
  return matcher.tokens.length === 1 ? matcher.tokens[0] : undefined;
}

/** The same decision with another product token, as a matcher with the same rules for that product token makes it. */
export function decisionFor(decision: Decision, productToken: string | undefined): Decision {
  if (productToken === undefined || (decision.because !== "rule" && decision.because !== "no-rule")) return decision;
  return Object.freeze({ ...decision, productToken });
}
