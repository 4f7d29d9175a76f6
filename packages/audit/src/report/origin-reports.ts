// Makes the report of one origin: the intervals of its robots.txt and their effects in this log.
import { dayLevel, hourLevel } from "../count/keys.ts";
import { policyNames, unavailableVersion } from "../history/types.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { ZoneClock } from "./clock.ts";
import { newestIntervalOf } from "./crawler-rows.ts";
import { type FileContext, fileLinesOf } from "./file-lines.ts";
import { boundMarkOf, mayBeAccused } from "./finding-words.ts";
import { classNameOf, isSuccessfulFetch, methodNumberOf } from "../states/states.ts";
import { leastOf, secondsPerDay, secondsPerHour, secondsPerQuarter } from "../time.ts";
import { daysInForce, filesOf, versionsOf } from "./in-force.ts";
import type { IntervalRow, IntervalUse, OriginReport } from "./types.ts";

type Files = AuditDocument["files"];

/** The report of an origin. */
export function originReportOf(origin: DocumentOrigin, context: FileContext, clock: ZoneClock): OriginReport {
  const { files, lint } = context.document;
  const newest = newestIntervalOf(origin);
  const version = origin.intervals[newest]?.version;
  const text = textOf(files, version);
  return {
    origin: origin.origin,
    isSampled: context.isSampled,
    isKnown: origin.isKnown,
    requests: sumOf(origin.times.map(([, , , , , requests]) => requests)),
    ...violationsOf(origin, context.document),
    undecidable: sumOf(
      origin.times.map(([, , , state, , requests]) => (state.startsWith("undecidable:") ? requests : 0)),
    ),
    intervals: intervalRowsOf(origin, context.document, clock),
    outages: origin.outages,
    statuses: statusesOf(origin),
    lines: text === undefined ? [] : fileLinesOf(origin, newest, text, context),
    linesFrom: origin.intervals[newest]?.from ?? null,
    lint: version !== undefined && Object.hasOwn(lint, version) ? lint[version]! : [],
  };
}

