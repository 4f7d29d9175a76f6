// Converts seconds since 1970 to calendar days and to RFC 3339 texts in UTC. Reads no clock.

export const secondsPerMinute = 60;
export const secondsPerQuarter = 900;
export const secondsPerHour = 3_600;
export const secondsPerDay = 86_400;

/** A day of the Gregorian calendar. */
interface CalendarDay {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  /** From 1. */
  readonly day: number;
}

const daysPerEra = 146_097;
/** Days from 0000-03-01, the beginning of an era of 400 years, to 1970-01-01. */
const epochInEras = 719_468;

/**
 * The calendar day `days` days after 1970-01-01. The computation uses years that begin in March, so that a leap day is the last day of its
 * year.
 */
export function calendarDayOf(days: number): CalendarDay {
  const shifted = days + epochInEras;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** The English name of a month, from 1. */
function monthNameOf(month: number): string {
  return monthNames[month - 1] ?? "";
}

const two = (number: number): string => String(number).padStart(2, "0");

/** The day `days` days after 1970-01-01, such as "2026-11-13". */
export function isoDayOf(days: number): string {
  const { year, month, day } = calendarDayOf(days);
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/** The time of day of an instant in UTC, such as "09:14". */
function clockOf(atSeconds: number): string {
  const second = ((atSeconds % secondsPerDay) + secondsPerDay) % secondsPerDay;
  return `${two(Math.floor(second / secondsPerHour))}:${two(Math.floor(second / secondsPerMinute) % 60)}`;
}

/** An instant in UTC, such as "2026-11-13T09:14:00Z". */
export function isoOf(atSeconds: number): string {
  const seconds = ((atSeconds % secondsPerMinute) + secondsPerMinute) % secondsPerMinute;
  return `${isoDayOf(Math.floor(atSeconds / secondsPerDay))}T${clockOf(atSeconds)}:${two(seconds)}Z`;
}

/** The day `days` days after 1970-01-01, such as "13 November", or "13 November 2026" with its year. */
export function dayTextOf(days: number, withYear: boolean): string {
  const { year, month, day } = calendarDayOf(days);
  return `${day} ${monthNameOf(month)}${withYear ? ` ${year}` : ""}`;
}

/** The period from one day to another, such as "1 to 30 November 2026". A month or year that both days share is written once. */
export function periodTextOf(firstDay: number, lastDay: number): string {
  const first = calendarDayOf(firstDay);
  const last = calendarDayOf(lastDay);
  const whole = dayTextOf(lastDay, true);
  if (firstDay === lastDay) return whole;
  if (first.year !== last.year) return `${dayTextOf(firstDay, true)} to ${whole}`;
  if (first.month !== last.month) return `${dayTextOf(firstDay, false)} to ${whole}`;
  return `${first.day} to ${whole}`;
}

/** The earlier of two instants. If one is null, the other instant. */
export function leastOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The later of two instants. If one is null, the other instant. */
export function mostOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
