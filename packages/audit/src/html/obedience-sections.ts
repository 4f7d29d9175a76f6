// Prints the page's sections about the answers of the server, the obedience of crawlers, and the rules that they crossed.
import { listedAnswersOf, statusListOf, wordsOf } from "../report/answers.ts";
import type { CrawlerRow } from "../report/crawler-rows.ts";
import { type ZoneClock, createZoneClock } from "../report/days.ts";
import { type MismatchRow, leastForMismatch, leftOutTextOf, statusesTextOf } from "../report/mismatches.ts";
import { amountOf, countTextOf, dash, orDash, shareTextOf } from "../report/numbers.ts";
import type { AuditReport } from "../report/report.ts";
import type { ViolationRow } from "../report/violation-rows.ts";
import { type ShownRule, boundMarkOf, freeTextOf, identityTextOf, mayBeAccused } from "../report/words.ts";
import { type StatusClass, statusClasses } from "../states/states.ts";
import { dayTextOf, isoDayOf } from "../time.ts";
import { type Markup, type MarkupPart, html, nothing, smallMarkup } from "./markup.ts";
import { type PageLimits, type TableColumn, codeOf, leastForRate, numberColumn, tableOf } from "./table.ts";

/** The section about the answers of the server: by crawler and class, and against robots.txt. */
export function answersSection(report: AuditReport, limits: PageLimits): Markup {
  const { crawlerRows: rows } = report;
  const columns: readonly TableColumn<CrawlerRow>[] = [
    { heading: "Crawler", cell: crawlerCell },
    { heading: "Identity", cell: ({ verification }) => identityCell(verification) },
    numberColumn("Requests", ({ requests }) => requests),
    ...shownClassesOf(rows).map((name) => ({
      heading: headingOf(name),
      cell: ({ answers, requests }: CrawlerRow): MarkupPart => {
        const count = orDash(answers[name]);
        const hasShare = answers[name] > 0 && requests >= leastForRate;
        return hasShare ? [count, html`<small class="nb">${shareTextOf(answers[name], requests)}</small>`] : count;
      },
      value: ({ answers }: CrawlerRow) => answers[name],
    })),
    { heading: "Statuses", cell: ({ statuses }) => unbroken(statusListOf(statuses, mostStatuses)), isWide: true },
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

/** A crawler with its operator. */
export function crawlerCell({ crawler }: CrawlerRow): Markup {
  return html`<b>${crawler.productToken}</b><small>${crawler.operator}</small>`;
}

/** What changes if a site refuses a crawler, with words before it; "" if that is not known. */
export function refusalTextOf(ifRefused: AuditReport["ifRefused"], crawler: string): string {
  const text = ifRefused.get(crawler);
  return text === undefined ? "" : `If refused: ${text}`;
}

/** The result of checking a crawler's address. */
export function identityCell(verification: CrawlerRow["verification"]): Markup {
  return html`<span class="pill ${verification}">${identityTextOf(verification)}</span>`;
}

/** The section about the obedience of crawlers. */
export function obedienceSection({ crawlerRows }: AuditReport, limits: PageLimits): Markup {
  const columns: readonly TableColumn<CrawlerRow>[] = [
    { heading: "Crawler", cell: crawlerCell },
    { heading: "Identity", cell: ({ verification }) => identityCell(verification) },
    {
      heading: "Restricted by",
      cell: restrictedTextOf,
      value: ({ restricted }) => restricted?.lines ?? 0,
    },
    numberColumn("Requests", ({ requests }) => requests),
    numberColumn("robots.txt", ({ robotsTxt }) => robotsTxt),
    numberColumn("Allowed", ({ allowed }) => allowed),
    { heading: "Proven violations", cell: violationCell, value: ({ proven }) => proven.violations },
    {
      heading: "In grace",
      cell: ({ grace, informed }) => [
        orDash(grace),
        informed > 0 ? html`<small>${countTextOf(informed)} informed</small>` : nothing,
      ],
      value: ({ grace }) => grace,
    },
    numberColumn("Assumed", ({ assumed }) => assumed),
    numberColumn("Disputed", ({ disputed }) => disputed),
    numberColumn("Not bound", ({ notBound }) => notBound),
    numberColumn("Undecidable", ({ undecidable }) => undecidable),
  ];
  return html`<section id="obedience">
    <h2>Obedience</h2>
    <p class="muted">
      A violation is a request that robots.txt disallowed in every version that the crawler may have used, as dated
      observations prove; below it, what the server answered. Each request stands in one of the columns from
      “robots.txt” (requests for the file) on. “Assumed”: violations without this proof. “Disputed”: requests that two
      readings of robots.txt decide differently. “Would be”: requests that would be proven violations if robots.txt
      bound the crawler. “Restricted by”: lines of the newest file that disallow something for the crawler. A percentage
      is shown from ${leastForRate} judged requests on. Rows with the identity “claimed” or “no check” count requests
      that name the crawler, no matter who sent them; no row adds up different identities.
    </p>
    ${tableOf("Obedience", columns, crawlerRows, limits.rows)}
  </section>`;
}

function restrictedTextOf({ restricted }: CrawlerRow): string {
  if (restricted === null || restricted.lines === 0) return dash;
  return restricted.origins > 1 ? amountOf(restricted.origins, "origin") : amountOf(restricted.lines, "line");
}

function violationCell(row: CrawlerRow): MarkupPart {
  const { crawler, proven, provenAnswers, violations, verification } = row;
  if (verification === "false") {
    const count = proven.violations === 0 ? "" : `${countTextOf(proven.violations)}, `;
    return html`<span class="muted">${count}not this crawler</span>`;
  }
  const free = freeTextOf(row);
  if (free !== "" && proven.judged === 0) return html`<span class="muted">${free}</span>`;
  const isAccusing = mayBeAccused(crawler, verification);
  const mark = smallMarkup(violations > 0 || !isAccusing ? boundMarkOf(crawler, verification) : "");
  if (proven.judged === 0) return isAccusing ? [dash, mark] : dash;
  const text = `${countTextOf(proven.violations)} of ${countTextOf(proven.judged)}`;
  if (!isAccusing) return [html`<span class="muted">${text} would be</span>`, mark];
  const isBad = proven.violations > 0;
  const rate = proven.violations > 0 && proven.judged >= leastForRate;
  return [
    isBad ? html`<span class="bad">${text}</span>` : text,
    rate ? html`<small>${shareTextOf(proven.violations, proven.judged)}</small>` : nothing,
    mark,
    smallMarkup(free),
    smallMarkup(unbroken(listedAnswersOf(provenAnswers))),
  ];
}

/** A list of numbers with their names in which no line breaks between a number and its name. */
function unbroken(list: string): string {
  return list.replaceAll(/(?<=\d|:) /gu, "\u00a0");
}

/** A rule as code, with its line number if that is known. */
function ruleMarkup({ directive, pattern, line }: ShownRule): Markup {
  const code = pattern === "" ? html`<code>${directive}</code>` : codeOf(pattern, 120, `${directive}: `);
  return html`${code}${line === null ? nothing : html` <small>line ${line}</small>`}`;
}

/** The section about violations by crawler, rule and directory. */
export function violationsSection({ violations, originReports, timeZone }: AuditReport, limits: PageLimits): Markup {
  const clock = createZoneClock(timeZone);
  const isOne = originReports.filter(({ isKnown }) => isKnown).length <= 1;
  const columns: readonly TableColumn<ViolationRow>[] = [
    {
      heading: "Crawler",
      cell: ({ crawler, verification, mark }) =>
        html`<b>${crawler}</b> ${identityCell(verification)}${smallMarkup(mark)}`,
    },
    { heading: "Rule", cell: ({ rule }) => ruleMarkup(rule), isWide: true },
    {
      heading: "Directory",
      cell: ({ origin, directory }) => codeOf(directory, 120, isOne ? "" : origin.replace(/^https:\/\//u, "")),
      isWide: true,
    },
    numberColumn("Requests", ({ requests }) => requests),
    { heading: "Proven", cell: provenCell, value: ({ proven }) => proven },
    {
      heading: "First to last",
      cell: ({ first, last }) => (first === null || last === null ? dash : spanTextOf(clock, first, last)),
      value: ({ first }) => first ?? 0,
    },
    {
      heading: "Examples",
      cell: ({ examples }) => examples.map((example) => html`${codeOf(example, 80)}<br />`),
      isWide: true,
    },
  ];
  if (violations.length === 0)
    return html`<section id="violations">
      <h2>Violations</h2>
      <p>None.</p>
    </section>`;
  return html`<section id="violations">
    <h2>Violations</h2>
    <p class="muted">
      ${amountOf(violations.length, "row")}, by crawler, rule and directory. The findings contain only proven
      violations.
    </p>
    ${tableOf("Violations", columns, violations, limits.rows)}
  </section>`;
}

/** The proven requests of a row, and those that are assumed or disputed. */
function provenCell({ proven, assumed, disputed }: ViolationRow): MarkupPart {
  const others = [
    ...(assumed > 0 ? [`${countTextOf(assumed)} assumed`] : []),
    ...(disputed > 0 ? [`${countTextOf(disputed)} disputed`] : []),
  ];
  return others.length === 0 ? orDash(proven) : [orDash(proven), smallMarkup(others.join(", "))];
}

/** The days of a span. */
function spanTextOf(clock: ZoneClock, first: number, last: number): string {
  const [from, to] = [clock.dayOf(first), clock.dayOf(last)];
  return from === to ? dayTextOf(from, true) : `${isoDayOf(from)} to ${isoDayOf(to)}`;
}