function textOf(files: Files, version: string | undefined): string | undefined {
  return version !== undefined && Object.hasOwn(files, version) ? files[version] : undefined;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The undisputed violations by crawlers that a sentence may accuse. */
function violationsOf(origin: DocumentOrigin, { crawlers }: AuditDocument): Pick<OriginReport, "proven" | "assumed"> {
  const known = new Map(crawlers.map((crawler) => [crawler.productToken, crawler]));
  const sums = { proven: 0, assumed: 0 };
  for (const [, , crawler, verification, state, , proven, disputed, , requests] of origin.decisions) {
    if (state !== "violation" || disputed || !mayBeAccused(known.get(crawler), verification)) continue;
    sums[proven ? "proven" : "assumed"] += requests;
  }
  return sums;
}

function statusesOf(origin: DocumentOrigin): OriginReport["statuses"] {
  const sums = new Map<number, number>();
  for (const [, , , , status, requests] of origin.fetches) sums.set(status, (sums.get(status) ?? 0) + requests);
  return [...sums].toSorted(([one], [other]) => one - other).map(([status, requests]) => ({ status, requests }));
}

function intervalRowsOf(origin: DocumentOrigin, document: AuditDocument, clock: ZoneClock): readonly IntervalRow[] {
  const { files, period } = document;
  const uses = usesOf(origin, document, clock);
  const [starts, versions] = [filesOf(origin), versionsOf(origin)];
  return origin.intervals.map(({ version, from, fromLatest, seen }, at) => {
    const file = starts[at]!;
    const before = starts.slice(0, at).findLast((each) => each >= 0);
    const own = origin.decisions.filter(([interval]) => interval === at);
    const sumWhere = (isCounted: (state: string, direction: string) => boolean): number =>
      sumOf(own.map(([, , , , state, direction, , , , requests]) => (isCounted(state, direction) ? requests : 0)));
    return {
      version,
      number: file < 0 ? 0 : versions.indexOf(version) + 1,
      isMissingForSome: file < 0,
      from,
      fromLatest,
      seen,
      beginsBeforeLog: from === null || (period !== null && from < period.first),
      change:
        file !== at || before === undefined ? undefined : changeOf(files, origin.intervals[before]!.version, version),
      uses: uses.get(at) ?? [],
      requests: sumWhere(() => true),
      disallowed: sumWhere((state) => state === "violation" || state === "not-bound:violation"),
      tightened: sumWhere((state, direction) => state === "grace" && direction === "tightened"),
      loosened: sumWhere((state, direction) => state === "grace" && direction === "loosened"),
    };
  });
}

type Use = Omit<IntervalUse, keyof ActiveDays | "possibleFetch">;

/** The requests, violations and fetches of each crawler during each interval. */
function usesOf(
  origin: DocumentOrigin,
  document: AuditDocument,
  clock: ZoneClock,
): ReadonlyMap<number, readonly IntervalUse[]> {
  const { crawlers } = document;
  const fetches = new Map(
    origin.firstFetches.map(([interval, crawler, verification, time]) => [
      JSON.stringify([interval, crawler, verification]),
      time,
    ]),
  );
  const byToken = new Map(crawlers.map((crawler) => [crawler.productToken, crawler]));
  const byInterval = new Map<number, Map<string, Use>>();
  for (const row of origin.decisions) {
    const [interval, , crawler, verification, state, , proven, disputed, status, requests, first] = row;
    const isCounted = state === "violation" && proven && !disputed && mayBeAccused(byToken.get(crawler), verification);
    const uses = byInterval.get(interval) ?? new Map<string, Use>();
    byInterval.set(interval, uses);
    const key = `${crawler}\n${verification}`;
    const known = uses.get(key);
    uses.set(key, {
      crawler,
      verification,
      requests: (known?.requests ?? 0) + requests,
      served: (known?.served ?? 0) + (classNameOf(status) === "served" ? requests : 0),
      violations: (known?.violations ?? 0) + (isCounted ? requests : 0),
      mark: boundMarkOf(byToken.get(crawler), verification),
      firstRequest: leastOf(known?.firstRequest ?? null, first),
      firstFetch: fetches.get(JSON.stringify([interval, crawler, verification])) ?? null,
    });
  }
  const daysOf = activeDaysOf(origin, document, clock);
  const possibleOf = possibleFetchesOf(origin);
  return new Map(
    [...byInterval].map(([interval, uses]) => [
      interval,
      [...uses.values()]
        .map((use) => ({
          ...use,
          possibleFetch: possibleOf(interval, use.crawler, use.verification),
          ...daysOf(interval, use.crawler, use.verification),
        }))
        .toSorted((one, other) => other.requests - one.requests || (one.crawler < other.crawler ? -1 : 1)),
    ]),
  );
}

/** The largest assumed difference between two clocks. */
const skewSeconds = 5 * 60;

/** The length of the times in `fetches` by the level of folding. */
const bucketSeconds: readonly number[] = [secondsPerQuarter, secondsPerHour, secondsPerDay];

/**
 * Returns a function that finds `IntervalUse.possibleFetch`: a fetch between the last observation of the version before and the first one of
 * the version after may have returned the file.
 */
function possibleFetchesOf({
  intervals,
  fetches,
  folded,
}: DocumentOrigin): (interval: number, crawler: string, verification: string) => number | null {
  const length = bucketSeconds[folded.fetches] ?? Infinity;
  const times = new Map<string, number[]>();
  for (const [time, crawler, verification, method, status] of fetches) {
    if (!isSuccessfulFetch(methodNumberOf(method), status)) continue;
    const key = `${crawler}\n${verification}`;
    const own = times.get(key) ?? [];
    times.set(key, own);
    own.push(time ?? -Infinity);
  }
  for (const own of times.values()) own.sort((one, other) => one - other);
  return (interval, crawler, verification) => {
    const from = intervals.slice(0, interval).reduce((most, { seen }) => Math.max(most, seen ?? -Infinity), -Infinity);
    const { from: next, fromLatest = next } = intervals[interval + 1] ?? { from: null };
    const own = times.get(`${crawler}\n${verification}`) ?? [];
    const isIn = (time: number): boolean =>
      time === -Infinity || (time + length > from - skewSeconds && time <= (fromLatest ?? Infinity) + skewSeconds);
    return own.find(isIn) ?? null;
  };
}

type ActiveDays = Pick<IntervalUse, "days" | "perDay" | "pageDays" | "fetchDays">;

const unknownDays: ActiveDays = { days: null, perDay: null, pageDays: null, fetchDays: null };

/**
 * Returns a function that counts, for an interval and a crawler with its verification, the days on which the interval's version was in
 * force, the requests for pages on these days, and the days with such requests and with a fetch of robots.txt.
 */
function activeDaysOf(
  origin: DocumentOrigin,
  { crawlers, period }: AuditDocument,
  clock: ZoneClock,
): (interval: number, crawler: string, verification: string) => ActiveDays {
  // In a zone whose days begin within an hour of UTC, hours do not tell the days.
  const level = Math.max(origin.folded.times, origin.folded.fetches);
  if (level >= dayLevel || (level === hourLevel && clock.splitsHours(period))) return () => unknownDays;
  const byPolicy = new Map(policyNames.map((policy) => [policy, daysInForce(origin, policy, period, clock)]));
  const inForce = new Map(
    crawlers.map(({ productToken, accessPolicy }) => [productToken, byPolicy.get(accessPolicy)!]),
  );
  const pages = new Map<string, Map<number, number>>();
  const fetched = new Map<string, Map<number, number>>();
  type Counts = Map<string, Map<number, number>>;
  const add = (counts: Counts, time: number | null, crawler: string, verification: string, requests: number): void => {
    if (time === null) return;
    const day = clock.dayOf(time);
    const key = `${inForce.get(crawler)!.intervalOn(day)}\n${crawler}\n${verification}`;
    const own = counts.get(key) ?? new Map<number, number>();
    counts.set(key, own.set(day, (own.get(day) ?? 0) + requests));
  };
  for (const [time, crawler, verification, state, , requests] of origin.times) {
    if (state !== "robots-txt") add(pages, time, crawler, verification, requests);
  }
  for (const [time, crawler, verification, method, status, requests] of origin.fetches) {
    if (isSuccessfulFetch(methodNumberOf(method), status)) add(fetched, time, crawler, verification, requests);
  }
  return (interval, crawler, verification) => {
    const key = `${interval}\n${crawler}\n${verification}`;
    const days = inForce.get(crawler)!.daysOf(interval);
    const own = pages.get(key) ?? new Map<number, number>();
    const fetchDays = fetched.get(key);
    return {
      days,
      perDay: days === 0 ? null : sumOf([...own.values()]) / days,
      pageDays: own.size,
      fetchDays: [...own.keys()].filter((day) => fetchDays?.has(day) === true).length,
    };
  };
}

/** The maximum number of added lines, and of removed lines, that are shown for a change. */
const maxChangedLines = 100;

/** The added and the removed lines, regardless of their positions; undefined if a text is missing. */
function changeOf(files: Files, before: string, after: string): IntervalRow["change"] {
  const one = before === unavailableVersion ? "" : textOf(files, before);
  const other = after === unavailableVersion ? "" : textOf(files, after);
  if (one === undefined || other === undefined) return undefined;
  const [oldLines, newLines] = [linesOf(one), linesOf(other)];
  const [oldSet, newSet] = [new Set(oldLines), new Set(newLines)];
  return {
    added: newLines.filter((line) => !oldSet.has(line)).slice(0, maxChangedLines),
    removed: oldLines.filter((line) => !newSet.has(line)).slice(0, maxChangedLines),
  };
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
