// Finds the observations of captures in web archives whose file is that of another capture: redirects, and answers that nothing changed.
import type { Observation } from "@robots-stream/fetch/history";
import type { Period } from "../../common/times.ts";

/** Longest time between a redirect and the observation of its target. */
const redirectSeconds = 86_400;
const mostRedirects = 5;

/** A redirect from the robots.txt of one origin to the robots.txt of another origin. */
export interface SeenRedirect {
  readonly origin: string;
  readonly time: Period;
  readonly to: string;
}

/** An answer that the robots.txt of an origin has not changed. */
export interface SeenUnchanged {
  readonly origin: string;
  readonly time: Period;
}

/**
 * The observations of such captures. `filesOf`: the observations of an origin.
 *
 * For each redirect, there is a copy of the observation of its target that is nearest in time, at most a day away; up to `mostRedirects`
 * redirects are followed. Its time is unknown between the two: the target may have changed from one to the other. A redirect without such an
 * observation is one whose file is not known; `lost` is their number. So is an answer that a file has not changed, unless there was exactly
 * one version before it.
 */
export function observationsOfCaptures(
  redirects: readonly SeenRedirect[],
  unchanged: readonly SeenUnchanged[],
  filesOf: (origin: string) => readonly Observation[],
): { readonly observations: readonly Observation[]; readonly lost: number } {
  const observations: Observation[] = [];
  const firstTimes = new Map<string, Period>();
  for (const { origin, time } of unchanged) {
    const { fromSeconds, toSeconds } = firstTimes.get(origin) ?? timeOfFirstVersion(filesOf(origin));
    firstTimes.set(origin, { fromSeconds, toSeconds });
    if (time.toSeconds < fromSeconds || time.toSeconds >= toSeconds) observations.push(unknownAt(origin, time));
  }
  const byOrigin = groupsOf(redirects);
  let lost = 0;
  for (const redirect of redirects) {
    let at: SeenRedirect | undefined = redirect;
    let found: Observation | undefined;
    let { fromSeconds, toSeconds } = redirect.time;
    for (let hops = 0; at !== undefined && found === undefined && hops < mostRedirects; hops++) {
      fromSeconds = Math.min(fromSeconds, at.time.fromSeconds);
      toSeconds = Math.max(toSeconds, at.time.toSeconds);
      found = nearestOf(filesOf(at.to), redirect.time, (each) => each.atSeconds);
      at = nearestOf(byOrigin.get(at.to), redirect.time, (each) => each.time.fromSeconds);
    }
    if (found === undefined) lost++;
    observations.push(
      found === undefined
        ? unknownAt(redirect.origin, redirect.time)
        : movedTo(found, redirect, { fromSeconds, toSeconds }),
    );
  }
  return { observations, lost };
}

/** The time from the first dated observation of an origin to before the first one of another version: no other version is known of it. */
function timeOfFirstVersion(files: readonly Observation[]): Period {
  const secondsOf = ({ atSeconds = Infinity }: Observation): number => atSeconds;
  const versionOf = ({ access, sha256 }: Observation): string => sha256 ?? JSON.stringify(access);
  const [first, ...others] = files.toSorted((one, other) => secondsOf(one) - secondsOf(other) || 0);
  if (first === undefined) return { fromSeconds: Infinity, toSeconds: Infinity };
  const version = versionOf(first);
  const next = others.find((each) => versionOf(each) !== version);
  return { fromSeconds: secondsOf(first), toSeconds: next === undefined ? Infinity : secondsOf(next) };
}

/** The observation of a redirect's target as one of the redirect's origin, made at an unknown moment of both times. */
function movedTo(found: Observation, { origin }: SeenRedirect, { fromSeconds, toSeconds }: Period): Observation {
  const { atSeconds = fromSeconds, toSeconds: foundTo = atSeconds } = found;
  return {
    ...found,
    origin,
    atSeconds: Math.min(fromSeconds, atSeconds),
    toSeconds: Math.max(toSeconds, foundTo),
  };
}

function unknownAt(origin: string, { fromSeconds, toSeconds }: Period): Observation {
  return { origin, atSeconds: fromSeconds, toSeconds, access: "unknown" };
}

/** The items by origin. */
export function groupsOf<Item extends { readonly origin: string }>(
  items: readonly Item[],
): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.origin);
    if (group === undefined) groups.set(item.origin, [item]);
    else group.push(item);
  }
  return groups;
}

/** The item nearest to a time, at most a day away. */
function nearestOf<Item>(
  items: readonly Item[] | undefined,
  { fromSeconds }: Period,
  secondsOf: (item: Item) => number | undefined,
): Item | undefined {
  let best: Item | undefined;
  let least = redirectSeconds + 1;
  for (const item of items ?? []) {
    const distance = Math.abs((secondsOf(item) ?? Infinity) - fromSeconds);
    if (distance < least) {
      least = distance;
      best = item;
    }
  }
  return best;
}
