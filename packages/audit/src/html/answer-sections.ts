// Prints the page's section about the answers of the server.
import { statusListOf, wordsOf } from "../report/answers.ts";
import { createZoneClock } from "../report/clock.ts";
import { leftOutTextOf, statusesTextOf } from "../report/mismatch-findings.ts";
import type { MismatchRow } from "../report/mismatch-types.ts";
import { leastForMismatch } from "../report/mismatches.ts";
import { countTextOf, orDash, shareTextOf } from "../report/numbers.ts";
import type { AuditReport, CrawlerRow } from "../report/types.ts";
import { type StatusClass, statusClasses } from "../states/states.ts";
import { leastForRate } from "./cells.ts";
import { crawlerCell, identityCell, spanTextOf } from "./crawler-sections.ts";
import type { PageLimits } from "./limits.ts";
import { type Markup, type MarkupPart, html, nothing, smallMarkup } from "./markup.ts";
import { type TableColumn, tableOf } from "./table.ts";

/** The section about the answers of the server: by crawler and class, and against robots.txt. */
export function answersSection(report: AuditReport, limits: PageLimits): Markup {
  const { crawlerRows: rows } = report;
  const columns: readonly TableColumn<CrawlerRow>[] = [
    { heading: "Crawler", cell: crawlerCell },
    { heading: "Identity", cell: ({ verification }) => identityCell(verification) },
    { heading: "Requests", cell: ({ requests }) => countTextOf(requests), value: ({ requests }) => requests },
    ...shownClassesOf(rows).map((name) => ({
      heading: headingOf(name),
      cell: ({ answers, requests }: CrawlerRow): MarkupPart => {
        const count = orDash(answers[name]);
        const hasShare = answers[name] > 0 && requests >= leastForRate;
        return hasShare ? [count, html`<small class="nb">${shareTextOf(answers[name], requests)}</small>`] : count;
      },
      value: ({ answers }: CrawlerRow) => answers[name],
    })),
    { heading: "Statuses", cell: ({ statuses }) => statusListOf(statuses, mostStatuses), isWide: true },
  ];
  return html`<section id="answers">
    <h2>What the server answered</h2>
    <p class="muted">
      Served: 2xx and 304. Redirected: other 3xx. Not found: 404 and 410. Refused: 401, 402, 403, 407, 429, 444 and 451.
      Failed: 5xx. No answer: no status, 000, 1xx and 499. Other: every other status.
      ${rows.some(({ answers }) => answers["not-known"] > 0) ? "Not known: the log records no statuses." : ""}
    </p>
    ${tableOf("What the server answered", columns, rows, limits.rows)} ${mismatchesPart(report, limits)}
  </section>`;
}

/** The maximum number of statuses that a cell shows. */
const mostStatuses = 12;

/** The classes with a column: every class, but “not known” only if a request has it. */
function shownClassesOf(rows: readonly CrawlerRow[]): readonly StatusClass[] {
  return statusClasses.filter((name) => name !== "not-known" || rows.some(({ answers }) => answers[name] > 0));
}

/** The heading of a class's column, such as "Not found". */
function headingOf(name: StatusClass): string {
  const words = wordsOf(name);
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

/** The requests that the server answered against robots.txt. */
function mismatchesPart({ mismatches, timeZone, originReports }: AuditReport, { rows }: PageLimits): Markup {
  const clock = createZoneClock(timeZone);
  const isOne = originReports.filter(({ isKnown }) => isKnown).length <= 1;
  const columns: readonly TableColumn<MismatchRow>[] = [
    {
      heading: "Crawler",
      cell: ({ crawler, verification, mark }) =>
        html`<b>${crawler}</b> ${identityCell(verification)}${smallMarkup(mark)}`,
    },
    {
      heading: "robots.txt, server",
      cell: ({ kind, origin }) => [
        kind.replaceAll("-", " ").replace(" yet", ", yet"),
        isOne ? nothing : smallMarkup(origin.replace(/^https:\/\//u, "")),
      ],
    },
    {
      heading: "Requests",
      cell: ({ requests, of }) => [
        countTextOf(requests),
        html`<small class="nb">of ${countTextOf(of)} (${shareTextOf(requests, of)})</small>`,
      ],
      value: ({ requests }) => requests,
    },
    { heading: "Statuses", cell: statusesTextOf, isWide: true },
    {
      heading: "First to last",
      cell: ({ first, last }) => (first === null || last === null ? "–" : spanTextOf(clock, first, last)),
      value: ({ first }) => first ?? 0,
    },
    { heading: "Proven", cell: ({ isProven }) => (isProven ? "yes" : "assumed") },
    {
      heading: "Left out",
      cell: (row) => [orDash(row.disputed + row.assumed), smallMarkup(leftOutTextOf(row))],
      value: ({ disputed, assumed }) => disputed + assumed,
    },
  ];
  const about = html`<h3>Allowed, yet refused; disallowed, yet served</h3>
    <p class="muted">
      At least ${leastForMismatch} requests of a crawler that the server answered against robots.txt. A firewall that
      refuses a crawler looks like this. Disputed requests, requests in grace and requests without a known status are
      left out, and assumed ones if ten are proven. A row about a crawler that is served has proven requests only.
    </p>`;
  if (mismatches.length === 0)
    return html`${about}
      <p>None.</p>`;
  return html`${about}${tableOf("Against robots.txt", columns, mismatches, rows)}`;
}
