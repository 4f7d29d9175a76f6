// Makes the report of one origin: the intervals of its robots.txt and their effects in this log.
import type { AuditDocument, DocumentOrigin, LintRow } from "../document/types.ts";
import { unavailableVersion } from "../history.ts";
import type { StatusSum } from "./answers.ts";
import { newestIntervalOf } from "./crawler-rows.ts";
import type { ZoneClock } from "./days.ts";
import { type FileContext, type FileLine, fileLinesOf } from "./file-lines.ts";
import { filesOf, versionsOf } from "./in-force.ts";
import { type IntervalUse, usesOf } from "./interval-uses.ts";
import { mayBeAccused } from "./words.ts";

/** An interval of an origin's robots.txt. */
export interface IntervalRow {
  readonly version: string;
  /** The number of the version, by first appearance: the files A, B, A have the numbers 1, 2, 1. 0 if `isMissingForSome`. */
  readonly number: number;
  /** Whether the interval is an answer that some access policies take for a missing file: a failing server, or a long file. */
  readonly isMissingForSome: boolean;
  readonly from: number | null;
  /** The last possible second of the first observation, if its time is not known to the second. */
  readonly fromLatest: number | undefined;
  readonly seen: number | null;
  /** Whether the log begins later than the interval, so that earlier fetches may be missing. */
  readonly beginsBeforeLog: boolean;
  /** The lines that were added and removed since the previous interval; undefined if a text is missing. */
  readonly change: { readonly added: readonly string[]; readonly removed: readonly string[] } | undefined;
  readonly uses: readonly IntervalUse[];
  /** The number of judged requests for which the interval's file was the newest file that the crawler may have used. */
  readonly requests: number;
  /** The number of requests of any crawler that the file and all older files of the window disallow, proven or assumed. */
  readonly disallowed: number;
  /** The number of requests in grace that this file disallows and an older file allows; `loosened` is the reverse. */
  readonly tightened: number;
  readonly loosened: number;
}

/** The report of one origin. */
export interface OriginReport {
  readonly origin: string;
  /** Whether the log is a sample. The order of requests and fetches is then not known. */
  readonly isSampled: boolean;
  readonly isKnown: boolean;
  readonly requests: number;
  /** The number of violations by crawlers that a sentence may accuse, without disputed ones: proven and assumed. */
  readonly proven: number;
  readonly assumed: number;
  readonly undecidable: number;
  readonly intervals: readonly IntervalRow[];
  readonly outages: readonly { readonly from: number; readonly seen: number; readonly end: number | null }[];
  /** The numbers of fetches of /robots.txt, by status. */
  readonly statuses: readonly StatusSum[];
  /** The newest file that decided a request, line by line; empty if its text is missing. */
  readonly lines: readonly FileLine[];
  readonly linesFrom: number | null;
  /** The linter's findings in the file that `lines` shows. */
  readonly lint: readonly LintRow[];
}

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
