// The history that observations give, and what it is where an entry is damaged: the same without proof.
import { FetchError } from "@robots-stream/fetch";
import {
  createHistory,
  type Observation,
  type OriginHistory,
  type PolicyName,
  type RobotsTimeline,
  type Window,
} from "@robots-stream/fetch/history";
import { UsageError } from "../../common/errors.ts";

/** A history of which only the number of origins is known in advance. */
export type SeenTimeline = Omit<RobotsTimeline, "origins"> & { readonly origins: { readonly length: number } };

/** The history of observations. Throws a `UsageError` for observations that no history can hold. */
export function historyOf(observations: readonly Observation[]): RobotsTimeline {
  try {
    return createHistory(observations);
  } catch (error) {
    if (error instanceof FetchError) throw new UsageError("unusable-robots", `robots.txt files: ${error.message}`);
    throw error;
  }
}

/** The same history, in which no window of the origins for which `isDamaged` is true is proven: an entry that cannot be read may be of any time. */
export function withoutProof(timeline: SeenTimeline, isDamaged: (origin: string) => boolean): SeenTimeline {
  const unproven = new Map<string, OriginHistory>();
  return {
    ...timeline,
    of(origin) {
      const known = unproven.get(origin);
      if (known !== undefined) return known;
      // Reading the entries of an origin may find the damage.
      const history = timeline.of(origin);
      if (history === undefined || !isDamaged(origin)) return history;
      const assumed = assumedFrom(origin, history);
      unproven.set(origin, assumed);
      return assumed;
    },
  };
}

/** The versions of `other` as an assumption about `origin`: no window is proven, and no fetch is certain. */
export function assumedFrom(origin: string, other: OriginHistory): OriginHistory {
  const { intervals, outages, isDated } = other;
  const windows = new WeakMap<Window, Window>();
  return {
    origin,
    intervals,
    outages,
    isDated,
    windowAt(atSeconds, policy: PolicyName) {
      const window = other.windowAt(atSeconds, policy);
      let unproven = windows.get(window);
      if (unproven === undefined) {
        unproven = { ...window, proven: false };
        windows.set(window, unproven);
      }
      return unproven;
    },
    fetchedAt: () => -1,
  };
}
