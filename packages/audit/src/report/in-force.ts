// Finds, for a crawler's access policy, the intervals of an origin and the days on which each was in force.
import { unavailableVersion } from "../history/types.ts";
import type { PolicyName } from "../history/types.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import { secondsPerDay } from "../time.ts";
import type { ZoneClock } from "./clock.ts";
import { firstDayOf } from "./day-words.ts";

/** The days of a log by the interval that was in force. The day of a change belongs to the newer interval. */
export interface DaysInForce {
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
