// Puts crawlers into classes: the same rules of two parsed files bind all crawlers of a class (RFC 9309 §2.2.1).
import type { Matcher, RobotsTxt, TokenMatch } from "@robots-stream/core";
import { type CompetingRule, CrawlerGroups, competingRulesOf, rulesIdentityOf } from "@robots-stream/core/internal";
import { createCrawlerMatcher, isProductToken } from "@robots-stream/core/product-tokens";
import type { ComparedCrawler } from "./types.ts";

/** Crawlers that the same rules bind, with their matchers and rules in both files. */
export interface CrawlerClass {
  readonly crawlers: ComparedCrawler[];
  readonly matchers: readonly [old: Matcher, next: Matcher];
  readonly rules: readonly [old: readonly CompetingRule[], next: readonly CompetingRule[]];
}

/** The classes of the crawlers, and the crawlers that were left out because the rules of all classes would take too much memory. */
export interface CrawlerClasses {
  readonly classes: readonly CrawlerClass[];
  readonly left: readonly ComparedCrawler[];
}

/**
 * The maximum number of rules of all classes together. If a file has to be read again for one class, `costOfReading` rules are added to the
 * sum.
 */
const mostRules = 250_000;
const costOfReading = 10_000;

/**
 * Puts crawlers into classes. Takes time linear in the size of the files, in the number of crawlers and in the number of the classes'
 * rules.
 */
export function classesOf(old: RobotsTxt, next: RobotsTxt, crawlers: readonly ComparedCrawler[]): CrawlerClasses {
  const finders = [new RulesFinder(old), new RulesFinder(next)] as const;
  const byIdentity = new Map<string, CrawlerClass>();
  const byRules = new Map<string, CrawlerClass>();
  const left: ComparedCrawler[] = [];
  let count = 0;
  for (const crawler of crawlers) {
    const identity = finders.map((finder) => finder.identityOf(crawler)).join(" ");
    let found = byIdentity.get(identity);
    if (found === undefined) {
      if (count > mostRules) {
        left.push(crawler);
        continue;
      }
      const [before, after] = [finders[0].rulesOf(crawler), finders[1].rulesOf(crawler)] as const;
      const matchers = [before.matcher, after.matcher] as const;
      const rules = [before.rules, after.rules] as const;
      count += before.cost + after.cost;
      // Crawlers bound by different groups with equal rules are in one class.
      const key = JSON.stringify(rules.map((list) => list.map(({ rule }) => [rule.type, rule.pattern])));
      found = byRules.get(key) ?? { crawlers: [], matchers, rules };
      byRules.set(key, found);
      byIdentity.set(identity, found);
    }
    found.crawlers.push(crawler);
  }
  return { classes: [...byRules.values()], left };
}

/** How a crawler's name is compared with user-agent lines: as a whole name if Google's parser would never find the name. */
function tokenMatchOf({ names, tokenMatch }: ComparedCrawler): TokenMatch {
  return tokenMatch ?? (names.length === 0 || isProductToken(names[0]!) ? "google" : "whole");
}

/** Finds the rules of crawlers in one file. */
class RulesFinder {
  readonly #robots: RobotsTxt;
  readonly #groups = new Map<TokenMatch, CrawlerGroups>();
  readonly #numbers = new Map<object, number>();

  constructor(robots: RobotsTxt) {
    this.#robots = robots;
  }

  /** A number that is equal for crawlers that the same groups bind; -1 for a crawler without a shared matcher. */
  identityOf(crawler: ComparedCrawler): number {
    const matcher = this.#sharedMatcherOf(crawler);
    if (matcher === undefined) return -1;
    const identity = rulesIdentityOf(matcher);
    let number = this.#numbers.get(identity);
    if (number === undefined) this.#numbers.set(identity, (number = this.#numbers.size));
    return number;
  }

  /** The crawler's matcher, its rules, and the cost of finding these rules, as a number of rules. */
  rulesOf(crawler: ComparedCrawler): FoundRules {
    const shared = this.#sharedMatcherOf(crawler);
    const rules = shared === undefined ? undefined : competingRulesOf(shared);
    if (shared !== undefined && rules !== undefined) return { matcher: shared, rules, cost: rules.length };
    const matcher = createCrawlerMatcher(this.#robots, crawler, { tokenMatch: tokenMatchOf(crawler) });
    return { matcher, rules: competingRulesOf(matcher) ?? [], cost: costOfReading };
  }

  /**
   * The matcher that crawlers with the same groups share; undefined if no group names the crawler and the groups for `*` do not bind it.
   */
  #sharedMatcherOf(crawler: ComparedCrawler): Matcher | undefined {
    const tokenMatch = tokenMatchOf(crawler);
    let groups = this.#groups.get(tokenMatch);
    if (groups === undefined) this.#groups.set(tokenMatch, (groups = new CrawlerGroups(this.#robots, { tokenMatch })));
    const name = groups.groupNameOf(crawler.names);
    const isNamed = name !== undefined && name !== "*";
    if (!isNamed && crawler.boundByEverybody === false) return undefined;
    return groups.matcherOf(isNamed ? name : undefined);
  }
}

interface FoundRules {
  readonly matcher: Matcher;
  readonly rules: readonly CompetingRule[];
  readonly cost: number;
}
