// Makes the URL of the robots.txt that applies to an origin (RFC 9309 §2.3).
import { UrlError } from "./errors.ts";
import { parseWith } from "./parse.ts";
import type { Origin } from "./types.ts";

/**
 * The URL of an origin's robots.txt: for `https://example.com` it is `https://example.com/robots.txt`.
 * @throws {UrlError} `ERR_NOT_AN_ORIGIN` unless `origin` is written as `parseTarget` writes origins; `ERR_NOT_A_STRING`.
 */
export function robotsUrlOf(origin: Origin): string {
  // No origin has letters beyond ASCII, so no host has to be converted.
  if (parseWith(origin, () => undefined)?.origin !== origin) {
    throw new UrlError("ERR_NOT_AN_ORIGIN", `Not an origin as parseTarget gives it: ${JSON.stringify(origin)}`);
  }
  return `${origin}/robots.txt`;
}
