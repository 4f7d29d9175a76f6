// Writes days for the sentences of a report, with their year where it is not clear.
import type { AuditDocument } from "../document/types.ts";
import { calendarDayOf, dayTextOf } from "../time.ts";
import type { ZoneClock } from "./clock.ts";

/** The day of an instant, such as "13 November", or "13 November 2026". */
export type DayWords = (atSeconds: number) => string;

/** The words for days. A day has its year unless the log is of one year only, and the day is in this year. */
export function dayWordsOf(clock: ZoneClock, period: AuditDocument["period"]): DayWords {
  const yearOf = (atSeconds: number): number => calendarDayOf(clock.dayOf(atSeconds)).year;
  const [first, last] = period === null ? [undefined, undefined] : [yearOf(period.first), yearOf(period.last)];
  return (atSeconds) => dayTextOf(clock.dayOf(atSeconds), first !== last || yearOf(atSeconds) !== first);
}
