// Parses the text of a URL, and returns its origin and target, or the reason why no robots.txt applies to the URL.
// The characters that become %XX in the form in which RFC 9309 compares a target. The characters of existing escapes do not match.
import { isHostOfRequest, type Base } from "@robots-stream/logs";
import { type ParsedTarget, type UrlProblem, parseTarget, problemOf } from "@robots-stream/url";
import { UsageError } from "./errors.ts";
import { printableOf, shownWordOf } from "./text.ts";

/** The reason why no decision is made about a record's URL. */
export type TargetProblem = UrlProblem | "url-too-long";

/**
 * Limit of a target's length in characters, after percent-encoding every character that any dialect encodes. core indexes
 * paths up to this length (its `longestIndexedPath`); deciding a longer path would cost path length times number of rules.
 */
export const longestTarget = 65_536;

/** A target of at most this many characters never exceeds the limit: percent-encoding turns one character into at most three. */
export const surelyShort: number = Math.floor(longestTarget / 3);

// The characters that become %XX in the form in which RFC 9309 compares a target. The characters of existing escapes do not match.
const encodedCharacters = /[^A-Za-z0-9\-._~:/?[\]@!&'()+,;=%]|%(?![0-9A-Fa-f]{2})/gu;

/** An origin with a domain of at least two labels, or an address, whose host is neither a placeholder nor a pattern. */
const usualOrigin = /^https?:\/\/(?:[a-z\d-]+\.)+[a-z\d-]*[a-z-][a-z\d-]*(?::\d+)?$/;

/**
 * The origin and target of a URL; undefined if it has none, or if its host is one to which no request can be sent: the URL standard allows
 * `https://*.shop.example/` and `https://_/`.
 */
export function parseRequestUrl(url: string): ParsedTarget | undefined {
  const parsed = parseTarget(url);
  if (parsed === undefined || usualOrigin.test(parsed.origin)) return parsed;
  return isHostOfRequest(parsed.origin.slice(parsed.origin.indexOf("//") + 2)) ? parsed : undefined;
}

/** The origin and target of a URL, or the reason why no decision is made about the URL. */
export function locateUrl(url: string): ParsedTarget | TargetProblem {
  const parsed = parseRequestUrl(url);
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

/**
 * Reads `text`, the value of `flag`. Returns undefined if `text` is undefined. Throws a `UsageError` unless the value is an http or https
 * origin.
 */
export function baseOf(text: string | undefined, flag: string): Base | undefined {
  if (text === undefined) return undefined;
  const parsed = parseRequestUrl(text);
  const [, scheme, host] = /^(https?):\/\/(.+)$/.exec(parsed?.origin ?? "") ?? [];
  if ((scheme === "http" || scheme === "https") && host !== undefined && parsed?.target === "/")
    return { scheme, host };
  const shown = `${flag}${shownWordOf(text, 100)}`;
  const other = parsed === undefined && !text.includes("://") ? parseRequestUrl(`https://${text}`) : parsed;
  const meant = parsed !== undefined && scheme === undefined ? undefined : other?.origin;
  throw new UsageError(
    "wrong-value",
    `${shown}: must be an http or https origin, without a path`,
    meant === undefined ? `for example: ${flag}https://example.com` : `did you mean ${flag}${printableOf(meant, 100)}?`,
  );
}
