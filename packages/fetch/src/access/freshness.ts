// Computes the time until which a result is fresh, from its access result, its response headers and the time (RFC 9309 §2.4). Pure.
import { type Checks, numberTo, readOptions, withDefaults } from "../common/options.ts";
import type { AccessResult } from "../common/types.ts";

const minuteMs = 60_000;

/** How long results stay fresh. */
export interface FreshnessRules {
  /** Freshness of a response without max-age. */
  readonly defaultMs: number;
  /** Bounds for a max-age. */
  readonly minMs: number;
  readonly maxMs: number;
  /** Freshness of "unreachable" without Retry-After, and the lower bound for a Retry-After; `maxFailureMs` is the upper bound. */
  readonly failureMs: number;
  readonly maxFailureMs: number;
}

/**
 * The default rules: 24 h without max-age; a max-age is limited to the range from 5 min to 24 h; failures 5 min, with Retry-After up to
 * one hour.
 */
export const defaultFreshness: FreshnessRules = Object.freeze({
  defaultMs: 24 * 60 * minuteMs,
  minMs: 5 * minuteMs,
  maxMs: 24 * 60 * minuteMs,
  failureMs: 5 * minuteMs,
  maxFailureMs: 60 * minuteMs,
});

const checks: Checks<FreshnessRules> = {
  defaultMs: numberTo(Number.POSITIVE_INFINITY),
  minMs: numberTo(Number.POSITIVE_INFINITY),
  maxMs: numberTo(Number.POSITIVE_INFINITY),
  failureMs: numberTo(Number.POSITIVE_INFINITY),
  maxFailureMs: numberTo(Number.POSITIVE_INFINITY),
};

/** The defaults, overridden by the caller's values. Throws `ERR_INVALID_OPTION` for an unknown name or an invalid time. */
export function freshnessOf(given: Partial<FreshnessRules> = {}): FreshnessRules {
  return withDefaults(defaultFreshness, readOptions<Partial<FreshnessRules>>(given, checks, "freshness"));
}

type Headers = Readonly<Record<string, string>>;

/** Returns the time, in milliseconds since the epoch, until which a result received at `now` is fresh. */
export function freshUntilOf(
  access: AccessResult,
  headers: Headers | undefined,
  now: number,
  rules: FreshnessRules = defaultFreshness,
): number {
  if (access === "unreachable") {
    const wait = retryAfterMsOf(headers?.["retry-after"], now);
    return now + clamp(wait ?? rules.failureMs, rules.failureMs, rules.maxFailureMs);
  }
  const maxAgeMs = maxAgeMsOf(headers?.["cache-control"]);
  return now + (maxAgeMs === undefined ? rules.defaultMs : clamp(maxAgeMs, rules.minMs, rules.maxMs));
}

/**
 * Whether a stored result is fresh at `now`. A result fetched after `now` is not fresh: the clock was set back. No result is fresh
 * for longer than the rules allow (RFC 9309 §2.4), even if its `freshUntil` is later: another program may have written the entry.
 */
export function isFresh(
  stored: { readonly fetchedAt: number; readonly freshUntil: number; readonly access?: AccessResult },
  now: number,
  rules: FreshnessRules = defaultFreshness,
): boolean {
  return stored.fetchedAt <= now && now < stored.freshUntil && now - stored.fetchedAt < longestOf(stored.access, rules);
}

/** The longest freshness that `freshUntilOf` grants to this access result. */
function longestOf(access: AccessResult | undefined, rules: FreshnessRules): number {
  return access === "unreachable" ? rules.maxFailureMs : Math.max(rules.defaultMs, rules.maxMs);
}

/**
 * The first max-age of a Cache-Control value in milliseconds; undefined without a max-age. A max-age that is not a number is read as
 * 0 (RFC 9111 §4.2.1).
 */
export function maxAgeMsOf(cacheControl: string | undefined): number | undefined {
  if (cacheControl === undefined) return undefined;
  for (const directive of directivesOf(cacheControl)) {
    const equals = directive.indexOf("=");
    if (equals === -1 || directive.slice(0, equals).trim().toLowerCase() !== "max-age") continue;
    const value = directive.slice(equals + 1).trim();
    const seconds = value.startsWith('"') && value.endsWith('"') && value.length >= 2 ? value.slice(1, -1) : value;
    return secondsMsOf(seconds) ?? 0;
  }
  return undefined;
}

/** The directives of a Cache-Control value: split at commas outside quoted strings, in one pass. */
function* directivesOf(value: string): Generator<string> {
  let start = 0;
  let quoted = false;
  for (let i = 0; i < value.length; i++) {
    const char = value[i];
    if (char === "\\" && quoted) i++;
    else if (char === '"') quoted = !quoted;
    else if (char === "," && !quoted) {
      yield value.slice(start, i);
      start = i + 1;
    }
  }
  yield value.slice(start);
}

/** The wait of a Retry-After value, in milliseconds from `now`, never negative; undefined for an invalid value (RFC 9110 §10.2.3). */
export function retryAfterMsOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const value = retryAfter.trim();
  const waitMs = secondsMsOf(value);
  if (waitMs !== undefined) return waitMs;
  // Only a date in an HTTP format is parsed: Date.parse accepts many other texts, "-5" for example.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? /.test(value) || value.length > 40) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Converts decimal seconds to milliseconds; undefined for other texts. A number above 2^31 is read as 2^31 (RFC 9111 §1.2.2). */
function secondsMsOf(digits: string): number | undefined {
  return /^\d+$/.test(digits) ? Math.min(Number(digits), 2 ** 31) * 1_000 : undefined;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
