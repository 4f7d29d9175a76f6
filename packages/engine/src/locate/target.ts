// A URL's text in, its origin and target, or why no robots.txt is asked about it, out.
import { type ParsedTarget, type UrlProblem, parseTarget, problemOf } from "@robots-stream/url";

/** Why a record's URL is not decided. */
export type TargetProblem = UrlProblem | "url-too-long";

/**
 * Longest target that is decided, in characters with everything percent-encoded that any dialect compares so. core indexes
 * paths of this length (its `longestIndexedPath`): beyond it the cost of a decision is path times rules.
 */
export const longestTarget = 65_536;

/** Targets of at most this many characters are never too long: a character becomes three at most. */
export const surelyShort: number = Math.floor(longestTarget / 3);

// What RFC 9309's form of a target writes as %XX, except for escapes.
const encodedCharacters = /[^A-Za-z0-9\-._~:/?[\]@!&'()+,;=%]|%(?![0-9A-Fa-f]{2})/gu;

/** The origin and target of a URL, or why it is not decided. */
export function locateUrl(url: string): ParsedTarget | TargetProblem {
  const parsed = parseTarget(url);
  if (parsed === undefined) return problemOf(url) ?? "invalid-url";
  return isTooLong(parsed.target) ? "url-too-long" : parsed;
}

function isTooLong(target: string): boolean {
  if (target.length <= surelyShort) return false;
  if (target.length > longestTarget) return true;
  let length = target.length;
  for (const _ of target.matchAll(encodedCharacters)) length += 2;
  return length > longestTarget;
}
