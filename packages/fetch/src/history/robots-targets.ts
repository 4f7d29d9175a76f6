// Finds the targets to which the robots.txt of an origin redirected, and when (RFC 9309 §2.3.1.2).
import type { Observation, RobotsTarget } from "./types.ts";
import { holdSeconds, skewSeconds } from "./windows.ts";

/**
 * The targets by their origin. A redirect may have been in force from the observation before it to the observation after it, and a crawler
 * may follow it as long as it may use a copy. Observations that do not show whether there is a redirect do not count.
 */
export function robotsTargetsOf(
  observations: ReadonlyMap<string, readonly Observation[]>,
): ReadonlyMap<string, readonly RobotsTarget[]> {
  const found = new Map<string, RobotsTarget[]>();
  for (const [origin, all] of observations) {
    if (!all.some(hasRedirects)) continue;
    const sorted = all
      .filter(showsRedirects)
      .toSorted((a, b) => (a.atSeconds ?? -Infinity) - (b.atSeconds ?? -Infinity));
    /** The position of each target's latest period in the list of its origin. */
    const latest = new Map<string, number>();
    for (const [at, { redirects = [], atSeconds, toSeconds: ownEnd = -Infinity }] of sorted.entries()) {
      const fromSeconds = (sorted[at - 1]?.atSeconds ?? -Infinity) - skewSeconds;
      const after = atSeconds === undefined ? undefined : sorted[at + 1];
      const end = Math.max(ownEnd, after?.toSeconds ?? after?.atSeconds ?? Infinity);
      const toSeconds = end + holdSeconds + skewSeconds;
      for (const place of redirects) {
        if (place.target === "/robots.txt") continue;
        const targets = found.get(place.origin) ?? [];
        found.set(place.origin, targets);
        const key = `${place.origin}${place.target}`;
        const known = targets[latest.get(key) ?? -1];
        if (known !== undefined && known.toSeconds >= fromSeconds) {
          targets[latest.get(key)!] = { ...known, toSeconds: Math.max(known.toSeconds, toSeconds) };
        } else {
          const { target } = place;
          latest.set(key, targets.push({ target, isOwn: place.origin === origin, fromSeconds, toSeconds }) - 1);
        }
      }
    }
  }
  return found;
}

export function hasRedirects({ redirects = [] }: Observation): boolean {
  return redirects.length > 0;
}

/** Whether an observation shows if the file in force is behind a redirect. In an outage, that file is the last good copy. */
export function showsRedirects({ redirects, access }: Observation): boolean {
  return redirects !== undefined && (redirects.length > 0 || access !== "unreachable");
}
