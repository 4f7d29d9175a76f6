// Chooses the days that the plots of a report show: few requests long before or after all others would squeeze the axis.
import { tableRowsOf } from "../document/table-rows.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import { periodTextOf, secondsPerQuarter } from "../time.ts";
import type { ZoneClock } from "./days.ts";
import { countTextOf } from "./numbers.ts";
import type { Advice } from "./words.ts";

type Period = NonNullable<AuditDocument["period"]>;

/** The period that the plots show, and the number of requests of crawlers with a time outside it. */
export interface PlotPeriod {
  readonly period: Period | null;
  readonly outside: number;
}

/** Days without a request of a crawler after which a new run of days begins. */
const longestGap = 30;
/** The least share of the requests that the shown run of days must have. */
const leastShare = 0.95;

/** Days with requests, none more than `longestGap` days after the one before it. */
interface Run {
  first: number;
  last: number;
  requests: number;
}

/**
 * The period of the log; or, if one run of days has at least 95 % of the requests of crawlers and at most half of the days of the period,
 * this run. A run ends before 30 days without a request of a crawler. The earliest run begins with the period, and the last one ends with it.
 */
export function plotPeriodOf(origins: readonly DocumentOrigin[], period: Period | null, clock: ZoneClock): PlotPeriod {
  if (period === null) return { period, outside: 0 };
  const counts = new Map<number, number>();
  for (const origin of origins) {
    for (const [time, , , , , requests] of tableRowsOf(origin, "times")) {
      if (time === null) continue;
      const day = clock.dayOf(time);
      counts.set(day, (counts.get(day) ?? 0) + requests);
    }
  }
  const runs: Run[] = [];
  for (const [day, requests] of [...counts].toSorted(([one], [other]) => one - other)) {
    const run = runs.at(-1);
    if (run === undefined || day - run.last - 1 >= longestGap) runs.push({ first: day, last: day, requests });
    else {
      run.last = day;
      run.requests += requests;
    }
  }
  const total = runs.reduce((sum, { requests }) => sum + requests, 0);
  const dense = runs.findIndex(({ requests }) => requests >= total * leastShare);
  const days = clock.dayOf(period.last) - clock.dayOf(period.first) + 1;
  const run = runs[dense];
  if (run === undefined || runs.length === 1 || (run.last - run.first + 1) * 2 > days) return { period, outside: 0 };
  const shown = {
    first: dense === 0 ? period.first : startOf(run.first, period, clock),
    last: dense === runs.length - 1 ? period.last : startOf(run.last + 1, period, clock) - 1,
  };
  return { period: shown, outside: total - run.requests };
}

/** The first second of a day, which the period contains. Days begin at quarters of hours. */
function startOf(day: number, { first, last }: Period, clock: ZoneClock): number {
  let [least, most] = [Math.floor(first / secondsPerQuarter), Math.ceil(last / secondsPerQuarter)];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (clock.dayOf(middle * secondsPerQuarter) < day) least = middle + 1;
    else most = middle;
  }
  return least * secondsPerQuarter;
}

/** The sentence under a plot about requests that it does not show; "" if it shows all. */
export function plotNoteOf({ period, outside }: PlotPeriod, clock: ZoneClock, { window }: Advice = {}): string {
  if (period === null || outside === 0) return "";
  const days = periodTextOf(clock.dayOf(period.first), clock.dayOf(period.last));
  const are = outside === 1 ? "request of a crawler lies" : "requests of crawlers lie";
  return `Shown is ${days}; ${countTextOf(outside)} ${are} outside${window === undefined ? "" : `, and ${window}`}.`;
}
