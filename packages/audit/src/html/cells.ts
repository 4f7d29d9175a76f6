// Formats what cells of several tables have in common.
import { countTextOf } from "../report/numbers.ts";

/** The cell without a value. */
export const dash = "–";

/** The minimum number of requests or visits for which a rate is shown. */
export const leastForRate = 50;

/** A number; a dash for none. */
export function orDash(count: number | null): string {
  return count === null || count === 0 ? dash : countTextOf(count);
}
