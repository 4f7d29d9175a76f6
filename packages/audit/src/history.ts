// Defines the interfaces of a history of robots.txt files, which the audit reads and @robots-stream/fetch/history implements.
import { secondsPerHour } from "./time.ts";

/** The access policies by which crawlers interpret the result of an exchange. */
export const policyNames = ["google", "rfc9309", "yandex"] as const;

/** The name of an access policy. */
export type PolicyName = (typeof policyNames)[number];

/** The version of an origin whose robots.txt is unavailable: everything is allowed (RFC 9309 §2.3.1.3). */
export const unavailableVersion = "unavailable";

/**
 * A period in which all observations that did not fail have the same version. The sequence A, B, A has two versions and three intervals.
 */
export interface Interval {
  /** SHA-256 of the body, or "unavailable". */
  readonly version: string;
  /** The time of the interval's first observation; null without a date. */
  readonly fromSeconds: number | null;
  /** The last possible second of the first observation; not set if its time is known to the second. */
  readonly fromLatestSeconds?: number | undefined;
  /** The time of the interval's last observation; null without a date. */
  readonly seenSeconds: number | null;
  /**
   * The access policies under which the interval begins here: an observation that is an outage under one policy may begin an interval under
   * another. Default: all policies.
   */
  readonly policies?: readonly PolicyName[] | undefined;
}

/** An outage: successive failed observations, the first at `fromSeconds` and the last at `seenSeconds`. */
export interface Outage {
  readonly fromSeconds: number;
  /** The last possible second of the first observation; not set if its time is known to the second. */
  readonly fromLatestSeconds?: number | undefined;
  readonly seenSeconds: number;
  /** The time of the first observation after the outage that did not fail; null if there is none. */
  readonly endSeconds: number | null;
  /** The reason of the last failed observation, if it is known: "timeout", "blocked-address" … */
  readonly code?: string | undefined;
}

/** Why the robots.txt in force at some time is unknown. */
export type Gap = "no-file" | "outage";

/** The set of versions (called H) that a crawler may have used for a request. */
export interface Window {
  /** The versions, each once, oldest first; empty if no version is known. */
  readonly versions: readonly string[];
  /** The position, in the origin's `intervals`, of the newest interval that belongs to the window; -1 if `versions` is empty. */
  readonly interval: number;
  /** Whether observations cover the whole window, each close enough to the next observation. */
  readonly proven: boolean;
  /** Whether the request has no time, so that every version may have been in force. */
  readonly timeless: boolean;
  /** Why `versions` is empty. */
  readonly gap: Gap | undefined;
  /** The first second to which the window applies; callers may cache the window from here to `toSeconds`. */
  readonly fromSeconds: number;
  /** The last second to which the window applies. */
  readonly toSeconds: number;
}

/** The known facts about the robots.txt of one origin over time. */
export interface OriginHistory {
  readonly origin: string;
  /** The intervals under all access policies, by time. Windows refer to an interval by its position. */
  readonly intervals: readonly Interval[];
  readonly outages: readonly Outage[];
  /** Whether an observation has a date. */
  readonly isDated: boolean;
  /** Whether the file was given without an origin, and taken for this one and all others. */
  readonly isShared?: boolean | undefined;
  /**
   * The window at a whole second since 1970; `atSeconds` is undefined for a request without a time. All seconds to which a window applies
   * share one object.
   */
  windowAt(atSeconds: number | undefined, policy: PolicyName): Window;
  /** The position of the interval whose file a successful fetch at this time certainly returned; -1 if no interval is certain. */
  fetchedAt(atSeconds: number, policy: PolicyName): number;
}

/** A target other than /robots.txt to which a robots.txt redirected. A request for it is a fetch of that robots.txt. */
export interface RobotsTarget {
  /** Path and query. */
  readonly target: string;
  /** Whether it is the robots.txt of the target's own origin that redirected. */
  readonly isOwn: boolean;
  /** The first and the last second at which a crawler may have followed the redirect. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** The known facts about all origins. */
export interface AuditHistory {
  /** A digest of the history; equal histories have equal digests. Documents with different digests do not merge. */
  readonly digest: string;
  /** The origins with known facts, or only their number: an audit of few origins of a large history need not list them. */
  readonly origins: { readonly length: number };
  /** The history of an origin; undefined if nothing is known about it. */
  of(origin: string): OriginHistory | undefined;
  /** The targets on an origin to which a robots.txt redirected. Default: no redirect is known. */
  robotsTargetsOf?(origin: string): readonly RobotsTarget[];
}

const unproven = new WeakMap<Window, Window>();

/** The same window for a request whose time is not certain, so that nothing is proven; one object for each window. */
export function unprovenOf<W extends Window>(window: W): W {
  if (!window.proven) return window;
  let made = unproven.get(window);
  if (made === undefined) unproven.set(window, (made = { ...window, proven: false }));
  return made as W;
}

/**
 * The window of a request, which ends at `atSeconds`, of a crawler that may use a file for `copyHours` hours after a change: nothing is
 * proven if another version than those of the window may have been in force in that time. `windowAt`: the window at another time.
 */
export function withOlderCopies<W extends Window>(
  window: W,
  atSeconds: number,
  copyHours: number,
  windowAt: (atSeconds: number) => Window,
): W {
  if (copyHours <= 24 || !window.proven) return window;
  for (let hours = 24; hours < copyHours; hours += 24) {
    const earlier = windowAt(atSeconds - hours * secondsPerHour);
    if (!earlier.proven || !earlier.versions.every((version) => window.versions.includes(version)))
      return unprovenOf(window);
  }
  return window;
}

/** The window of an origin without known facts. */
export const noFileWindow: Window = {
  versions: [],
  interval: -1,
  proven: false,
  timeless: false,
  gap: "no-file",
  fromSeconds: -Infinity,
  toSeconds: Infinity,
};
