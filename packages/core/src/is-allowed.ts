// A robots.txt, a crawler and one URL → whether the crawler may fetch it (RFC 9309 §2.2).
import { checkOptionNames } from "./errors.ts";
import { type MatcherOptions, createMatcher, matcherOptionNames } from "./match.ts";
import { type ParseOptions, parseOptionNames, parseRobotsTxt } from "./parse.ts";

/** How to read a file and to find product tokens in it. */
export interface IsAllowedOptions extends ParseOptions, MatcherOptions {}

const optionNames = [...parseOptionNames, ...matcherOptionNames];

/**
 * Whether a robots.txt allows a crawler to fetch a URL or a path. Parses the file in each call: for more than one URL use
 * `createMatcher`. Product token and options as in `createMatcher` and `parseRobotsTxt`, and so are the errors. Linear in the file.
 */
export function isAllowed(
  body: string | Uint8Array,
  productToken: string | readonly string[],
  url: string,
  options?: IsAllowedOptions,
): boolean {
  checkOptionNames(options, optionNames);
  const robots = parseRobotsTxt(body, { dialect: options?.dialect });
  return createMatcher(robots, productToken, { tokenMatch: options?.tokenMatch }).decide(url).allowed;
}
