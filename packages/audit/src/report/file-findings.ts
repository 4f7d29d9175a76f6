// Makes the findings about a robots.txt: that it was unreachable, or that the sizes of its answers changed for good.
import { tableRowsOf } from "../document/table-rows.ts";
import type { Row } from "../document/tables.ts";
import type { DocumentOrigin } from "../document/types.ts";
import { type FindingsInput, type Keyed, finding } from "./finding.ts";
import { outagesDuring, versionsOf } from "./in-force.ts";
import { amountOf, bytesTextOf, durationTextOf } from "./numbers.ts";
import { type SentencePart, placeOf, reasonsOf } from "./words.ts";

export function outageFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const during = outagesDuring(origin, input.document.period);
  if (during.length === 0) return [];
  let lost = 0;
  for (const [, , , state, , requests] of tableRowsOf(origin, "times")) {
    if (state === "undecidable:outage") lost += requests;
  }
  const seconds = during.reduce((sum, { from, seen, end }) => sum + (end ?? seen) - from, 0);
  const days = input.dayText(during[0]!);
  const { reasons, remedy } = reasonsOf(during, input.advice);
  const sentence: SentencePart[] = [
    "robots.txt",
    placeOf(input.origins, origin),
    during.length === 1 ? ` was unreachable from ${days}` : ` was unreachable ${during.length} times from ${days}`,
    reasons,
    lost > 0
      ? `; ${amountOf(lost, "request")} of that time cannot be judged`
      : "; requests of that time are judged by the last copy before it",
    remedy,
  ];
  return [
    finding(
      "outage",
      "warning",
      "files",
      lost,
      [origin.origin],
      sentence,
      seconds === 0 ? "?" : durationTextOf(seconds),
    ),
  ];
}

export function sizeFindings(input: FindingsInput, origin: DocumentOrigin): readonly Keyed[] {
  const shift = versionsOf(origin).length === 1 ? sizeShiftOf(origin.sizes) : undefined;
  if (shift === undefined) return [];
  const range = ([least, most]: readonly [number, number]): string =>
    least === most ? bytesTextOf(least) : `${bytesTextOf(least)} to ${bytesTextOf(most)}`;
  const sentence: SentencePart[] = [
    "robots.txt",
    placeOf(input.origins, origin),
    ` may have changed on ${input.dayText(shift.atSeconds)}: its answers had `,
    `${range(shift.before)} until then and ${range(shift.after)} since, but only one version is known`,
  ];
  return [finding("file-may-have-changed", "warning", "files", 0, [origin.origin], sentence, "?")];
}

/** A lasting change of sizes, in bytes. */
interface SizeShift {
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
