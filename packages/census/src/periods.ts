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
  const name = String(year).padStart(4, "0");
  if (kind === "year") return name;
  return kind === "quarter" ? `${name}-Q${Math.ceil(month / 3)}` : `${name}-${String(month).padStart(2, "0")}`;
}

/** The period after another. */
export function nextPeriod(period: string): string {
  const [, year = "", mark = "", part = ""] = /^(\d+)(-Q|-)?(\d+)?$/.exec(period) ?? [];
  const isLast = part === { "-Q": "4", "-": "12", "": "" }[mark];
  const next = isLast ? 1 : Number(part) + 1;
  const name = String(Number(year) + (isLast ? 1 : 0)).padStart(4, "0");
  return mark === "" ? name : `${name}${mark}${String(next).padStart(part.length, "0")}`;
}

/** The periods from the first to the last of some periods. Throws an `AuditError` (`ERR_INVALID_OPTION`) for too many. */
export function periodsFrom(some: Iterable<string>): readonly string[] {
  const found = [...some].toSorted();
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = [first];
  for (let next = first; next < last; all.push(next)) {
    next = nextPeriod(next);
    if (all.length < mostPeriods) continue;
    throw new AuditError("ERR_INVALID_OPTION", `there are more than ${mostPeriods} periods from ${first} to ${last}`);
  }
  return all;
}
