// Decides in one call whether a robots.txt allows a crawler to fetch a URL (RFC 9309 §2.2).
import { checkOptionNames, checkText } from "../read/errors.ts";
import { type MatcherOptions, createMatcher, matcherOptionNames } from "./match.ts";
import { type ParseOptions, parseOptionNames, parseRobotsTxt } from "../read/parse.ts";

/** Options for parsing the file and for finding product tokens in it. */
export interface IsAllowedOptions extends ParseOptions, MatcherOptions {}

const optionNames = [...parseOptionNames, ...matcherOptionNames];

/**
 * Whether a robots.txt allows a crawler to fetch a URL or a path. Each call parses the file: for more than one URL use
 * `createMatcher`. Takes product tokens and options, and throws errors, as `createMatcher` and `parseRobotsTxt` do. Linear in
 * the file.
 */
export function isAllowed(
  body: string | Uint8Array,
  productToken: string | readonly string[],
  url: string,
  options?: IsAllowedOptions,
): boolean {
  checkOptionNames(options, optionNames);
  checkText(url);
  const robots = parseRobotsTxt(body, { dialect: options?.dialect });
  return createMatcher(robots, productToken, { tokenMatch: options?.tokenMatch }).decide(url).allowed;
}
