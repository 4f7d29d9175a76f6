// Computes the calendar days of instants in a time zone, and writes days with their year where it is not clear.
import type { AuditDocument } from "../document/types.ts";
import { AuditError } from "../errors.ts";
import { calendarDayOf, dayTextOf, isoOf, secondsPerDay, secondsPerHour, secondsPerQuarter } from "../time.ts";

/** Converts instants to days of a time zone. */
export interface ZoneClock {
  readonly timeZone: string;
  /** The day of an instant, in days since 1970-01-01. */
  dayOf(atSeconds: number): number;
  /** The days since 1970-01-01 with their fraction, for a position on an axis. */
  daysOf(atSeconds: number): number;
  /** The minute of an instant, such as "2026-11-13 09:14". */
  minuteTextOf(atSeconds: number): string;
  /** Whether a day of a period begins or ends within an hour of UTC. */
  splitsHours(period: { readonly first: number; readonly last: number } | null): boolean;
}

/** The clock of an IANA time zone. Throws an {@link AuditError} (`ERR_INVALID_OPTION`) for an unknown zone. */
export function createZoneClock(timeZone: string): ZoneClock {
  const offsetOf = timeZone === "UTC" ? () => 0 : offsetsOf(timeZone);
  const localOf = (atSeconds: number): number => atSeconds + offsetOf(atSeconds);
  return {
    timeZone,
    dayOf: (atSeconds) => Math.floor(localOf(atSeconds) / secondsPerDay),
    daysOf: (atSeconds) => localOf(atSeconds) / secondsPerDay,
    minuteTextOf: (atSeconds) => isoOf(localOf(atSeconds)).slice(0, -4).replace("T", " "),
    splitsHours: (period) =>
      period !== null && [period.first, period.last].some((at) => offsetOf(at) % secondsPerHour !== 0),
  };
}

/**
 * Returns a function that computes a time zone's offset from UTC, in seconds, at an instant. The function looks up the offset once for each
 * quarter of an hour.
 */
function offsetsOf(timeZone: string): (atSeconds: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch {
    throw new AuditError("ERR_INVALID_OPTION", `timeZone: ${JSON.stringify(timeZone)} is not known`);
  }
  const known = new Map<number, number>();
  return (atSeconds) => {
    const quarter = Math.floor(atSeconds / secondsPerQuarter);
    let offset = known.get(quarter);
    if (offset === undefined) {
      const name = format
        .formatToParts(quarter * secondsPerQuarter * 1_000)
        .find(({ type }) => type === "timeZoneName")?.value;
      const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d+):(\d+)/u.exec(name ?? "") ?? [];
      offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
      known.set(quarter, offset);
    }
    return offset;
  };
}

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
