// A stored entry and the limits of a client → whether an exchange within these limits would have ended in the same way: a store
// may be shared with clients of other limits.
import type { Limits } from "./limits.ts";
import type { StoredRobots } from "./types.ts";

/** False where the entry was cut at another length than these limits cut, or gave up after another number of redirects. */
export function isWithinLimits(
  { body, truncated, hops, code }: StoredRobots,
  { maxBytes, maxRedirects }: Pick<Limits, "maxBytes" | "maxRedirects">,
): boolean {
  if (body !== undefined && (body.byteLength > maxBytes || (truncated === true && body.byteLength < maxBytes))) {
    return false;
  }
  // An exchange that gives up after N redirects has N + 1 hops.
  const redirects = hops.length - 1;
  return redirects <= maxRedirects && (code !== "redirect-limit" || redirects === maxRedirects);
}
