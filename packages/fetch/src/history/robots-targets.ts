// Finds the targets to which the robots.txt of an origin redirected, and when (RFC 9309 §2.3.1.2).
import type { Observation, RobotsTarget } from "./types.ts";
import { holdSeconds, skewSeconds } from "./windows.ts";

/**
 * The targets by their origin. A redirect may have been in force from the observation before it to the observation after it, and a crawler
 * may follow it as long as it may use a copy.
 */
export function robotsTargetsOf(
  observations: ReadonlyMap<string, readonly Observation[]>,
): ReadonlyMap<string, readonly RobotsTarget[]> {
  const found = new Map<string, RobotsTarget[]>();
  for (const [origin, all] of observations) {
    if (!all.some(({ redirects }) => redirects !== undefined)) continue;
    const sorted = all.toSorted((a, b) => (a.atSeconds ?? -Infinity) - (b.atSeconds ?? -Infinity));
    /** The position of each target's latest period in the list of its origin. */
    const latest = new Map<string, number>();
    for (const [at, { redirects = [], atSeconds }] of sorted.entries()) {
      const fromSeconds = (sorted[at - 1]?.atSeconds ?? -Infinity) - skewSeconds;
      const after = atSeconds === undefined ? undefined : sorted[at + 1];
      const toSeconds = (after?.toSeconds ?? after?.atSeconds ?? Infinity) + holdSeconds + skewSeconds;
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
