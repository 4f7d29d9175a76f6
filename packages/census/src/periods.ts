// Names the months, quarters and years of times in UTC.
import { calendarDayOf } from "@robots-stream/audit/internal";

/** The periods by which a census counts. */
export const periodKinds = ["month", "quarter", "year"] as const;
/** A kind of period. */
export type PeriodKind = (typeof periodKinds)[number];

const secondsPerDay = 86_400;

/** The period of a time in seconds since 1970: "2024-03", "2024-Q1" or "2024". The names of one kind sort like the times, up to the year 9999. */
export function periodOf(seconds: number, kind: PeriodKind): string {
  const { year, month } = calendarDayOf(Math.floor(seconds / secondsPerDay));
  const name = String(year).padStart(4, "0");
  if (kind === "year") return name;
  return kind === "quarter" ? `${name}-Q${Math.ceil(month / 3)}` : `${name}-${String(month).padStart(2, "0")}`;
}

/** The period after another. */
export function nextPeriod(period: string): string {
  const [year = 0, quarter = 0] = /-Q/.test(period) ? period.split("-Q").map(Number) : [];
  if (quarter > 0) return quarter === 4 ? `${named(year + 1)}-Q1` : `${named(year)}-Q${quarter + 1}`;
  const [ofMonth = 0, month] = period.split("-").map(Number);
  if (month === undefined) return named(ofMonth + 1);
  return month === 12 ? `${named(ofMonth + 1)}-01` : `${named(ofMonth)}-${String(month + 1).padStart(2, "0")}`;
}

function named(year: number): string {
  return String(year).padStart(4, "0");
}
