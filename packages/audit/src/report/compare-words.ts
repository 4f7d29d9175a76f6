// Makes the texts about one crawler in two audits.
import { countTextOf, shareTextOf } from "./numbers.ts";
import type { ComparisonRow, ComparisonSide } from "./compare-types.ts";

const dash = "–";
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

/** The proven violations and the judged requests, such as "41 of 3,110"; a dash without judged requests. */
export function violationsTextOf(side: ComparisonSide | null): string {
  if (side === null || side.proven.judged === 0) return dash;
  return `${countTextOf(side.proven.violations)} of ${countTextOf(side.proven.judged)}`;
}
