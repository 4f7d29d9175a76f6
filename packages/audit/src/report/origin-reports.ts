// One origin of a document in, what its robots.txt was and did in this log out.
import { unavailableVersion } from "../history/types.ts";
import type { DocumentOrigin } from "../document/types.ts";
import { fileLinesOf } from "./file-lines.ts";
import type { IntervalRow, IntervalUse, OriginReport } from "./types.ts";
import { leastOf } from "./violation-rows.ts";

type Files = Readonly<Record<string, string>>;

/** The report of an origin. */
export function originReportOf(origin: DocumentOrigin, files: Files, controlTokens: readonly string[]): OriginReport {
  const newest = origin.decisions.reduce((most, [interval]) => Math.max(most, interval), -1);
  const text = textOf(files, origin.intervals[newest]?.version);
  return {
    origin: origin.origin,
    isKnown: origin.isKnown,
    requests: sumOf(origin.times.map(([, , , , , requests]) => requests)),
    violations: sumOf(origin.times.map(([, , , state, , requests]) => (state === "violation" ? requests : 0))),
    intervals: intervalRowsOf(origin, files),
    outages: origin.outages,
    statuses: statusesOf(origin),
    lines: text === undefined ? [] : fileLinesOf(origin, newest, text, controlTokens),
    linesFrom: origin.intervals[newest]?.from ?? null,
  };
}

function textOf(files: Files, version: string | undefined): string | undefined {
  return version !== undefined && Object.hasOwn(files, version) ? files[version] : undefined;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function statusesOf(origin: DocumentOrigin): OriginReport["statuses"] {
  const sums = new Map<number, number>();
  for (const [, , , , status, requests] of origin.fetches) sums.set(status, (sums.get(status) ?? 0) + requests);
  return [...sums].toSorted(([one], [other]) => one - other).map(([status, requests]) => ({ status, requests }));
}

function intervalRowsOf(origin: DocumentOrigin, files: Files): readonly IntervalRow[] {
  const uses = usesOf(origin);
  return origin.intervals.map(({ version, from, seen }, at) => ({
    version,
    from,
    seen,
    change: at === 0 ? undefined : changeOf(files, origin.intervals[at - 1]!.version, version),
    uses: uses.get(at) ?? [],
  }));
}

/** What each crawler did during each interval. */
function usesOf(origin: DocumentOrigin): ReadonlyMap<number, readonly IntervalUse[]> {
  const fetches = new Map(
    origin.firstFetches.map(([interval, crawler, verification, time]) => [
      JSON.stringify([interval, crawler, verification]),
      time,
    ]),
  );
  const byInterval = new Map<number, Map<string, IntervalUse>>();
  for (const row of origin.decisions) {
    const [interval, , crawler, verification, state, , , , served, requests, first] = row;
    const uses = byInterval.get(interval) ?? new Map<string, IntervalUse>();
    byInterval.set(interval, uses);
    const key = `${crawler}\n${verification}`;
    const known = uses.get(key);
    uses.set(key, {
      crawler,
      verification,
      requests: (known?.requests ?? 0) + requests,
      served: (known?.served ?? 0) + (served === "served" ? requests : 0),
      violations: (known?.violations ?? 0) + (state === "violation" ? requests : 0),
      firstRequest: leastOf(known?.firstRequest ?? null, first),
      firstFetch: fetches.get(JSON.stringify([interval, crawler, verification])) ?? null,
    });
  }
  return new Map(
    [...byInterval].map(([interval, uses]) => [
      interval,
      [...uses.values()].toSorted(
        (one, other) => other.requests - one.requests || (one.crawler < other.crawler ? -1 : 1),
      ),
    ]),
  );
}

/** Most lines of a change that are shown. */
const maxChangedLines = 100;

/** Lines that came and went, without regard to their place. */
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
