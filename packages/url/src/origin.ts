// An origin in, the address of the robots.txt that holds for it out: RFC 9309 §2.3.
import { UsageError } from "./errors.ts";
import { parseTarget } from "./target.ts";

/**
 * Scheme, host and port as the URL standard serializes them: `https://example.com`, `http://h:8080`, `ftp://[::1]`.
 * Lower-case, other letters than ASCII as punycode, without the scheme's default port; a trailing dot of the host stays
 * and makes another origin. Two URLs share a robots.txt if and only if these strings are equal.
 */
export type Origin = string;

/**
 * The URL of an origin's robots.txt: `https://example.com` → `https://example.com/robots.txt`.
 * @throws {UsageError} `ERR_NOT_AN_ORIGIN` unless `origin` is written as {@link parseTarget} writes origins.
 */
export function robotsUrlOf(origin: Origin): string {
  if (parseTarget(origin)?.origin !== origin) {
    throw new UsageError("ERR_NOT_AN_ORIGIN", `Not an origin as parseTarget gives it: ${JSON.stringify(origin)}`);
  }
  return `${origin}/robots.txt`;
}
