// Computes the numbers of requests by day for the plots of a report.
import { noTimeLevel } from "../count/keys.ts";
import { foldedName } from "../count/names.ts";
import { tableRowsOf } from "../document/table-rows.ts";
import type { Row } from "../document/tables.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { ZoneClock } from "./clock.ts";
import { mayBeAccused } from "./finding-words.ts";
import { mainPurposeOf } from "./group-rows.ts";
import { type DayBar, type DayCounts, type PurposeBar, plotPurposes } from "./plot-types.ts";

/**
 * Requests of crawlers by day and name, without gaps: days without requests are included. `nameOf` returns the name under which the
 * requests of a row count; undefined for requests that are not included. Nor are requests without a time. Empty if no line has a time, if
 * an origin other than `…` has lost its times by folding, or if the period is longer than ten years.
 */
function countsByDay<Name extends string>(
  origins: readonly DocumentOrigin[],
  { period }: Pick<AuditDocument, "period">,
  clock: ZoneClock,
  names: readonly Name[],
  nameOf: (row: Row<"times">) => Name | undefined,
): readonly DayCounts<Name>[] {
  if (period === null || origins.some(({ origin, folded }) => origin !== foldedName && folded.times >= noTimeLevel))
    return [];
  const [firstDay, lastDay] = [clock.dayOf(period.first), clock.dayOf(period.last)];
  // A period longer than ten years comes from lines with a wrong time; the plot would consist of empty bars.
  if (lastDay - firstDay > 3_700) return [];
  const none = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const bars = Array.from(
    { length: lastDay - firstDay + 1 },
    (_, at): { day: number; counts: Record<Name, number> } => ({
      day: firstDay + at,
      counts: { ...none },
    }),
  );
  for (const origin of origins) {
    for (const row of tableRowsOf(origin, "times")) {
      const [time, , , , , requests] = row;
      const bar = time === null ? undefined : bars[clock.dayOf(time) - firstDay];
      const name = bar === undefined ? undefined : nameOf(row);
      if (bar !== undefined && name !== undefined) bar.counts[name] += requests;
    }
  }
  return bars.map(({ day, counts }) => ({ day, ...counts }));
}

const states = ["allowed", "grace", "violation", "notBound", "undecidable"] as const;

/** Requests of crawlers by day and state, without fetches of /robots.txt. */
export function dayBarsOf(
  origins: readonly DocumentOrigin[],
  document: Pick<AuditDocument, "period" | "crawlers">,
  clock: ZoneClock,
): readonly DayBar[] {
  const known = new Map(document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  return countsByDay(origins, document, clock, states, ([, crawler, verification, state]) => {
    // The plot shows violations in red, so it counts only violations by crawlers that a sentence may accuse.
    if (state === "violation") return mayBeAccused(known.get(crawler), verification) ? state : "notBound";
    if (state === "allowed" || state === "grace") return state;
    if (state.startsWith("not-bound:")) return "notBound";
    return state.startsWith("undecidable:") ? "undecidable" : undefined;
  });
}

/** Requests of crawlers by day and main purpose, fetches of /robots.txt included, without those whose identity is false. */
export function purposeBarsOf(
  origins: readonly DocumentOrigin[],
  document: Pick<AuditDocument, "period" | "crawlers">,
  clock: ZoneClock,
): readonly PurposeBar[] {
  const purposeOf = new Map(document.crawlers.map((crawler) => [crawler.productToken, mainPurposeOf(crawler)]));
  return countsByDay(origins, document, clock, plotPurposes, ([, crawler, verification]) => {
    if (verification === "false") return undefined;
    const purpose = purposeOf.get(crawler);
    return plotPurposes.find((name) => name === purpose) ?? "other";
  });
}
