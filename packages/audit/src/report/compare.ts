// Computes the changes from an earlier document to a later one.
import { foldedName } from "../count/names.ts";
import type { AuditDocument } from "../document/types.ts";
import type { ZoneClock } from "./clock.ts";
import { crawlerRowsOf } from "./crawler-rows.ts";
import { periodTextOf } from "../time.ts";
import type { CrawlerRow } from "./types.ts";
import type { Comparison, ComparisonRow, ComparisonSide } from "./compare-types.ts";

/**
 * Compares `now`, the crawler rows of `document`, with the crawlers of the earlier document `previous`. Requests are compared as averages
 * per day, because periods differ.
 */
export function comparisonOf(
  previous: AuditDocument,
  document: AuditDocument,
  now: readonly CrawlerRow[],
  clock: ZoneClock,
): Comparison {
  const before = crawlerRowsOf(previous, previous.origins, clock);
  const [daysBefore, daysNow] = [daysOf(previous, clock), daysOf(document, clock)];
  const rows = new Map<string, ComparisonRow>();
  for (const row of now) {
    rows.set(keyOf(row), {
      crawler: row.crawler,
      verification: row.verification,
      before: null,
      now: sideOf(row, daysNow),
    });
  }
  for (const row of before) {
    const known = rows.get(keyOf(row));
    rows.set(keyOf(row), {
      crawler: row.crawler,
      verification: row.verification,
      before: sideOf(row, daysBefore),
      now: known?.now ?? null,
    });
  }
  const { period } = previous;
  return {
    period: period === null ? "" : periodTextOf(clock.dayOf(period.first), clock.dayOf(period.last)),
    rows: [...rows.values()].toSorted(
      (one, other) => requestsOf(other) - requestsOf(one) || (keyOf(one) < keyOf(other) ? -1 : 1),
    ),
    notes: [
      ...settingNames.flatMap(([name, words]) =>
        previous.settings[name] === document.settings[name] ? [] : [`The earlier audit was made with ${words}.`],
      ),
      ...(namesOf(previous) !== namesOf(document) ? ["The two audits are not of the same origins."] : []),
      ...(rateOf(previous) === rateOf(document) ? [] : ["The two logs are samples of different rates."]),
    ],
  };
}

const settingNames = [
  ["registry", "another registry of crawlers"],
  ["history", "other robots.txt files"],
  ["ranges", "other lists of addresses"],
  ["dialect", "another dialect"],
] as const;

function keyOf({ crawler, verification }: Pick<ComparisonRow, "crawler" | "verification">): string {
  return `${crawler.productToken}\n${verification}`;
}

function sideOf({ requests, proven }: CrawlerRow, days: number): ComparisonSide {
  return { requests, perDay: requests / days, proven };
}

function requestsOf({ before, now }: ComparisonRow): number {
  return Math.max(before?.perDay ?? 0, now?.perDay ?? 0);
}

/** The number of calendar days from the first to the last line; 1 if no line has a time. */
function daysOf({ period }: AuditDocument, clock: ZoneClock): number {
  return period === null ? 1 : clock.dayOf(period.last) - clock.dayOf(period.first) + 1;
}

/** The names of the origins, without "" and `…`. */
function namesOf({ origins }: AuditDocument): string {
  return origins
    .map(({ origin }) => origin)
    .filter((origin) => origin !== "" && origin !== foldedName)
    .join("\n");
}

function rateOf({ inputs }: AuditDocument): number {
  return inputs.reduce((least, { sampleRate }) => Math.min(least, sampleRate), 1);
}
