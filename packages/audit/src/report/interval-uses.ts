// Counts what each crawler did during each interval of a robots.txt: its requests, violations and fetches.
import { dayLevel, hourLevel } from "../count/keys.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import { policyNames } from "../history.ts";
import { type Verification, classNameOf, isSuccessfulFetch, methodNumberOf } from "../states/states.ts";
import { leastOf, secondsPerDay, secondsPerHour, secondsPerQuarter } from "../time.ts";
import type { ZoneClock } from "./days.ts";
import { daysInForce } from "./in-force.ts";
import { boundMarkOf, mayBeAccused } from "./words.ts";

/** A crawler's requests and fetches during an interval. */
export interface IntervalUse {
  readonly crawler: string;
  readonly verification: Verification;
  readonly requests: number;
  readonly served: number;
  /** The number of violations that are proven and not disputed; 0 if no sentence may accuse the crawler. */
  readonly violations: number;
  /** What is not known about the crawler: "its operator does not say whether it obeys"; "" if its operator says so. */
  readonly mark: string;
  readonly firstRequest: number | null;
  /** The earliest fetch that certainly returned this file. */
  readonly firstFetch: number | null;
  /**
   * The earliest time at which a successful fetch may have returned this file: the beginning of the quarter of an hour, hour or day in which
   * it was counted; -Infinity if that is not known. Null without such a fetch.
   */
  readonly possibleFetch: number | null;
  /**
   * The number of days of the log on which the version was in force under the crawler's access policy; the day of a change counts for the
   * newer version. Like the following members, null if times of the origin were folded.
   */
  readonly days: number | null;
  /** The average number of requests for pages on these days; null if there is no such day. */
  readonly perDay: number | null;
  /** The number of these days with a request for a page. */
  readonly pageDays: number | null;
  /** The number of days in `pageDays` with a successful fetch of robots.txt. */
  readonly fetchDays: number | null;
}

type Use = Omit<IntervalUse, keyof ActiveDays | "possibleFetch">;

/** The requests, violations and fetches of each crawler during each interval. */
export function usesOf(
  origin: DocumentOrigin,
  document: AuditDocument,
  clock: ZoneClock,
): ReadonlyMap<number, readonly IntervalUse[]> {
  const { crawlers } = document;
  const fetches = new Map(
    origin.firstFetches.map(([interval, crawler, verification, time]) => [
      JSON.stringify([interval, crawler, verification]),
      time,
    ]),
  );
  const byToken = new Map(crawlers.map((crawler) => [crawler.productToken, crawler]));
  const byInterval = new Map<number, Map<string, Use>>();
  for (const row of origin.decisions) {
    const [interval, , crawler, verification, state, , proven, disputed, status, requests, first] = row;
    const isCounted = state === "violation" && proven && !disputed && mayBeAccused(byToken.get(crawler), verification);
    const uses = byInterval.get(interval) ?? new Map<string, Use>();
    byInterval.set(interval, uses);
    const key = `${crawler}\n${verification}`;
    const known = uses.get(key);
    uses.set(key, {
      crawler,
      verification,
      requests: (known?.requests ?? 0) + requests,
      served: (known?.served ?? 0) + (classNameOf(status) === "served" ? requests : 0),
      violations: (known?.violations ?? 0) + (isCounted ? requests : 0),
      mark: boundMarkOf(byToken.get(crawler), verification),
      firstRequest: leastOf(known?.firstRequest ?? null, first),
      firstFetch: fetches.get(JSON.stringify([interval, crawler, verification])) ?? null,
    });
  }
  const daysOf = activeDaysOf(origin, document, clock);
  const possibleOf = possibleFetchesOf(origin);
  return new Map(
    [...byInterval].map(([interval, uses]) => [
      interval,
      [...uses.values()]
        .map((use) => ({
          ...use,
          possibleFetch: possibleOf(interval, use.crawler, use.verification),
          ...daysOf(interval, use.crawler, use.verification),
        }))
        .toSorted((one, other) => other.requests - one.requests || (one.crawler < other.crawler ? -1 : 1)),
    ]),
  );
}

/** The largest assumed difference between two clocks. */
const skewSeconds = 5 * 60;

