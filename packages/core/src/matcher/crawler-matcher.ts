// Finds the name, and makes the matcher, of a crawler whose names, in order of preference, choose one group (RFC 9309 §2.2.1).
import { CoreError, shownValueOf } from "../read/errors.ts";
import { type MatcherOptions, createMatcher, tokenMatchOf } from "./match.ts";
import { checkParsed, parseRobotsTxt } from "../read/parse.ts";
import { EVERYBODY, isProductToken, tokensOf } from "../read/token.ts";
import type { Matcher, RobotsTxt } from "../read/types.ts";
import { rowSize } from "../read/parsed-file.ts";
import { nameRows, names } from "../choose/rules.ts";

/** Throws a `CoreError` (`ERR_NO_PRODUCT_TOKEN`) unless the value has a list of names, as a crawler has. */
export function checkCrawlerNames(crawler: CrawlerNames): void {
  const given: unknown = (crawler as CrawlerNames | null | undefined)?.names;
  if (Array.isArray(given) && given.every((name) => typeof name === "string")) return;
  throw new CoreError("ERR_NO_PRODUCT_TOKEN", `${shownValueOf(crawler)} is not a crawler: { names: ["GPTBot"] }.`);
}

/** The names that choose a crawler's group; a `Crawler` of `@robots-stream/agents` has these members. */
export interface CrawlerNames {
  /**
   * The crawler's own name first, then fallbacks. The crawler obeys only the group of the first name in this list that the file contains.
   */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind the crawler when the file contains none of the crawler's names. Default: true. */
  readonly boundByEverybody?: boolean | undefined;
}

/**
 * Makes the matcher of a crawler that obeys only one group: the group of its first name that the file contains. (`createMatcher` with the
 * same list unites the groups of all names.) If the first name is not a product token, `tokenMatch` defaults to `"whole"`. Throws a
 * `CoreError` as `createMatcher` does. Linear in the file.
 */
export function createCrawlerMatcher(robots: RobotsTxt, crawler: CrawlerNames, options?: MatcherOptions): Matcher {
  checkParsed(robots);
  checkCrawlerNames(crawler);
  const { names: tokens, boundByEverybody = true } = crawler;
  const [own = ""] = tokens;
  // A copy, so that each option of the caller is read only once.
  const given: MatcherOptions = { ...options };
  const reading: MatcherOptions = {
    ...given,
    tokenMatch: given.tokenMatch ?? (isProductToken(own) ? "google" : "whole"),
  };
  const name = groupNameOf(robots, tokens, reading);
  if (name !== undefined && name !== "*") return createMatcher(robots, [name], reading);
  // The matcher of a file without groups decides "no-group" for every target.
  const file = boundByEverybody ? robots : parseRobotsTxt("", { dialect: robots.dialect.name });
  return createMatcher(file, [], reading);
}

/**
 * The name that chooses the group of a crawler whose names are given in order of preference: the first of these names that a user-agent
 * line has; else `"*"` if a line has it; else undefined. `createMatcher` with that name alone (with `[]` for `"*"`) decides by that group.
 * Throws a `CoreError` as `createMatcher` does. Linear in the file.
 */
export function groupNameOf(
  robots: RobotsTxt,
  productTokens: readonly string[],
  options?: MatcherOptions,
): string | undefined {
  checkParsed(robots);
  const tokens = tokensOf(productTokens, "whole");
  nameRows(robots, tokens, tokenMatchOf(options));
  const count = robots.rows.length / rowSize;
  let first = tokens.length;
  let forEverybody = false;
  for (let row = 0; row < count; row++) {
    const name = names[row]!;
    if (name === EVERYBODY) forEverybody = true;
    else if (name >= 0 && name < first) first = name;
  }
  return tokens[first] ?? (forEverybody ? "*" : undefined);
}
