// Finds, for a crawler's access policy, the intervals of an origin and the days on which each was in force, and the requests in grace that a
// crawler sent after its own fetch of the newer file.
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import { type PolicyName, unavailableVersion } from "../history.ts";
import { secondsPerDay, secondsPerMinute } from "../time.ts";
import { type ZoneClock, firstDayOf } from "./days.ts";

/** The days of a log by the interval that was in force. The day of a change belongs to the newer interval. */
interface DaysInForce {
  /** The position of the interval that was in force on a day (in days since 1970); -1 if the origin has no interval. */
  intervalOn(day: number): number;
  /** The number of days of the log on which an interval was in force. */
  daysOf(interval: number): number;
}

/** The days of an origin under an access policy. Before the first observation, the first interval counts as in force. */
export function daysInForce(
  { intervals }: Pick<DocumentOrigin, "intervals">,
  policy: PolicyName,
  period: AuditDocument["period"],
  clock: ZoneClock,
): DaysInForce {
  const own = intervals.flatMap(({ from, fromLatest, policies }, at) =>
    policies.includes(policy) ? [{ at, day: from === null ? -Infinity : firstDayOf({ from, fromLatest }, clock) }] : [],
  );
  const [first, last] = period === null ? [0, -1] : [clock.dayOf(period.first), clock.dayOf(period.last)];
  return {
    intervalOn: (day) => (own.findLast((each) => each.day <= day) ?? own[0])?.at ?? -1,
    daysOf: (interval) => {
      const place = own.findIndex(({ at }) => at === interval);
      if (place < 0) return 0;
      const from = place === 0 ? first : Math.max(first, own[place]!.day);
      return Math.max(0, Math.min(last, (own[place + 1]?.day ?? Infinity) - 1) - from + 1);
    },
  };
}

/**
 * For each interval, the position of the interval with which its file was first seen. An interval that only repeats the file before it has
 * the position of that file, if in between some crawlers took an answer for a missing file. -1 for such an answer: a failing server, or a
 * file that is too long for them.
 */
export function filesOf({ intervals, outages }: Pick<DocumentOrigin, "intervals" | "outages">): readonly number[] {
  let file = -1;
  return intervals.map(({ version, from, policies }, at) => {
    const isInOutage = outages.some((outage) => from !== null && outage.from <= from && from <= outage.seen);
    if (version === unavailableVersion && (isInOutage || !policies.includes("rfc9309"))) return -1;
    if (intervals[file]?.version !== version) file = at;
    return file;
  });
}

/** The versions of an origin's robots.txt, by first appearance: the files A, B, A are two versions. */
export function versionsOf(origin: Pick<DocumentOrigin, "intervals" | "outages">): readonly string[] {
  return [...new Set(filesOf(origin).flatMap((file) => origin.intervals[file]?.version ?? []))];
}

/** The outages of an origin from a day before the log to its end. */
export function outagesDuring({ outages }: DocumentOrigin, period: AuditDocument["period"]): DocumentOrigin["outages"] {
  if (period === null) return [];
  return outages.filter(({ from, seen, end }) => from <= period.last && (end ?? seen) >= period.first - secondsPerDay);
}

/** The requests in grace of one crawler after one change of robots.txt. */
export interface GraceUse {
  readonly origin: string;
  readonly interval: number;
  readonly crawler: string;
  readonly verification: string;
  /** The number of requests in grace that are proven and not disputed. */
  readonly proven: number;
  /** The number of undisputed requests in grace that came in a later minute than the fetch of the newer file. */
  readonly informed: number;
  /** The part of `informed` that is proven. */
  readonly provenInformed: number;
  /** The time of the earliest successful fetch of the newer file, in seconds since 1970; undefined without a fetch. */
  readonly fetched: number | undefined;
}

/**
 * The requests in grace after tightenings, by crawler and interval. Requests and fetches are compared by minute, because requests in grace
 * are counted by minute.
 */
export function graceUsesOf(origin: DocumentOrigin): readonly GraceUse[] {
  const fetches = new Map(
    origin.firstFetches.map(([interval, crawler, verification, time]) => [
      JSON.stringify([interval, crawler, verification]),
      time!,
    ]),
  );
  const uses = new Map<string, GraceUse>();
  for (const [time, crawler, verification, interval, isProven, disputed, requests] of origin.graceMinutes) {
    const key = JSON.stringify([interval, crawler, verification]);
    const fetched = fetches.get(key);
    const isInformed = fetched !== undefined && minuteOf(fetched) < minuteOf(time!);
    const known = uses.get(key);
    const counted = isProven && !disputed ? requests : 0;
    uses.set(key, {
      origin: origin.origin,
      interval,
      crawler,
      verification,
      fetched,
      proven: (known?.proven ?? 0) + counted,
      informed: (known?.informed ?? 0) + (isInformed && !disputed ? requests : 0),
      provenInformed: (known?.provenInformed ?? 0) + (isInformed ? counted : 0),
    });
  }
  return [...uses.values()];
}

function minuteOf(atSeconds: number): number {
  return Math.floor(atSeconds / secondsPerMinute);
}
