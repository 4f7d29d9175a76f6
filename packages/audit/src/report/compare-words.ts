// Makes the texts about one crawler in two audits.
import { boundMarkOf, mayBeAccused } from "./finding-words.ts";
import { countTextOf, dash, shareTextOf } from "./numbers.ts";
import type { ComparisonRow, ComparisonSide } from "./compare-types.ts";

/** The minimum number of requests in each of two audits for which a change is shown as a share. */
const leastForChange = 50;

/** The average number of requests per day, such as "104" or "0.3"; a dash if the crawler sent no request. */
export function perDayTextOf(side: ComparisonSide | null): string {
  if (side === null) return dash;
  return side.perDay >= 10 ? countTextOf(side.perDay) : side.perDay.toFixed(1);
}

/**
 * The change of the requests per day: "new", "gone", "+12 %", or "× 12" for a factor of ten or more. A dash if one audit has fewer than 50
 * requests, or if nothing changed.
 */
export function changeTextOf({ before, now }: ComparisonRow): string {
  if (before === null) return "new";
  if (now === null) return "gone";
  if (Math.min(before.requests, now.requests) < leastForChange || before.perDay === now.perDay) return dash;
  const isMore = now.perDay > before.perDay;
  const ratio = now.perDay / before.perDay;
  if (ratio >= 10) return `× ${countTextOf(ratio)}`;
  return `${isMore ? "+" : "−"}${shareTextOf(Math.abs(now.perDay - before.perDay), before.perDay)}`;
}

/**
 * The proven violations and the judged requests of one side of a row, such as "41 of 3,110"; "41 of 3,110 would be" for a crawler that no
 * sentence may accuse. A dash without judged requests, and for requests with a false identity, which are not the crawler's.
 */
export function violationsTextOf({ crawler, verification }: ComparisonRow, side: ComparisonSide | null): string {
  if (side === null || side.proven.judged === 0 || verification === "false") return dash;
  const text = `${countTextOf(side.proven.violations)} of ${countTextOf(side.proven.judged)}`;
  return mayBeAccused(crawler, verification) ? text : `${text} would be`;
}

/** What is not known about the crawler of a row with violations: see `boundMarkOf`. */
export function comparisonMarkOf({ crawler, verification, before, now }: ComparisonRow): string {
  const has = [before, now].some((side) => side !== null && side.proven.violations > 0);
  return has ? boundMarkOf(crawler, verification) : "";
}
