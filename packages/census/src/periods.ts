// Names the months, quarters and years of times in UTC.
import { AuditError } from "@robots-stream/audit";
import { calendarDayOf } from "@robots-stream/audit/internal";

/** The periods by which a census counts. */
export const periodKinds = ["month", "quarter", "year"] as const;
/** A kind of period. */
export type PeriodKind = (typeof periodKinds)[number];

/** Matches the name of a period, and the empty name of the only period of a census without periods. */
export const periodPattern: RegExp = /^(?:\d{4}(?:-Q[1-4]|-(?:0[1-9]|1[0-2]))?)?$/;

const secondsPerDay = 86_400;
/** The maximum number of periods between the first and the last capture. */
const mostPeriods = 2_400;

/** The period of a time in seconds since 1970: "2024-03", "2024-Q1" or "2024". The names of one kind sort like the times, up to the year 9999. */
export function periodOf(seconds: number, kind: PeriodKind): string {
  const { year, month } = calendarDayOf(Math.floor(seconds / secondsPerDay));
  return periodIn(year * 12 + month - 1, kind);
}

/** The period of a month, counted from the year 0. */
function periodIn(months: number, kind: PeriodKind): string {
  const [year, month] = [String(Math.floor(months / 12)).padStart(4, "0"), months % 12];
  if (kind === "year") return year;
  return `${year}-${kind === "quarter" ? `Q${Math.floor(month / 3) + 1}` : String(month + 1).padStart(2, "0")}`;
}

/** The periods of one kind from the first to the last of some. Throws an `AuditError` (`ERR_INVALID_OPTION`) for too many. */
export function periodsFrom(some: Iterable<string>): readonly string[] {
  const found = [...some].toSorted();
  const [first = "", last = ""] = [found[0], found.at(-1)];
  if (first === last) return found.slice(0, 1);
  const kind = first.includes("Q") ? "quarter" : first.includes("-") ? "month" : "year";
  const all = new Set([first]);
  for (let months = Number(first.slice(0, 4)) * 12; !all.has(last); months++) {
    if (periodIn(months, kind) > first) all.add(periodIn(months, kind));
    if (all.size <= mostPeriods) continue;
    throw new AuditError("ERR_INVALID_OPTION", `there are more than ${mostPeriods} periods from ${first} to ${last}`);
  }
  return [...all];
}
