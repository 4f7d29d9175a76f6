// Stores the matchers that decide for those blocks of a matcher table into which no rules are copied.
import { RulesMatcher } from "./match.ts";
import type { Decision, Matcher } from "../read/types.ts";

/** The estimated memory of a matcher: this constant, plus `bytesOfEntries` for each byte of its entries (the entry and its index). */
const matcherBytes = 1_000;
const bytesOfEntries = 5;

/** The matcher of a block, and the place (arena address) of each decision that the matcher has returned. */
export interface AskedMatcher {
  readonly matcher: Pick<Matcher, "decideTarget">;
  readonly places: Map<Decision, number>;
}

/** The matchers of one table, by number; the number of a removed matcher is reused. */
export class AskedMatchers {
  readonly #matchers: (AskedMatcher | undefined)[] = [];
  readonly #unused: number[] = [];

  /** Adds a matcher; returns its number. */
  add(matcher: AskedMatcher["matcher"]): number {
    const number = this.#unused.pop() ?? this.#matchers.length;
    this.#matchers[number] = { matcher, places: new Map() };
    return number;
  }

  at(number: number): AskedMatcher {
    return this.#matchers[number]!;
  }

  remove(number: number): void {
    this.#matchers[number] = undefined;
    this.#unused.push(number);
  }
}

/** The estimated memory of a matcher in bytes. */
export function bytesOfAsked({ matcher }: AskedMatcher): number {
  return matcherBytes + (matcher instanceof RulesMatcher ? matcher.rules.ownBytes * bytesOfEntries : 0);
}
