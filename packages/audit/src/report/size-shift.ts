// Finds the day on which the sizes of the answers to GET /robots.txt changed for good.
import type { Row } from "../document/tables.ts";

/** A lasting change of sizes, in bytes. */
export interface SizeShift {
  /** The first day of the new sizes, in seconds since 1970. */
  readonly atSeconds: number;
  readonly before: readonly [least: number, most: number];
  readonly after: readonly [least: number, most: number];
}

/** The minimum number of days with an answer before and after a shift. */
const leastDays = 3;

/**
 * The first day that separates the sizes: all sizes before that day are smaller than all sizes from that day on, or all are larger, with at
 * least three days on each side. Undefined without such a day. Sizes that vary from day to day (compression, headers) overlap and are not
 * reported.
 */
export function sizeShiftOf(rows: readonly Row<"sizes">[]): SizeShift | undefined {
  const suffixes: [least: number, most: number][] = [];
  let [least, most] = [Infinity, -Infinity];
  for (const [, , smallest, largest] of rows.toReversed()) {
    least = Math.min(least, smallest);
    most = Math.max(most, largest);
    suffixes.push([least, most]);
  }
  suffixes.reverse();
  [least, most] = [Infinity, -Infinity];
  for (const [at, [, , smallest, largest]] of rows.entries()) {
    const after = suffixes[at]!;
    const isApart = most < after[0] || least > after[1];
    if (at >= leastDays && rows.length - at >= leastDays && isApart) {
      return { atSeconds: rows[at]![0]!, before: [least, most], after };
    }
    least = Math.min(least, smallest);
    most = Math.max(most, largest);
  }
  return undefined;
}
