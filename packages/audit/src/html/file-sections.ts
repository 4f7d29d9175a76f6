// Prints the page's sections about the origins and about their robots.txt: its fetches, its intervals, its newest version line by line.
import type { LintRow } from "../document/types.ts";
import { type ZoneClock, createZoneClock } from "../report/days.ts";
import type { FileLine } from "../report/file-lines.ts";
import type { IntervalUse } from "../report/interval-uses.ts";
import { amountOf, averageTextOf, countTextOf, durationTextOf, orDash } from "../report/numbers.ts";
import type { IntervalRow, OriginReport } from "../report/origin-reports.ts";
import type { AuditReport } from "../report/report.ts";
import { identityTextOf } from "../report/words.ts";
import { cutTextOf } from "../text/safe-text.ts";
import { isoOf } from "../time.ts";
import { type Markup, type MarkupPart, html, nothing, smallMarkup } from "./markup.ts";
import { fetchLanes } from "./plots/lanes.ts";
import { type PageLimits, type TableColumn, numberColumn, tableOf } from "./table.ts";

/** The section about the origins of a report with several origins. `links` contains links to reports of single origins, by origin. */
export function originsSection(
  { originReports, origins }: AuditReport,
  { rows }: PageLimits,
  links: ReadonlyMap<string, string>,
): Markup {
  if (origins < 2) return nothing;
  const columns: readonly TableColumn<OriginReport>[] = [
    { heading: "Origin", cell: (row) => originCell(row, links.get(row.origin)), isWide: true },
    { heading: "Requests", cell: ({ requests }) => countTextOf(requests), value: ({ requests }) => requests },
    numberColumn("Proven violations", ({ proven }) => proven),
    numberColumn("Assumed", ({ assumed }) => assumed),
    numberColumn("Undecidable", ({ undecidable }) => undecidable),
    {
      heading: "robots.txt",
      cell: ({ isKnown, intervals }) =>
        isKnown ? amountOf(new Set(intervals.flatMap(({ number }) => number || [])).size, "version") : "not known",
    },
  ];
  return html`<section id="origins">
    <h2>Origins</h2>
    ${tableOf("Origins", columns, originReports, rows)}
  </section>`;
}

function originCell({ origin }: OriginReport, link: string | undefined): Markup {
  const shown = origin === "" ? "(no origin)" : origin === "…" ? "… (others, folded)" : cutTextOf(origin, 120);
  return link === undefined ? html`${shown}` : html`<a href="${link}">${shown}</a>`;
}

const timeText = (seconds: number | null): string => (seconds === null ? "–" : isoOf(seconds));

/** The section about robots.txt. */
export function filesSection(report: AuditReport, limits: PageLimits): Markup {
  const known = report.originReports.filter(({ isKnown }) => isKnown);
  const rest = known.length - limits.origins;
  const clock = createZoneClock(report.timeZone);
  return html`<section id="files">
    <h2>robots.txt</h2>
    ${report.lanes === undefined || report.lanes.lanes.length === 0 ? nothing : lanesFigure(report)}
    ${known.slice(0, limits.origins).map((origin, at) => originPart(origin, limits, clock, at < limits.files))}
    ${rest > 0 ? html`<p class="muted">${amountOf(rest, "more origin")} in JSON.</p>` : nothing}
  </section>`;
}

function lanesFigure({ lanes, plotNote }: AuditReport): Markup {
  if (lanes === undefined) return nothing;
  const columns: readonly TableColumn<(typeof lanes.lanes)[number]>[] = [
    { heading: "Crawler", cell: ({ crawler, verification }) => `${crawler} (${identityTextOf(verification)})` },
    {
      heading: "Hours with a fetch",
      cell: ({ fetches }) => orDash(fetches.length),
      value: ({ fetches }) => fetches.length,
    },
    { heading: "First", cell: ({ fetches }) => timeText(fetches[0] ?? null) },
    { heading: "Last", cell: ({ fetches }) => timeText(fetches.at(-1) ?? null) },
  ];
  return html`<h3>Who read which file: ${lanes.origin}</h3>
    <p class="muted">
      A tick is a successful fetch of /robots.txt. A crawler without a tick may still have read the file: from a cache
      in front of the server, or before the log began.
    </p>
    <figure class="scroll" tabindex="0" aria-label="Who read which file">${fetchLanes(lanes)}</figure>
    ${plotNote === "" ? nothing : html`<p class="muted">${plotNote}</p>`}
    <details>
      <summary>As a table</summary>
      ${tableOf("Fetches of robots.txt", columns, lanes.lanes, lanes.lanes.length)}
    </details>`;
}

