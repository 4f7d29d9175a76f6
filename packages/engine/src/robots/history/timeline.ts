// The history that observations give. The same without proof where an entry is damaged; and with the versions that are assumed of origins
// without observations: those of the same host's other scheme, or those of the one file that holds for every origin.
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
function assumedFrom(origin: string, other: OriginHistory): OriginHistory {
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

/**
 * The same history, in which `http://HOST` without observations has the versions of `https://HOST`, and the reverse. Behind a proxy that
 * ends TLS, a log names http although clients used https; and most sites answer http with a redirect. Neither is certain, so no window of
 * such an origin is proven. `onAssumed` is called once for the first such origin.
 */
export function withOtherScheme(
  timeline: SeenTimeline,
  onAssumed?: (origin: string, other: string) => void,
): SeenTimeline {
  const assumed = new Map<string, OriginHistory>();
  return {
    digest: timeline.digest,
    origins: timeline.origins,
    of(origin) {
      const own = timeline.of(origin) ?? assumed.get(origin);
      if (own !== undefined) return own;
      const name = otherSchemeOf(origin);
      const other = name === undefined ? undefined : timeline.of(name);
      if (other === undefined) return undefined;
      if (assumed.size === 0) onAssumed?.(origin, other.origin);
      const history = assumedFrom(origin, other);
      assumed.set(origin, history);
      return history;
    },
    robotsTargetsOf(origin) {
      const own = timeline.robotsTargetsOf(origin);
      const name = timeline.of(origin) === undefined ? otherSchemeOf(origin) : undefined;
      return own.length > 0 || name === undefined ? own : timeline.robotsTargetsOf(name);
    },
  };
}

/** The origin with the other scheme; undefined for an origin with a port, which belongs to one scheme. */
export function otherSchemeOf(origin: string): string | undefined {
  const [, scheme, host] = /^(https?):\/\/(\[[^\]]*\]|[^:]+)$/.exec(origin) ?? [];
  return scheme === undefined ? undefined : `${scheme === "http" ? "https" : "http"}://${host}`;
}

/** The origin of the observation of a file that holds for every origin (`HistoryOptions.isShared`). No URL has this origin. */
export const everyOrigin = "*";

/** Maximum number of origins that get a shared file. Clients can send any host, and each origin takes memory. */
const mostSharing = 10_000;

/** Told once each: the first origin whose versions are assumed from another; and that too many origins have the shared file. */
export interface Assuming {
  readonly onAssumed: (origin: string, other: string) => void;
  readonly onFull: (most: number) => void;
}

/**
 * The history of a log's origins: that of `withSharedFile` if there is a file for every origin (`isShared`), else that of
 * `withOtherScheme`.
 */
export function withAssumed(
  timeline: SeenTimeline,
  { onAssumed, onFull }: Assuming,
): SeenTimeline & { readonly isShared?: boolean } {
  const shared = withSharedFile(timeline, onFull);
  return shared === timeline ? withOtherScheme(timeline, onAssumed) : { ...shared, isShared: true };
}

/**
 * The same history, in which the first `mostSharing` origins that are asked for have the file of `everyOrigin`; the timeline itself without
 * such a file. `onFull` is called once, for the first origin beyond that number.
 */
function withSharedFile(timeline: SeenTimeline, onFull: (most: number) => void): SeenTimeline {
  const file = timeline.of(everyOrigin);
  if (file === undefined) return timeline;
  const sharing = new Map<string, OriginHistory>();
  let isFull = false;
  return {
    ...timeline,
    of(origin) {
      const known = sharing.get(origin);
      if (known !== undefined || origin === "") return known;
      if (sharing.size === mostSharing) {
        if (!isFull) onFull(mostSharing);
        isFull = true;
        return undefined;
      }
      const history = {
        ...assumedFrom(origin, file),
        isShared: true,
        // As with an origin of its own, a fetch is assumed to have returned the file.
        fetchedAt: (atSeconds: number, policy: PolicyName) => file.fetchedAt(atSeconds, policy),
      };
      sharing.set(origin, history);
      return history;
    },
  };
}
