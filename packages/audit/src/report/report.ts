// Makes the report of a document: every number that the text and the page show.
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import { AuditError, checkHas } from "../errors.ts";
import { periodTextOf } from "../time.ts";
import { type Comparison, comparisonOf } from "./compare.ts";
import { type CrawlerRow, crawlerRowsOf } from "./crawler-rows.ts";
import { createZoneClock, dayWordsOf } from "./days.ts";
import type { AuditFinding } from "./finding.ts";
import { findingsOf } from "./findings.ts";
import { type GroupRow, type OperatorRow, operatorRowsOf, purposeRowsOf } from "./group-rows.ts";
import { judgedByOf, methodOf, sampleTextOf, timesTextOf } from "./head.ts";
import { type MismatchRow, mismatchRowsOf } from "./mismatches.ts";
import { countTextOf } from "./numbers.ts";
import { type OriginReport, originReportOf } from "./origin-reports.ts";
import { type PlotPeriod, plotNoteOf, plotPeriodOf } from "./plot-period.ts";
import {
  type DayBar,
  type Lanes,
  type PlotEvent,
  type PurposeBar,
  dayBarsOf,
  lanesOf,
  plotEventsOf,
  purposeBarsOf,
} from "./plots.ts";
import {
  type FlipRow,
  type MissRow,
  type ViolationRow,
  type WasteRow,
  type WasteSum,
  flipRowsOf,
  missRowsOf,
  violationRowsOf,
  wasteRowsOf,
  wasteSumOf,
} from "./violation-rows.ts";
import { type Advice, shownOriginOf } from "./words.ts";

/** A report. */
export interface AuditReport {
  readonly title: string;
  readonly timeZone: string;
  /** The period of the log, such as "1 to 30 November 2026"; empty if no request has a time. */
  readonly period: string;
  readonly lines: number;
  readonly requests: number;
  readonly crawlerRequests: number;
  readonly crawlers: number;
  readonly origins: number;
  /** Sentences about the files by which requests were judged. */
  readonly judgedBy: string;
  readonly isSampled: boolean;
  /** Sentences about requests without a time, and about times whose zone is not known; empty if there are none. */
  readonly times: string;
  /** A sentence about a log that is a sample; empty for a complete log. */
  readonly sample: string;
  readonly comparison: Comparison | undefined;
  readonly findings: readonly AuditFinding[];
  readonly crawlerRows: readonly CrawlerRow[];
  /** What changes if a site refuses a crawler, in one sentence, by product token. */
  readonly ifRefused: ReadonlyMap<string, string>;
  /** The operators whose crawlers came or that sent visits, most requests first. */
  readonly operators: readonly OperatorRow[];
  /** The purposes of the crawlers that came, most requests first. Each crawler counts under its main purpose. */
  readonly purposes: readonly GroupRow[];
  /** A sentence about how the crawlers of a purpose are refused; may be empty. */
  readonly refusing: string;
  readonly violations: readonly ViolationRow[];
  readonly mismatches: readonly MismatchRow[];
  readonly originReports: readonly OriginReport[];
  readonly directories: readonly WasteRow[];
  readonly parameters: readonly WasteRow[];
  readonly waste: WasteSum;
  /** What the server did not serve, by directory and class of answer, most requests first. */
  readonly misses: readonly MissRow[];
  /** Whether a candidate file was given. */
  readonly hasCandidate: boolean;
  readonly flips: readonly FlipRow[];
  /** A sentence about requests outside the days that the plots show; empty if the plots show all days of the log. */
  readonly plotNote: string;
  readonly days: readonly DayBar[];
  /** The requests of crawlers by day and main purpose, without those whose identity is false. */
  readonly purposeDays: readonly PurposeBar[];
  readonly events: readonly PlotEvent[];
  readonly lanes: Lanes | undefined;
  /** Named counts about the data: rejects, lines without a host, … */
  readonly data: readonly { readonly name: string; readonly count: number }[];
  readonly otherAgents: readonly { readonly agent: string; readonly requests: number }[];
  /** Sentences about versions, limits, and tables that were folded. */
  readonly method: readonly string[];
}

