// Decides from the settings of a run whether a cache entry is used or the origin is fetched (RFC 9309 §2.4). Pure.
import type { FailureCode, Limits, StoredRobots } from "@robots-stream/fetch";
import type { CacheSettings } from "./settings.ts";

/** The settings on which the reuse of an entry depends. */
export interface ReuseOptions {
  readonly cache: Pick<CacheSettings, "maxAgeMs" | "isOffline" | "isRefreshed">;
  /** Limits of this run (`limits`), and limits of a run without flags (`usualLimits`). */
  readonly limits: Limits;
  readonly usualLimits: Limits;
  readonly allowPrivate: boolean | readonly string[];
  readonly caPath: string | undefined;
  readonly insecureTls: boolean;
  /** Functions of @robots-stream/fetch, passed in because that package is loaded late. */
  readonly isFresh: (stored: StoredRobots, now: number) => boolean;
  readonly isWithinLimits: (stored: StoredRobots, limits: Limits) => boolean;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Whether an entry is used at `now`. Offline, every entry is used. Otherwise, an entry with a time in the future is not used, because a
 * clock was wrong.
 */
export function isReusable(stored: StoredRobots, now: number, options: ReuseOptions): boolean {
  const { maxAgeMs, isOffline, isRefreshed } = options.cache;
  if (isOffline) return true;
  if (stored.fetchedAt > now) return false;
  // With --refresh, only an entry that was fetched after this run began is used; another process of the same run may have stored the entry.
  if (isRefreshed) return stored.fetchedAt >= options.startedAt && options.isFresh(stored, now);
  if (wasAskedOtherwise(stored, options)) return false;
  if (maxAgeMs === undefined) return options.isFresh(stored, now);
  // --max-age does not prolong the use of a failure beyond its own freshness.
  return now < stored.fetchedAt + maxAgeMs && (stored.access !== "unreachable" || options.isFresh(stored, now));
}

/** Whether a fetch with the settings of this run could give a different result from the stored entry. */
function wasAskedOtherwise(stored: StoredRobots, options: ReuseOptions): boolean {
  const { limits, usualLimits, allowPrivate, caPath, insecureTls, isWithinLimits } = options;
  const { code, body, truncated } = stored;
  if (code === "blocked-address" && allowPrivate !== false) return true;
  if (code.startsWith("tls-") && (caPath !== undefined || insecureTls)) return true;
  // The origin may be reachable through another proxy or without one.
  if (code === "proxy-refused") return true;
  const bounds = boundsOf(code);
  if (bounds.some((name) => limits[name] > usualLimits[name])) return true;
  // A robots.txt that was too long for its access policy is stored without a body, so the size limit with which it was fetched is unknown.
  return (truncated === true && body === undefined) || !isWithinLimits(stored, limits);
}

/** The limits that can cause a failure with this code. */
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
 * Whether the flags of this run caused the result in an entry: a limit below the default, or the certificates of `--ca`. Such an entry is
 * not stored, because other runs would get a wrong result from it.
 */
export function isOwnDoing(
  { code }: Pick<StoredRobots, "code">,
  { limits, usualLimits, caPath }: Pick<ReuseOptions, "limits" | "usualLimits" | "caPath">,
): boolean {
  if (code.startsWith("tls-") && code !== "tls-timeout" && caPath !== undefined) return true;
  return boundsOf(code).some((name) => limits[name] < usualLimits[name]);
}
