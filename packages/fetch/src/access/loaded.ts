// Converts an exchange to the entry that a store keeps (RFC 9309 §2.3.1, §2.4), and an entry to the result of a load: the file in force, its
// matchers and its pace. Tests whether a client with other limits would have stored the entry.
import type { RobotsTxt } from "@robots-stream/core";
import type { FailureCode } from "../common/failures.ts";
import { type FreshnessRules, freshUntilOf } from "./freshness.ts";
import { inForceAt, outageOf, readerOf } from "./in-force.ts";
import { paceOf } from "./pace.ts";
import { type AccessPolicy, judge } from "./policy.ts";
import type { Exchange, LoadedRobots, StoredRobots } from "../common/types.ts";
import { type BodyBeginning, withoutCutLine } from "../common/body.ts";
import { definedOf } from "../common/defined.ts";
import type { Limits } from "../common/limits.ts";

/**
 * Codes of failures on the client's side: no file descriptors or memory, a failing proxy, a closed transport, a load that must not use the
 * network. The client does not store such a result, because it does not describe the origin.
 */
export const ownTroubles: ReadonlySet<string> = new Set<FailureCode>([
  "local-resources",
  "proxy",
  "aborted",
  "not-cached",
]);

const keptHeaders = ["content-type", "cache-control", "retry-after", "etag", "last-modified"] as const;

/**
 * The entry to store for an exchange, judged by the policy. Continues the outage that `previous` records. `maxBytes`: the limit at which
 * the exchange cut a longer body; undefined if it is not known.
 */
export function storedOf(
  origin: string,
  exchange: Exchange,
  previous: StoredRobots | undefined,
  policy: AccessPolicy,
  freshness: FreshnessRules,
  now: number,
  maxBytes?: number,
): StoredRobots {
  const { access, code } = judge(exchange, policy);
  const { response } = exchange;
  const freshUntil = ownTroubles.has(code) ? now : freshUntilOf(access, response?.headers, now, freshness);
  const isCut = response?.truncated === true;
  return definedOf<StoredRobots>({
    origin,
    fetchedAt: now,
    freshUntil,
    access,
    code,
    hops: exchange.hops,
    ...outageOf(access, previous, now),
    status: response?.status,
    headers: response && keptOf(response.headers),
    truncated: isCut || undefined,
    cutAtBytes: isCut ? maxBytes : undefined,
    body: access === "successful" ? linesOf(response) : undefined,
  });
}

const noResponse: BodyBeginning = { body: new Uint8Array(0), truncated: false };

/** The body, without a line that the limit cut: the beginning of a rule is not a rule. */
function linesOf({ body, truncated, endsLine = false }: BodyBeginning = noResponse): Uint8Array {
  // A view would keep the longer buffer in memory.
  return truncated && !endsLine ? new Uint8Array(withoutCutLine(body)) : body;
}

/** The few header fields that later queries need, at most 1,000 characters each, because stores keep them for years. */
function keptOf(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  let kept: Record<string, string> | undefined;
  for (const name of keptHeaders) {
    const value = fields[name];
    if (value !== undefined) (kept ??= {})[name] = value.slice(0, 1_000);
  }
  return kept;
}

/** The result of a load from an entry. `exchange`: the exchange of this load; undefined if it made none. */
export function loadedOf(stored: StoredRobots, policy: AccessPolicy, now: number, exchange?: Exchange): LoadedRobots {
  const { access, body, stale } = inForceAt(stored, policy, now);
  const { robotsIn, matcherOf } = readerOf(access, body);
  return {
    stored,
    fetched: exchange !== undefined,
    ...(exchange === undefined ? {} : { exchangeMs: Math.max(0, exchange.endedAt - exchange.startedAt) }),
    ...(exchange?.failure === undefined ? {} : { failure: exchange.failure }),
    access,
    stale,
    get robots(): RobotsTxt | undefined {
      return robotsIn("google");
    },
    robotsIn,
    matcherOf,
    paceOf: (productTokens, options) => paceOf(robotsIn(options?.dialect ?? "google"), productTokens, policy, options),
  };
}

/**
 * Returns false when the body is longer than `maxBytes`, or was cut at fewer bytes. Also returns false when `maxRedirects` would have ended
 * the exchange at another redirect.
 */
export function isWithinLimits(
  { body, truncated, cutAtBytes, hops, code }: StoredRobots,
  { maxBytes, maxRedirects }: Pick<Limits, "maxBytes" | "maxRedirects">,
): boolean {
  const readBytes = cutAtBytes ?? body?.byteLength ?? 0;
  if (body !== undefined && (readBytes > maxBytes || (truncated === true && readBytes < maxBytes))) return false;
  // An exchange that followed N redirects and then gave up has N + 1 hops.
  const redirects = hops.length - 1;
  return redirects <= maxRedirects && (code !== "redirect-limit" || redirects === maxRedirects);
}
