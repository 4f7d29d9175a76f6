// The flags and an entry of the cache → whether it answers, or the origin is asked anew (RFC 9309 §2.4). Pure.
import type { StoredRobots } from "@robots-stream/fetch";
import type { CacheSettings } from "./settings.ts";

/** What decides besides the entry and the time. */
export interface ReuseOptions {
  readonly cache: Pick<CacheSettings, "maxAgeMs" | "isOffline" | "isRefreshed">;
  readonly maxBytes: number;
  readonly allowPrivate: boolean | readonly string[];
  readonly caPath: string | undefined;
  readonly insecureTls: boolean;
  /** That of the client, which is loaded late. */
  readonly isFresh: (stored: StoredRobots, now: number) => boolean;
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
function wasAskedOtherwise({ code, body, truncated }: StoredRobots, options: ReuseOptions): boolean {
  const { maxBytes, allowPrivate, caPath, insecureTls } = options;
  if (code === "blocked-address" && allowPrivate !== false) return true;
  if (code.startsWith("tls-") && (caPath !== undefined || insecureTls)) return true;
  const bytes = body?.byteLength ?? 0;
  return bytes > maxBytes || (truncated === true && bytes < maxBytes);
}
