// Prints the page's sections about the crawlers in the log, about their obedience, and about the rules that they crossed.
import { amountOf, bytesTextOf, countTextOf, dash, orDash, shareTextOf } from "../report/numbers.ts";
import type { AuditReport, CrawlerRow, ShownRule, ViolationRow } from "../report/types.ts";
import { type ZoneClock, createZoneClock } from "../report/clock.ts";
import { listedAnswersOf } from "../report/answers.ts";
import { boundMarkOf, freeTextOf, mayBeAccused } from "../report/finding-words.ts";
import { crawlerPurposeTextOf } from "../report/purpose-words.ts";
import { identityTextOf } from "../report/identity.ts";
import { dayTextOf, isoDayOf } from "../time.ts";
import type { PageLimits } from "./limits.ts";
import { codeOf, leastForRate } from "./cells.ts";
import { type Markup, type MarkupPart, html, nothing, smallMarkup } from "./markup.ts";
import { namedBars, thinBar } from "./plots/bars.ts";
import { groupsPart } from "./group-sections.ts";
import { statePlot } from "./plot-sections.ts";
import { type TableColumn, tableOf } from "./table.ts";

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

/** The plots and the table of the crawlers in the log. */
export function crawlersSection(report: AuditReport, limits: PageLimits): Markup {
  const { crawlerRows } = report;
  const most = Math.max(0, ...crawlerRows.map(({ requests }) => requests));
  const columns: readonly TableColumn<CrawlerRow>[] = [
    { heading: "Crawler", cell: crawlerCell },
    {
      heading: "Purpose",
      isWide: true,
      cell: ({ crawler }) => [
        crawlerPurposeTextOf(crawler) || dash,
        smallMarkup(refusalTextOf(report.ifRefused, crawler.productToken)),
      ],
    },
    { heading: "Identity", cell: ({ verification }) => identityCell(verification) },
    {
      heading: "Requests",
      cell: ({ requests }) => [countTextOf(requests), thinBar(requests, most)],
      value: ({ requests }) => requests,
    },
    { heading: "Bytes", cell: ({ bytes }) => (bytes === 0 ? dash : bytesTextOf(bytes)), value: ({ bytes }) => bytes },
    { heading: "Days", cell: ({ days: own }) => orDash(own), value: ({ days: own }) => own ?? 0 },
    { heading: "URLs ±", cell: ({ urls }) => orDash(urls), value: ({ urls }) => urls ?? 0 },
    { heading: "robots.txt", cell: ({ fetches }) => orDash(fetches), value: ({ fetches }) => fetches },
  ];
  const top = crawlerRows.slice(0, 10).map((row) => ({ name: nameOf(row, crawlerRows), count: row.requests }));
  return html`<section id="crawlers">
    <h2>Requests by crawlers</h2>
    ${statePlot(report, limits)}
    ${
      top.length > 1
        ? html`<h3>Most requests</h3>
            <figure class="scroll" tabindex="0" aria-label="Most requests">
              ${namedBars("top", "Crawlers with the most requests", top)}
            </figure>`
        : nothing
    }
    <h3>Who came</h3>
    <p class="muted">
      URLs: distinct URLs of pages (not /robots.txt), ± 1.6 %. robots.txt: successful fetches. Unless its address was
      checked, a crawler is known only by its User-Agent header.
    </p>
    ${tableOf("Who came", columns, crawlerRows, limits.rows)} ${groupsPart(report, limits)}
  </section>`;
}

/** A crawler's name, with its identity if the crawler has several rows. */
function nameOf({ crawler, verification }: CrawlerRow, rows: readonly CrawlerRow[]): string {
  const isOne = rows.filter((row) => row.crawler.productToken === crawler.productToken).length === 1;
  return isOne ? crawler.productToken : `${crawler.productToken} (${identityTextOf(verification)})`;
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
    { heading: "Requests", cell: ({ requests }) => countTextOf(requests), value: ({ requests }) => requests },
    { heading: "robots.txt", cell: ({ robotsTxt }) => orDash(robotsTxt), value: ({ robotsTxt }) => robotsTxt },
    { heading: "Allowed", cell: ({ allowed }) => orDash(allowed), value: ({ allowed }) => allowed },
    { heading: "Proven violations", cell: violationCell, value: ({ proven }) => proven.violations },
    {
      heading: "In grace",
      cell: ({ grace, informed }) => [
        orDash(grace),
        informed > 0 ? html`<small>${countTextOf(informed)} informed</small>` : nothing,
      ],
      value: ({ grace }) => grace,
    },
    { heading: "Assumed", cell: ({ assumed }) => orDash(assumed), value: ({ assumed }) => assumed },
    { heading: "Disputed", cell: ({ disputed }) => orDash(disputed), value: ({ disputed }) => disputed },
    { heading: "Not bound", cell: ({ notBound }) => orDash(notBound), value: ({ notBound }) => notBound },
    { heading: "Undecidable", cell: ({ undecidable }) => orDash(undecidable), value: ({ undecidable }) => undecidable },
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
    smallMarkup(listedAnswersOf(provenAnswers)),
  ];
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
    { heading: "Requests", cell: ({ requests }) => countTextOf(requests), value: ({ requests }) => requests },
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
export function spanTextOf(clock: ZoneClock, first: number, last: number): string {
  const [from, to] = [clock.dayOf(first), clock.dayOf(last)];
  return from === to ? dayTextOf(from, true) : `${isoDayOf(from)} to ${isoDayOf(to)}`;
}