function originPart(origin: OriginReport, limits: PageLimits, clock: ZoneClock, hasFile: boolean): Markup {
  const statuses = origin.statuses.map(
    ({ status, requests }) => `${status === 0 ? "no status" : status}: ${countTextOf(requests)}`,
  );
  const rest = origin.intervals.length - limits.intervals;
  return html`<h3>${origin.origin}</h3>
    <p class="muted">
      ${amountOf(origin.requests, "request")} by crawlers. Answers to /robots.txt by status:
      ${statuses.join(", ") || "none in this log"}.
    </p>
    ${origin.outages.slice(0, limits.intervals).map(({ from, seen, end }) => html`<p class="muted">Unreachable from ${isoOf(from)} until at least ${isoOf(seen)}${end === null ? "" : `; reachable again at ${isoOf(end)}`}.</p>`)}
    ${origin.intervals.slice(-limits.intervals).map((_, index) => intervalPart(origin, Math.max(0, rest) + index, limits, clock))}
    ${rest > 0 ? html`<p class="muted">${amountOf(rest, "earlier interval")} in JSON.</p>` : nothing}
    ${hasFile && origin.lines.length > 0 ? filePart(origin, limits) : nothing}`;
}

function intervalPart(origin: OriginReport, at: number, limits: PageLimits, clock: ZoneClock): Markup {
  const interval = origin.intervals[at]!;
  const columns: readonly TableColumn<IntervalUse>[] = [
    { heading: "Crawler", cell: ({ crawler, verification }) => `${crawler} (${identityTextOf(verification)})` },
    numberColumn("Requests", ({ requests }) => requests),
    numberColumn("Served", ({ served }) => served),
    {
      heading: "Proven violations",
      cell: ({ violations, mark }) => [orDash(violations), smallMarkup(violations > 0 ? mark : "")],
      value: ({ violations }) => violations,
    },
    { heading: "Days", cell: ({ days }) => orDash(days ?? 0), value: ({ days }) => days ?? 0 },
    { heading: "Per day", cell: ({ perDay }) => averageTextOf(perDay), value: ({ perDay }) => perDay ?? 0 },
    {
      heading: "Days with a fetch",
      cell: ({ pageDays, fetchDays }) =>
        pageDays === null || fetchDays === null || origin.isSampled
          ? "–"
          : `${countTextOf(fetchDays)} of ${countTextOf(pageDays)}`,
      value: ({ fetchDays }) => (origin.isSampled ? 0 : (fetchDays ?? 0)),
    },
    { heading: "Fetched before its first page", cell: (use) => (origin.isSampled ? "–" : orderTextOf(use, interval)) },
    {
      heading: "First certain fetch of this file",
      cell: (use) => (origin.isSampled ? "–" : fetchCell(use, interval, clock)),
    },
    {
      heading: "First request",
      cell: ({ firstRequest }) => (firstRequest === null ? "–" : clock.minuteTextOf(firstRequest)),
    },
  ];
  const from =
    interval.from === null ? "without a date" : `first seen ${firstSeenTextOf(interval.from, interval.fromLatest)}`;
  return html`<details>
    <summary>
      ${interval.isMissingForSome ? "An answer that some crawlers take for a missing file" : `Version ${interval.number}`},
      ${from}: ${amountOf(interval.uses.length, "crawler")}, ${amountOf(interval.requests, "judged request")}
    </summary>
    ${changeMarkup(interval, limits)}
    <p class="muted">${effectTextOf(interval)}</p>
    ${interval.uses.length === 0 ? nothing : tableOf(`${origin.origin}, interval ${at + 1}`, columns, interval.uses, limits.uses)}
  </details>`;
}

/** A sentence about the requests that an interval's version decided. */
function effectTextOf({ requests, disallowed, tightened, loosened }: IntervalRow): string {
  if (requests === 0) return "No request of this log was judged by this version.";
  const grace = [
    ...(tightened > 0 ? [`${countTextOf(tightened)} more in grace for URLs that this version newly disallows`] : []),
    ...(loosened > 0 ? [`${countTextOf(loosened)} more in grace for URLs that this version newly allows`] : []),
  ];
  return `${[`Disallowed: ${countTextOf(disallowed)} of ${amountOf(requests, "judged request")}`, ...grace].join("; ")}.`;
}

