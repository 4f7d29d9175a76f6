// What the audit asks of a history of robots.txt files, as interfaces: @robots-stream/fetch/history makes one.

/** The access policies by which the result of an exchange is read. */
export type PolicyName = "google" | "rfc9309" | "yandex";

/** The version of an origin whose robots.txt is unavailable: everything is allowed (RFC 9309 §2.3.1.3). */
export const unavailableVersion = "unavailable";

/** A period in which one version was observed, except for outages. The sequence A, B, A has two versions and three intervals. */
export interface Interval {
  /** SHA-256 of the body, or "unavailable". */
  readonly version: string;
  /** The first observation of the interval; null when it has no date. */
  readonly fromSeconds: number | null;
  /** The last observation of the interval; null when it has no date. */
  readonly seenSeconds: number | null;
}

/** A time from the first observation that failed to the last one before the next that did not. */
export interface Outage {
  readonly fromSeconds: number;
  readonly seenSeconds: number;
  /** The first observation after it that did not fail; null when there is none. */
  readonly endSeconds: number | null;
}

/** Why nothing is known of the robots.txt at a time. */
export type Gap = "no-file" | "outage";

/** The versions that a crawler may have used at a time: the set H. */
export interface Window {
  /** The versions, each once, oldest first; empty when nothing is known. */
  readonly versions: readonly string[];
  /** The newest interval of these versions, a position in the intervals of the origin; -1 when nothing is known. */
  readonly interval: number;
  /** Whether observations close enough to one another cover the whole window. */
  readonly proven: boolean;
  /** Whether the request has no time, so that every version may have been in force. */
  readonly timeless: boolean;
  /** Why `versions` is empty. */
  readonly gap: Gap | undefined;
  /** The first second for which this is the window; with `toSeconds`, for callers that keep it. */
  readonly fromSeconds: number;
  /** The last second for which this is the window. */
  readonly toSeconds: number;
}

/** What is known of the robots.txt of one origin over time. */
export interface OriginHistory {
  readonly origin: string;
  /** The intervals under any access policy, by time. Windows name them by their position. */
  readonly intervals: readonly Interval[];
  readonly outages: readonly Outage[];
  /** Whether an observation has a date. */
  readonly isDated: boolean;
  /** H at a time, in whole seconds since 1970; undefined for a request without a time. The same object for neighbouring seconds. */
  windowAt(atSeconds: number | undefined, policy: PolicyName): Window;
  /** The interval that a successful fetch at this time certainly got, or -1. */
  fetchedAt(atSeconds: number, policy: PolicyName): number;
}

/** What is known of all origins. */
export interface AuditHistory {
  /** Equal for equal histories: documents with different ones do not merge. */
  readonly digest: string;
  /** Origins of which something is known. */
  readonly origins: readonly string[];
  /** The history of an origin; undefined when nothing is known. */
  of(origin: string): OriginHistory | undefined;
}

/** The window of an origin of which nothing is known. */
export const noFileWindow: Window = {
  versions: [],
  interval: -1,
  proven: false,
  timeless: false,
  gap: "no-file",
  fromSeconds: -Infinity,
  toSeconds: Infinity,
};
