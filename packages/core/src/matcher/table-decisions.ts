// Encodes the grounds of decisions of a matcher table as bits, and determines which matchers can share a block of the table.
import { RulesMatcher } from "./match.ts";
import type { Decision, Matcher } from "../read/types.ts";

/** The bits of a ground, from the lowest: its number, the number of the product token. */
const groundMask = 7;
const tokenShift = 3;
const grounds = ["rule", "no-rule", "no-group", "unavailable", "unreachable", "robots-txt"] as const;

export function bitsOf(because: Decision["because"], token: number): number {
  return grounds.indexOf(because) | (token << tokenShift);
}

/** The product tokens of a table's decisions, each with a number. */
export class ProductTokens {
  readonly #tokens: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a product token, which is added if it is new. */
  numberOf(token: string): number {
    let number = this.#numbers.get(token);
    if (number === undefined) {
      number = this.#tokens.push(token) - 1;
      this.#numbers.set(token, number);
    }
    return number;
  }

  at(number: number): string {
    return this.#tokens[number]!;
  }
}

export function groundIn(bits: number): Decision["because"] {
  return grounds[bits & groundMask]!;
}

/** The number of a decision's product token in the table's `ProductTokens`. */
export function tokenIn(bits: number): number {
  return bits >>> tokenShift;
}

/**
 * An object that is the same for all matchers that can share one block of a table: matchers made by one `CrawlerGroups` for
 * crawlers bound by the same groups. Their decisions differ only in the product token.
 */
export function rulesIdentityOf(matcher: Matcher): object {
  return matcher instanceof RulesMatcher && matcher.tokens.length === 1 ? matcher.rules.tables : matcher;
}

/** The product token, or `*`, in all decisions of a matcher; undefined when the token depends on the rule, or no decision has a token. */
export function chosenTokenOf(matcher: Matcher): string | undefined {
  if (!(matcher instanceof RulesMatcher) || matcher.rules.ground === "none") return undefined;
  if (matcher.rules.ground === "everybody") return "*";
  return matcher.tokens.length === 1 ? matcher.tokens[0] : undefined;
}

/** A copy of a decision with another product token; the decision itself when it has no product token or `productToken` is undefined. */
export function decisionFor(decision: Decision, productToken: string | undefined): Decision {
  if (productToken === undefined || (decision.because !== "rule" && decision.because !== "no-rule")) return decision;
  return Object.freeze({ ...decision, productToken });
}
