// Tests whether an exchange within a client's limits would have produced a stored entry. Clients with other limits may share the store.
import type { Limits } from "../common/limits.ts";
import type { StoredRobots } from "../common/types.ts";

/**
 * Returns false when the body is longer than `maxBytes`, or was cut at fewer bytes. Also returns false when `maxRedirects` would have ended
 * the exchange at another redirect.
 */
export function isWithinLimits(
  { body, truncated, cutAtBytes, hops, code }: StoredRobots,
  { maxBytes, maxRedirects }: Pick<Limits, "maxBytes" | "maxRedirects">,
): boolean {
  const readBytes = cutAtBytes ?? body?.byteLength ?? 0;
  if (body !== undefined && (readBytes > maxBytes || (truncated === true && readBytes < maxBytes))) return false;
  // An exchange that followed N redirects and then gave up has N + 1 hops.
  const redirects = hops.length - 1;
  return redirects <= maxRedirects && (code !== "redirect-limit" || redirects === maxRedirects);
}
