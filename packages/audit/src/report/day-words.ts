// Writes days for the sentences of a report, with their year where it is not clear.
import type { AuditDocument } from "../document/types.ts";
import { calendarDayOf, dayTextOf, secondsPerDay } from "../time.ts";
import type { ZoneClock } from "./clock.ts";

/** The day of an instant, or of an observation, such as "13 November", or "13 November 2026". */
export type DayWords = (at: number | FirstSeen) => string;

/** The time of a first observation. */
export interface FirstSeen {
  readonly from: number;
  readonly fromLatest?: number | undefined;
}

/** The day of a first observation in a time zone. If only its date is known, which is a day in UTC, the day is that date in every zone. */
export function firstDayOf({ from, fromLatest = from }: FirstSeen, clock: ZoneClock): number {
  return fromLatest - from === secondsPerDay - 1 ? Math.floor(from / secondsPerDay) : clock.dayOf(from);
}

/** The words for days. A day has its year unless the log is of one year only, and the day is in this year. */
export function dayWordsOf(clock: ZoneClock, period: AuditDocument["period"]): DayWords {
  const yearOf = (atSeconds: number): number => calendarDayOf(clock.dayOf(atSeconds)).year;
  const [first, last] = period === null ? [undefined, undefined] : [yearOf(period.first), yearOf(period.last)];
  return (at) => {
    const day = typeof at === "number" ? clock.dayOf(at) : firstDayOf(at, clock);
    return dayTextOf(day, first !== last || calendarDayOf(day).year !== first);
  };
}