/** The options of `reportOf`. */
export interface ReportOptions {
  /** The title of the report. Default: the origin, or the number of origins. */
  readonly title?: string | undefined;
  /** An IANA time zone for days and times. Default: "UTC". */
  readonly timeZone?: string | undefined;
  /** What the reader can do with the program that makes the report. Default: nothing. */
  readonly advice?: Advice | undefined;
  /** An earlier audit to compare with. Default: none. */
  readonly previous?: AuditDocument | undefined;
  /** The only origin to report on. Default: all origins. */
  readonly origin?: string | undefined;
  /** What changes if a site refuses a crawler, in one sentence, by product token. Default: none. */
  readonly ifRefused?: ReadonlyMap<string, string> | undefined;
  /** The program and its version, which the report names in its method. Default: none. */
  readonly program?: string | undefined;
  /**
   * Product tokens that no User-Agent header contains, for the line-by-line section. Default: the control tokens among the document's
   * crawlers.
   */
  readonly controlTokens?: readonly string[] | undefined;
}

/**
 * Makes the report of a document. Equal documents and options give equal reports. The members of the report are made when they are first
 * read, so the document must not change while the report is in use. Throws an {@link AuditError} (`ERR_INVALID_OPTION`) for an unknown time
 * zone and for an origin that is not in the document.
 */
export function reportOf(document: AuditDocument, options: ReportOptions = {}): AuditReport {
  checkHas(document, "origins");
  const clock = createZoneClock(options.timeZone ?? "UTC");
  const dayText = dayWordsOf(clock, document.period);
  const origins = chosenOrigins(document, options.origin);
  const isSampled = document.inputs.some(({ sampleRate }) => sampleRate < 1);
  const { period, totals } = document;
  const controlTokens =
    options.controlTokens ??
    document.crawlers.filter(({ kind }) => kind === "control-token").map(({ productToken }) => productToken);
  let knownPlotPeriod: PlotPeriod | undefined;
  const plotPeriod = (): PlotPeriod => (knownPlotPeriod ??= plotPeriodOf(origins, period, clock));
  // The text for a terminal shows few of these members.
  const report: AuditReport = madeWhenRead<AuditReport>({
    title: () => options.title ?? titleOf(document, origins),
    timeZone: () => clock.timeZone,
    period: () => (period === null ? "" : periodTextOf(clock.dayOf(period.first), clock.dayOf(period.last))),
    lines: () => document.inputs.reduce((sum, { lines }) => sum + lines, 0),
    requests: () => totals.requests,
    crawlerRequests: () => report.crawlerRows.reduce((sum, { requests }) => sum + requests, 0),
    crawlers: () => new Set(report.crawlerRows.map(({ crawler }) => crawler.productToken)).size,
    origins: () => origins.filter(({ origin }) => origin !== "").length,
    judgedBy: () => judgedByOf(origins, report.lines, document, dayText),
    isSampled: () => isSampled,
    times: () => timesTextOf(document, options.advice),
    sample: () => sampleTextOf(document),
    comparison: () =>
      options.previous === undefined ? undefined : comparisonOf(options.previous, document, report.crawlerRows, clock),
    findings: () =>
      findingsOf({ document, origins, crawlerRows: report.crawlerRows, dayText, isSampled, advice: options.advice }),
    crawlerRows: () => crawlerRowsOf(document, origins, clock),
    ifRefused: () => options.ifRefused ?? new Map<string, string>(),
    operators: () => operatorRowsOf({ origins, crawlerRows: report.crawlerRows, clock }),
    purposes: () => purposeRowsOf({ origins, crawlerRows: report.crawlerRows, clock }),
    refusing: () => options.advice?.refusing ?? "",
    violations: () => violationRowsOf(origins, document.crawlers),
    mismatches: () => mismatchRowsOf(origins, document.crawlers),
    originReports: () =>
      origins
        .map((origin) => originReportOf(origin, { document, controlTokens, isSampled }, clock))
        .toSorted((one, other) => other.requests - one.requests || (one.origin < other.origin ? -1 : 1)),
    directories: () => wasteRowsOf(origins, "directories"),
    parameters: () => wasteRowsOf(origins, "parameters"),
    waste: () => wasteSumOf(report.directories),
    misses: () => missRowsOf(origins),
    hasCandidate: () => document.settings.candidate !== null,
    flips: () => flipRowsOf(origins),
    plotNote: () => plotNoteOf(plotPeriod(), clock, options.advice),
    days: () => dayBarsOf(origins, { ...document, period: plotPeriod().period }, clock),
    purposeDays: () => purposeBarsOf(origins, { ...document, period: plotPeriod().period }, clock),
    events: () => plotEventsOf(origins, plotPeriod().period, clock),
    lanes: () => lanesOf(origins, plotPeriod().period, isSampled, dayText),
    data: () => dataOf(document),
    otherAgents: () =>
      document.otherAgents.toSorted(
        (one, other) => other.requests - one.requests || (one.agent < other.agent ? -1 : 1),
      ),
    method: () => methodOf(document, options.program, options.advice),
  });
  return report;
}

