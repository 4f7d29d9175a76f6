// Computes the data of a report's plots from the origins of a document.
import { dayLevel } from "../count/keys.ts";
import { tableRowsOf } from "../document/table-rows.ts";
import type { DocumentOrigin } from "../document/types.ts";
import { unavailableVersion } from "../history/types.ts";
import { secondsPerHour } from "../time.ts";
import type { Verification } from "../states/states.ts";
import type { ZoneClock } from "./clock.ts";
import type { DayWords } from "./day-words.ts";
import { filesOf } from "./in-force.ts";
import { durationTextOf } from "./numbers.ts";
import type { Lane, Lanes, PlotEvent } from "./plot-types.ts";

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
