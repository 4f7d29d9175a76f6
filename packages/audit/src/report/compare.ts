// Computes the changes from an earlier document to a later one, and makes the texts about one crawler in two audits.
import { foldedName } from "../count/names.ts";
import type { AuditDocument } from "../document/types.ts";
import type { AuditCrawler } from "../states/judge.ts";
import type { Verification } from "../states/states.ts";
import { periodTextOf } from "../time.ts";
import { type CrawlerRow, type Judged, crawlerRowsOf } from "./crawler-rows.ts";
import type { ZoneClock } from "./days.ts";
import { countTextOf, dash, shareTextOf } from "./numbers.ts";
import { boundMarkOf, mayBeAccused } from "./words.ts";

/** One crawler in one of the two audits. */
export interface ComparisonSide {
  readonly requests: number;
  /** The average number of requests on a calendar day of the period. */
  readonly perDay: number;
  readonly proven: Judged;
}

/** One crawler with one verification in both audits. `before` or `now` is null if that audit has no request of the crawler. */
export interface ComparisonRow {
  readonly crawler: AuditCrawler;
  readonly verification: Verification;
  readonly before: ComparisonSide | null;
  readonly now: ComparisonSide | null;
}

/** The changes since an earlier audit. */
export interface Comparison {
  /** The period of the earlier audit; empty if no request has a time. */
  readonly period: string;
  readonly rows: readonly ComparisonRow[];
  /** Differences that make the two audits hard to compare, a sentence for each. */
  readonly notes: readonly string[];
}

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

/** The minimum number of requests in each of two audits for which a change is shown as a share. */
const leastForChange = 50;

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