/** The length of the times in `fetches` by the level of folding. */
const bucketSeconds: readonly number[] = [secondsPerQuarter, secondsPerHour, secondsPerDay];

/**
 * Returns a function that finds `IntervalUse.possibleFetch`: a fetch between the last observation of the version before and the first one of
 * the version after may have returned the file.
 */
function possibleFetchesOf({
  intervals,
  fetches,
  folded,
}: DocumentOrigin): (interval: number, crawler: string, verification: string) => number | null {
  const length = bucketSeconds[folded.fetches] ?? Infinity;
  const times = new Map<string, number[]>();
  for (const [time, crawler, verification, method, status] of fetches) {
    if (!isSuccessfulFetch(methodNumberOf(method), status)) continue;
    const key = `${crawler}\n${verification}`;
    const own = times.get(key) ?? [];
    times.set(key, own);
    own.push(time ?? -Infinity);
  }
  for (const own of times.values()) own.sort((one, other) => one - other);
  return (interval, crawler, verification) => {
    const from = intervals.slice(0, interval).reduce((most, { seen }) => Math.max(most, seen ?? -Infinity), -Infinity);
    const { from: next, fromLatest = next } = intervals[interval + 1] ?? { from: null };
    const own = times.get(`${crawler}\n${verification}`) ?? [];
    const isIn = (time: number): boolean =>
      time === -Infinity || (time + length > from - skewSeconds && time <= (fromLatest ?? Infinity) + skewSeconds);
    return own.find(isIn) ?? null;
  };
}

type ActiveDays = Pick<IntervalUse, "days" | "perDay" | "pageDays" | "fetchDays">;

const unknownDays: ActiveDays = { days: null, perDay: null, pageDays: null, fetchDays: null };

/**
 * Returns a function that counts, for an interval and a crawler with its verification, the days on which the interval's version was in
 * force, the requests for pages on these days, and the days with such requests and with a fetch of robots.txt.
 */
function activeDaysOf(
  origin: DocumentOrigin,
  { crawlers, period }: AuditDocument,
  clock: ZoneClock,
): (interval: number, crawler: string, verification: string) => ActiveDays {
  // In a zone whose days begin within an hour of UTC, hours do not tell the days.
  const level = Math.max(origin.folded.times, origin.folded.fetches);
  if (level >= dayLevel || (level === hourLevel && clock.splitsHours(period))) return () => unknownDays;
  const byPolicy = new Map(policyNames.map((policy) => [policy, daysInForce(origin, policy, period, clock)]));
  const inForce = new Map(
    crawlers.map(({ productToken, accessPolicy }) => [productToken, byPolicy.get(accessPolicy)!]),
  );
  const pages = new Map<string, Map<number, number>>();
  const fetched = new Map<string, Map<number, number>>();
  type Counts = Map<string, Map<number, number>>;
  const add = (counts: Counts, time: number | null, crawler: string, verification: string, requests: number): void => {
    if (time === null) return;
    const day = clock.dayOf(time);
    const key = `${inForce.get(crawler)!.intervalOn(day)}\n${crawler}\n${verification}`;
    const own = counts.get(key) ?? new Map<number, number>();
    counts.set(key, own.set(day, (own.get(day) ?? 0) + requests));
  };
  for (const [time, crawler, verification, state, , requests] of origin.times) {
    if (state !== "robots-txt") add(pages, time, crawler, verification, requests);
  }
  for (const [time, crawler, verification, method, status, requests] of origin.fetches) {
    if (isSuccessfulFetch(methodNumberOf(method), status)) add(fetched, time, crawler, verification, requests);
  }
  return (interval, crawler, verification) => {
    const key = `${interval}\n${crawler}\n${verification}`;
    const days = inForce.get(crawler)!.daysOf(interval);
    const own = pages.get(key) ?? new Map<number, number>();
    const fetchDays = fetched.get(key);
    return {
      days,
      perDay: days === 0 ? null : [...own.values()].reduce((sum, requests) => sum + requests, 0) / days,
      pageDays: own.size,
      fetchDays: [...own.keys()].filter((day) => fetchDays?.has(day) === true).length,
    };
  };
}
