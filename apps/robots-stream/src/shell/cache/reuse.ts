// The flags and an entry of the cache → whether it answers, or the origin is asked anew (RFC 9309 §2.4). Pure.
import type { FailureCode, Limits, StoredRobots } from "@robots-stream/fetch";
import type { CacheSettings } from "./settings.ts";

/** What decides besides the entry and the time. */
export interface ReuseOptions {
  readonly cache: Pick<CacheSettings, "maxAgeMs" | "isOffline" | "isRefreshed">;
  /** Of this run, and those of a run without flags. */
  readonly limits: Limits;
  readonly usualLimits: Limits;
  readonly allowPrivate: boolean | readonly string[];
  readonly caPath: string | undefined;
  readonly insecureTls: boolean;
  /** Those of the client, which is loaded late. */
  readonly isFresh: (stored: StoredRobots, now: number) => boolean;
  readonly isWithinLimits: (stored: StoredRobots, limits: Limits) => boolean;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Whether an entry answers at `now`. One from the future does not: some clock was wrong. */
export function isReusable(stored: StoredRobots, now: number, options: ReuseOptions): boolean {
  const { maxAgeMs, isOffline, isRefreshed } = options.cache;
  if (isOffline) return true;
  if (stored.fetchedAt > now) return false;
  // Other processes of the same run may have asked already.
  if (isRefreshed) return stored.fetchedAt >= options.startedAt;
  if (wasAskedOtherwise(stored, options)) return false;
  if (maxAgeMs === undefined) return options.isFresh(stored, now);
  // A failure says little about tomorrow, however long a robots.txt may be kept.
  return now < stored.fetchedAt + maxAgeMs && (stored.access !== "unreachable" || options.isFresh(stored, now));
}

/** Whether this run would have heard something else than the run that stored it. */
function wasAskedOtherwise(stored: StoredRobots, options: ReuseOptions): boolean {
  const { limits, usualLimits, allowPrivate, caPath, insecureTls, isWithinLimits } = options;
  const { code, body, truncated } = stored;
  if (code === "blocked-address" && allowPrivate !== false) return true;
  if (code.startsWith("tls-") && (caPath !== undefined || insecureTls)) return true;
  // Another proxy, or none, may get there.
  if (code === "proxy-refused") return true;
  const bounds = boundsOf(code);
  if (bounds.some((name) => limits[name] > usualLimits[name])) return true;
  // What is too long for a policy has no body that tells what was too long then.
  return (truncated === true && body === undefined) || !isWithinLimits(stored, limits);
}

/** The limits that a failure may come from. */
function boundsOf(code: string): readonly (keyof Limits)[] {
  return Object.hasOwn(boundsOfCodes, code) ? (boundsOfCodes[code as FailureCode] ?? []) : [];
}

const boundsOfCodes: Readonly<Partial<Record<FailureCode, readonly (keyof Limits)[]>>> = {
  timeout: ["deadlineMs", "headersTimeoutMs"],
  "dns-timeout": ["deadlineMs", "connectTimeoutMs"],
  "connect-timeout": ["deadlineMs", "connectTimeoutMs"],
  "tls-timeout": ["deadlineMs", "connectTimeoutMs"],
  "headers-too-large": ["maxHeaderBytes"],
  "redirect-limit": ["maxRedirects"],
};

/**
 * Whether an entry says more about the flags of this run than about the origin: a limit below the usual one, or
 * certificates of its own. Such an entry is not kept: for other runs it would be a wrong answer, or an outage.
 */
export function isOwnDoing(
  { code }: Pick<StoredRobots, "code">,
  { limits, usualLimits, caPath }: Pick<ReuseOptions, "limits" | "usualLimits" | "caPath">,
): boolean {
  if (code.startsWith("tls-") && code !== "tls-timeout" && caPath !== undefined) return true;
  return boundsOf(code).some((name) => limits[name] < usualLimits[name]);
}
