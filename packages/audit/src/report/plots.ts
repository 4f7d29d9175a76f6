// Computes the data of a report's plots from the origins of a document: requests by day, events, and the fetches of each crawler.
import { dayLevel, noTimeLevel } from "../count/keys.ts";
import { foldedName } from "../count/names.ts";
import { tableRowsOf } from "../document/table-rows.ts";
import type { Row } from "../document/tables.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import { unavailableVersion } from "../history.ts";
import type { Verification } from "../states/states.ts";
import { secondsPerHour } from "../time.ts";
import type { DayWords, ZoneClock } from "./days.ts";
import { mainPurposeOf } from "./group-rows.ts";
import { filesOf } from "./in-force.ts";
import { durationTextOf } from "./numbers.ts";
import { mayBeAccused } from "./words.ts";

/** Numbers of requests of one day, by name. `day`: days since 1970-01-01, in the report's time zone. */
export type DayCounts<Name extends string> = Readonly<Record<Name, number>> & { readonly day: number };

/** One day of the plot of states. */
export type DayBar = DayCounts<"allowed" | "grace" | "violation" | "notBound" | "undecidable">;

/** The purposes with a colour of their own in the plot of purposes, from the bottom to the top, and all others. */
export const plotPurposes = [
  "search",
  "ai-search",
  "ai-assistant",
  "ai-training",
  "ads",
  "seo",
  "social",
  "other",
] as const;

/** One day of the plot of purposes. */
export type PurposeBar = DayCounts<(typeof plotPurposes)[number]>;

/** An event with a label in a plot. */
export interface PlotEvent {
  readonly atSeconds: number;
  /** Days since 1970-01-01 with their fraction, in the report's time zone. */
  readonly days: number;
  readonly text: string;
}

/** The fetches of one crawler. */
export interface Lane {
  readonly crawler: string;
  readonly verification: Verification;
  /** The hours with a successful fetch, each as its first second. */
  readonly fetches: readonly number[];
}

/** The lanes of one origin, and the bands of its versions and outages. */
export interface Lanes {
  readonly origin: string;
  /** The period that is drawn, in seconds since 1970. Fetches may lie outside it. */
  readonly from: number;
  readonly to: number;
  readonly bands: readonly {
    readonly from: number;
    readonly to: number;
    readonly label: string;
    readonly isOutage: boolean;
  }[];
  readonly lanes: readonly Lane[];
  /** Whether the log is a sample; fetches may then be missing. */
  readonly isSampled: boolean;
}

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

type Period = { readonly first: number; readonly last: number };

/** The changes and outages of the only known origin. With several origins there are no events, because each origin has its own file. */
export function plotEventsOf(
  origins: readonly DocumentOrigin[],
  period: Period | null,
  clock: ZoneClock,
): readonly PlotEvent[] {
  const known = origins.filter(({ isKnown }) => isKnown);
  const only = known[0];
  if (only === undefined || known.length > 1 || period === null) return [];
  const files = filesOf(only);
  const starts = only.intervals.filter((_interval, at) => files[at] === at);
  const changes = starts.slice(1).map(({ from }) => ({ atSeconds: from ?? -1, text: "new file seen" }));
  const outages = only.outages.map(({ from, seen, end }) => ({
    atSeconds: from,
    text: (end ?? seen) > from ? `unreachable for ${durationTextOf((end ?? seen) - from)}` : "unreachable",
  }));
  return [...changes, ...outages]
    .filter(({ atSeconds }) => atSeconds >= period.first && atSeconds <= period.last)
    .toSorted((one, other) => one.atSeconds - other.atSeconds)
    .map((event) => ({ ...event, days: clock.daysOf(event.atSeconds) }));
}

/** The maximum number of crawlers with a lane. */
const maxLanes = 12;

/**
 * The lanes of the origin with the most requests, among the known origins whose fetches keep their hours. Undefined without such an origin,
 * or if the period is shorter than an hour.
 */
export function lanesOf(
  origins: readonly DocumentOrigin[],
  period: Period | null,
  isSampled: boolean,
  dayText: DayWords,
): Lanes | undefined {
  const byRequests = origins
    .filter(({ isKnown, folded }) => isKnown && folded.fetches < dayLevel)
    .map((origin) => ({ origin, requests: requestsTo(origin) }))
    .toSorted((one, other) => other.requests - one.requests || (one.origin.origin < other.origin.origin ? -1 : 1));
  const main = byRequests[0]?.origin;
  if (main === undefined || period === null || period.last - period.first < secondsPerHour) return undefined;
  return {
    origin: main.origin,
    from: period.first,
    to: period.last,
    bands: bandsOf(main, period, dayText),
    lanes: fetchLanesOf(main),
    isSampled,
  };
}

function requestsTo(origin: DocumentOrigin): number {
  let sum = 0;
  for (const [, , , , , requests] of tableRowsOf(origin, "times")) sum += requests;
  return sum;
}

function bandsOf(origin: DocumentOrigin, { first, last }: Period, dayText: DayWords): Lanes["bands"] {
  const files = filesOf(origin);
  const starts = origin.intervals.filter((_interval, at) => files[at] === at);
  const versions = starts.map(({ version, from, fromLatest }, at) => ({
    from: at === 0 ? first : Math.max(first, from ?? first),
    to: Math.min(last, starts[at + 1]?.from ?? last),
    label:
      from === null
        ? "file without a date"
        : `${version === unavailableVersion ? "no file from" : "file of"} ${dayText({ from, fromLatest })}`,
    isOutage: false,
  }));
  const outages = origin.outages.map(({ from, seen, end }) => ({
    from: Math.max(first, from),
    to: Math.min(last, end ?? seen),
    label: "unreachable",
    isOutage: true,
  }));
  return [...versions, ...outages].filter(({ from, to }) => from < to);
}

function fetchLanesOf(origin: DocumentOrigin): readonly Lane[] {
  const requests = new Map<string, number>();
  for (const [, crawler, verification, , , count] of origin.times) {
    const key = `${crawler}\n${verification}`;
    requests.set(key, (requests.get(key) ?? 0) + count);
  }
  const fetches = new Map<string, Set<number>>();
  for (const [time, crawler, verification, method, status] of origin.fetches) {
    const key = `${crawler}\n${verification}`;
    const own = fetches.get(key) ?? new Set<number>();
    fetches.set(key, own);
    if (time !== null && method === "GET" && (status === 200 || status === 304))
      own.add(time - (time % secondsPerHour));
  }
  return [...requests]
    .toSorted(([oneKey, one], [otherKey, other]) => other - one || (oneKey < otherKey ? -1 : 1))
    .slice(0, maxLanes)
    .map(([key]) => {
      const [crawler = "", verification = ""] = key.split("\n");
      const hours = [...(fetches.get(key) ?? [])].toSorted((one, other) => one - other);
      return { crawler, verification: verification as Verification, fetches: hours };
    });
}
