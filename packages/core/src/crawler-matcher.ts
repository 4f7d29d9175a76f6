// A parsed file and a crawler with its names in order of preference → the matcher of the one group that binds it (RFC 9309 §2.2.1).
import { groupNameOf } from "./group-name.ts";
import { type MatcherOptions, createMatcher } from "./match.ts";
import { checkParsed, parseRobotsTxt } from "./parse.ts";
import { isProductToken } from "./token.ts";
import type { Matcher, RobotsTxt } from "./types.ts";

/** What finds a crawler's group; a `Crawler` of `@robots-stream/agents` is one. */
export interface CrawlerNames {
  /** Its own name first, then fallbacks. Only the group of the first name that the file has binds it. */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind it where the file names none of these. Default: true. */
  readonly boundByEverybody?: boolean | undefined;
}

/**
 * Makes the matcher of a crawler that obeys the group of the first of its names in the file, where `createMatcher` with the same list
 * would unite the groups of all. `tokenMatch` is `"whole"` where its first name is no product token, unless the option says otherwise.
 * Throws a `CoreError` as `createMatcher` does. Linear in the file.
 */
export function createCrawlerMatcher(robots: RobotsTxt, crawler: CrawlerNames, options?: MatcherOptions): Matcher {
  checkParsed(robots);
  const { names, boundByEverybody = true } = crawler;
  const [own = ""] = names;
  // Read once.
  const given: MatcherOptions = { ...options };
  const reading: MatcherOptions = {
    ...given,
    tokenMatch: given.tokenMatch ?? (isProductToken(own) ? "google" : "whole"),
  };
  const name = groupNameOf(robots, names, reading);
  if (name !== undefined && name !== "*") return createMatcher(robots, [name], reading);
  // The decision is "no-group", as for a file that holds no group.
  const file = boundByEverybody ? robots : parseRobotsTxt("", { dialect: robots.dialect.name });
  return createMatcher(file, [], reading);
}