function chosenOrigins(document: AuditDocument, origin: string | undefined): readonly DocumentOrigin[] {
  if (origin === undefined) return document.origins;
  const chosen = document.origins.filter((each) => each.origin === origin);
  if (chosen.length === 0) throw new AuditError("ERR_INVALID_OPTION", `origin: ${origin} is not in the document`);
  return chosen;
}

function titleOf(document: AuditDocument, origins: readonly DocumentOrigin[]): string {
  const named = origins.filter(({ origin }) => origin !== "" && origin !== "…");
  if (named.length === 0) return (document.pages ?? []).length > 0 ? "pages" : "access log";
  return named.length === 1 ? shownOriginOf(named[0]!.origin) : `${countTextOf(named.length)} origins`;
}

/** The name of a count that the text for a terminal looks up. */
export const withoutAgentName = "requests without a User-Agent header";

/** The beginning of the names of counts of lines that were rejected; the reason follows. */
export const rejectedName = "rejected: ";

function dataOf(document: AuditDocument): AuditReport["data"] {
  const rejects = new Map<string, number>();
  for (const [reason, count] of document.inputs.flatMap((input) => Object.entries(input.rejects))) {
    rejects.set(reason, (rejects.get(reason) ?? 0) + count);
  }
  const { totals } = document;
  const outside = document.inputs.reduce((sum, input) => sum + input.outside, 0);
  const sortedRejects = [...rejects].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    { name: "lines", count: document.inputs.reduce((sum, { lines }) => sum + lines, 0) },
    ...sortedRejects.map(([reason, count]) => ({ name: rejectedName + reason, count })),
    ...(outside > 0 ? [{ name: "requests outside the requested period", count: outside }] : []),
    ...(totals.outsideWithoutTime > 0 ? [{ name: "of them, without a time", count: totals.outsideWithoutTime }] : []),
    { name: "requests", count: totals.requests },
    { name: "requests of no known crawler", count: totals.notACrawler },
    { name: "of them, unknown agents that look like crawlers", count: totals.otherAgents },
    { name: "requests without a time", count: totals.withoutTime },
    ...(totals.withoutZone > 0
      ? [{ name: "requests with a time whose zone is not known", count: totals.withoutZone }]
      : []),
    ...(totals.ofServerPath > 0
      ? [
          {
            name: "requests with the path after the server's rewrites, or a part of the target",
            count: totals.ofServerPath,
          },
        ]
      : []),
    { name: "requests without a host", count: totals.withoutHost },
    { name: withoutAgentName, count: totals.withoutAgent },
    { name: "requests whose origin was given, because the log does not name it", count: totals.assumedOrigin },
  ];
}

/**
 * Returns an object with one member for each function of `makers`. Each function is called when its member is first read, and only once.
 */
function madeWhenRead<Members extends object>(makers: {
  readonly [Name in keyof Members]-?: () => Members[Name];
}): Members {
  const made = {};
  for (const name of Object.keys(makers) as (keyof Members & string)[]) {
    Object.defineProperty(made, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = makers[name]();
        Object.defineProperty(made, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return made as Members;
}