/** The time of a first observation; only its date if that is all that is known. */
function firstSeenTextOf(from: number, fromLatest: number | undefined): string {
  return fromLatest === undefined ? isoOf(from) : `at a time from ${isoOf(from)} to ${isoOf(fromLatest)}`;
}

/** The time of the first fetch and, if it is known, the time that had passed since the first observation of the version. */
function fetchCell(
  { firstFetch }: IntervalUse,
  { from, fromLatest, beginsBeforeLog }: IntervalRow,
  clock: ZoneClock,
): MarkupPart {
  if (firstFetch === null) return "–";
  const minute = clock.minuteTextOf(firstFetch);
  if (from === null || fromLatest !== undefined || beginsBeforeLog || firstFetch < from) return minute;
  return [minute, html`<small>after ${durationTextOf(firstFetch - from)}</small>`];
}

/**
 * Whether the first fetch preceded the first request: "yes", "later", or a dash if this is not known. Without a fetch that certainly
 * returned the version, the text speaks only of this log, because the crawler may have fetched the file elsewhere.
 */
function orderTextOf(
  { firstFetch, firstRequest, possibleFetch }: IntervalUse,
  { beginsBeforeLog, from, fromLatest }: IntervalRow,
): string {
  if (firstFetch === null) return "no certain fetch in this log";
  if (firstRequest !== null && firstFetch <= firstRequest) return "yes";
  // The order is not known if an earlier fetch may have returned the file, or if fetches before the log may be missing, or if the request
  // preceded the version's first observation.
  const isOpen = firstRequest === null || from === null || beginsBeforeLog || firstRequest < (fromLatest ?? from);
  return isOpen || (possibleFetch ?? Infinity) <= firstRequest ? "–" : "later";
}

function changeMarkup({ change }: IntervalRow, { changes }: PageLimits): Markup {
  if (change === undefined) return nothing;
  const lines = [
    ...change.removed.map((line) => ["del", `− ${line}`] as const),
    ...change.added.map((line) => ["add", `+ ${line}`] as const),
  ];
  if (lines.length === 0)
    return html`<p class="muted">Same lines as in the version before; order, number or white space may differ.</p>`;
  const rest = lines.length - changes;
  return html`<p class="code">
    ${lines.slice(0, changes).map(([kind, line]) => html`<span class="${kind}">${cutTextOf(line, 160)}</span><br />`)}${rest > 0 ? `… ${amountOf(rest, "more line")}` : ""}
  </p>`;
}

function filePart({ origin, lines, linesFrom, lint }: OriginReport, limits: PageLimits): Markup {
  const rest = lines.length - limits.lines;
  return html`<h3>The file, line by line</h3>
    <p class="muted">
      ${linesFrom === null ? "The given file, which has no date." : `The newest version that decided a request, first seen ${isoOf(linesFrom)}.`}
    </p>
    <div class="card scroll" tabindex="0" role="region" aria-label="robots.txt of ${origin}">
      <div class="file code">${lines.slice(0, limits.lines).map(lineMarkup)}</div>
    </div>
    ${rest > 0 ? html`<p class="muted">${amountOf(rest, "more line")}.</p>` : nothing}
    ${lint.length === 0 ? nothing : lintPart(origin, lint, limits)}`;
}

function lintPart(origin: string, lint: OriginReport["lint"], { lines }: PageLimits): Markup {
  const columns: readonly TableColumn<LintRow>[] = [
    { heading: "Line", cell: ([line]) => countTextOf(line), value: ([line]) => line },
    { heading: "Severity", cell: ([, severity]) => severity },
    { heading: "What the linter finds", cell: ([, , , sentence]) => cutTextOf(sentence, 240), isWide: true },
    { heading: "Code", cell: ([, , code]) => html`<code>${code}</code>` },
  ];
  return html`<h3>Lint</h3>
    ${tableOf(`Lint of ${origin}`, columns, lint, Math.min(30, lines))}`;
}

function lineMarkup({ number, text, state, note }: FileLine): Markup {
  return html`<div class="${state}">
    <span class="no">${number}</span><span class="tx">${cutTextOf(text, 160)}</span><span class="nt">${note}</span>
  </div> `;
}
