// Defines the data of a history: observations, and the intervals, outages and windows made from them (RFC 9309 §2.3.1, §2.4).

import type { AccessResult as Access } from "../common/types.ts";

export type { Access };
export const secondsPerDay = 86_400;

/** The access policies that interpret the result of an exchange. */
export type PolicyName = "google" | "rfc9309" | "yandex";

/** The access policies. Their order is part of every `RobotsTimeline.digest`. */
export const policyNames: readonly PolicyName[] = ["google", "rfc9309", "yandex"];

/** The URL of a redirect: its origin, and its path and query. */
export interface RedirectPlace {
  readonly origin: string;
  readonly target: string;
}

/** One observation of the robots.txt of an origin. */
export interface Observation {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The time of the observation, in whole seconds since 1970; undefined for a file without a date. */
  readonly atSeconds?: number | undefined;
  /**
   * For an observation whose time is not known to the second: it was made at an unknown second from `atSeconds` to `toSeconds`. Default:
   * `atSeconds`.
   */
  readonly toSeconds?: number | undefined;
  /**
   * The access result: one for all policies, or one for each policy. "unknown": there was an answer, but its file is not known; nothing is
   * proven from the observation before it to the one after it.
   */
  readonly access: Access | "unknown" | Readonly<Record<PolicyName, Access>>;
  /** The places to which requests for the robots.txt were redirected, in any order. Undefined: it is not known whether they were. */
  readonly redirects?: readonly RedirectPlace[] | undefined;
  /** SHA-256 of the body in lower-case hex; needed if `access` is successful under one of the policies. */
  readonly sha256?: string | undefined;
  /** The reason of an observation that failed: "timeout", "blocked-address" … It is not part of the digest. */
  readonly code?: string | undefined;
}

/** The version of an origin whose robots.txt is unavailable: everything is allowed (RFC 9309 §2.3.1.3). */
export const unavailableVersion = "unavailable";

/** A target other than /robots.txt to which the robots.txt of an origin redirected. A request for it is a fetch of that robots.txt. */
export interface RobotsTarget {
  /** Path and query. */
  readonly target: string;
  /** Whether the robots.txt of the target's own origin redirected. */
  readonly isOwn: boolean;
  /** The first second at which a crawler may have followed the redirect. */
  readonly fromSeconds: number;
  /** Inclusive. */
  readonly toSeconds: number;
}

/** A period in which all observations that did not fail have one version. The sequence A, B, A has two versions and three intervals. */
export interface Interval {
  /** SHA-256 of the body, or "unavailable". */
  readonly version: string;
  /** The time of the interval's first observation, its earliest possible second; null when that observation has no date. */
  readonly fromSeconds: number | null;
  /** The last possible second of the first observation; not set if its time is known to the second. */
  readonly fromLatestSeconds?: number;
  /** The time of the interval's last observation, its earliest possible second; null when that observation has no date. */
  readonly seenSeconds: number | null;
  /**
   * The access policies under which the interval begins here. An observation that is an outage under one policy may begin an interval under
   * another.
   */
  readonly policies: readonly PolicyName[];
}

/** A period of consecutive failed observations, from the first to the last of them. */
export interface Outage {
  readonly fromSeconds: number;
  /** The last possible second of the first observation; not set if its time is known to the second. */
  readonly fromLatestSeconds?: number;
  readonly seenSeconds: number;
  /** The time of the first observation after the outage that did not fail; null when there is none. */
  readonly endSeconds: number | null;
  /** The reason of the last failed observation that has one. */
  readonly code?: string | undefined;
}

/** Why no version is known for a time. */
export type Gap = "no-file" | "outage";

/** The versions that a crawler may have used at a time. */
export interface Window {
  /** The versions, each once, oldest first; empty when no version is known. */
  readonly versions: readonly string[];
  /** For each version, the position in `OriginHistory.intervals` of its newest interval. */
  readonly intervals: readonly number[];
  /** The last of `intervals`; -1 when `versions` is empty. */
  readonly interval: number;
  /** Whether successive observations, at most 30 days apart, cover the whole window. */
  readonly proven: boolean;
  /** Whether the request has no time, so that every version may have been in force. */
  readonly timeless: boolean;
  /** Why `versions` is empty. */
  readonly gap: Gap | undefined;
  /** The first second for which this window is valid. With `toSeconds`, it lets callers cache the window. */
  readonly fromSeconds: number;
  /** The last second for which this window is valid. */
  readonly toSeconds: number;
}
