// Prints the page's section about the crawlers in the log: who came, and sums by purpose and by operator.
import type { CrawlerRow } from "../report/crawler-rows.ts";
import type { GroupRow, OperatorRow } from "../report/group-rows.ts";
import { bytesTextOf, countTextOf, dash, listTextOf, orDash, shareTextOf } from "../report/numbers.ts";
import type { AuditReport } from "../report/report.ts";
import { crawlerPurposeTextOf, identityTextOf, operatorIsSilent, purposeTextOf } from "../report/words.ts";
import { type Markup, type MarkupPart, html, nothing, smallMarkup } from "./markup.ts";
import { crawlerCell, identityCell, refusalTextOf } from "./obedience-sections.ts";
import { namedBars, thinBar } from "./plots/bars.ts";
import { purposePlot, statePlot } from "./plots/day-bars.ts";
import { type PageLimits, type TableColumn, leastForRate, numberColumn, tableOf } from "./table.ts";

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
    numberColumn("Days", ({ days }) => days),
    numberColumn("URLs ±", ({ urls }) => urls),
    numberColumn("robots.txt", ({ fetches }) => fetches),
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

/** The sums by purpose and by operator, with a plot of requests by day and purpose. */
function groupsPart(report: AuditReport, limits: PageLimits): Markup {
  const { operators, purposes, refusing } = report;
  if (operators.length === 0) return nothing;
  return html`<h3 id="purposes">By purpose</h3>
    ${purposePlot(report, limits)}
    <p class="muted">
      Each request counts once: under the first purpose that the registry lists for its crawler. Requests with a false
      identity are left out. Violations: proven ones, of the judged requests of crawlers that a finding may accuse.
    </p>
    ${tableOf("By purpose", [nameColumn("Purpose", purposeTextOf), ...columnsOf(purposes)], purposes, limits.rows)}
    ${refusing === "" ? nothing : html`<p>${refusing}</p>`}
    <h3 id="operators">By operator</h3>
    ${tableOf("By operator", [operatorColumn, ...columnsOf(operators), ...visitColumns(operators)], operators, limits.rows)}
    ${visitsText(operators)}`;
}

/** The maximum number of crawlers that are named below a purpose or an operator. */
const mostNamed = 4;

function nameColumn(heading: string, textOf: (name: string) => string): TableColumn<GroupRow> {
  return {
    heading,
    isWide: true,
    cell: ({ name, crawlers }) => html`<b>${textOf(name)}</b>${smallMarkup(namesTextOf(crawlers))}`,
  };
}

const operatorColumn: TableColumn<GroupRow> = {
  heading: "Operator",
  isWide: true,
  cell: ({ name, crawlers, purposes }) =>
    html`<b>${name}</b>${smallMarkup(namesTextOf(crawlers))}${smallMarkup(purposes.map(purposeTextOf).join(", "))}`,
};

function namesTextOf(crawlers: readonly string[]): string {
  const rest = crawlers.length - mostNamed;
  return rest <= 0 ? crawlers.join(", ") : `${crawlers.slice(0, mostNamed).join(", ")} and ${rest} more`;
}

function columnsOf(rows: readonly GroupRow[]): readonly TableColumn<GroupRow>[] {
  const most = Math.max(0, ...rows.map(({ requests }) => requests));
  return [
    {
      heading: "Requests",
      cell: ({ requests, verified }) => [
        orDash(requests),
        thinBar(requests, most),
        smallMarkup(verified === 0 ? "" : `${countTextOf(verified)} verified`),
      ],
      value: ({ requests }) => requests,
    },
    { heading: "Bytes", cell: ({ bytes }) => (bytes === 0 ? dash : bytesTextOf(bytes)), value: ({ bytes }) => bytes },
    numberColumn("Days", ({ days }) => days),
    numberColumn("robots.txt", ({ fetches }) => fetches),
    { heading: "Refused", cell: refusedCell, value: ({ answers }) => answers.refused },
    { heading: "Violations", cell: violationsCell, value: ({ judged }) => judged.violations },
  ];
}

function refusedCell({ answers, requests }: GroupRow): MarkupPart {
  const count = orDash(answers.refused);
  if (answers.refused === 0 || requests < leastForRate) return count;
  return [count, html`<small class="nb">${shareTextOf(answers.refused, requests)}</small>`];
}

function violationsCell({ judged, unpromised }: GroupRow): MarkupPart {
  if (judged.judged === 0) return dash;
  const text = `${countTextOf(judged.violations)} of ${countTextOf(judged.judged)}`;
  if (judged.violations === 0) return text;
  const mark = unpromised === 0 ? "" : `${countTextOf(unpromised)}: ${operatorIsSilent}`;
  return [html`<span class="bad">${text}</span>`, smallMarkup(mark)];
}

function visitColumns(rows: readonly OperatorRow[]): readonly TableColumn<OperatorRow>[] {
  if (rows.every(({ visits }) => visits === 0)) return [];
  return [
    numberColumn("Visits sent", ({ visits }) => visits),
    {
      heading: "Requests per visit",
      cell: ({ verified, requests, visits }) => ratioTextOf(verified > 0 ? verified : requests, visits),
      value: ({ verified, requests, visits }) => (visits === 0 ? 0 : (verified > 0 ? verified : requests) / visits),
    },
  ];
}

function ratioTextOf(requests: number, visits: number): string {
  if (requests === 0 || visits < leastForRate) return dash;
  const ratio = requests / visits;
  return ratio >= 10 ? countTextOf(ratio) : ratio.toFixed(ratio >= 0.1 ? 1 : 2);
}

function visitsText(rows: readonly OperatorRow[]): Markup {
  const senders = rows.filter(({ visits }) => visits > 0).map(({ name }) => name);
  if (senders.length === 0) return nothing;
  return html`<p class="muted">
    Visits that operators sent (${listTextOf(senders.slice(0, mostNamed))}${senders.length > mostNamed ? " …" : ""}): a
    visit is a request of no known crawler whose Referer header names a page of the operator. Apps and private windows
    send no such header, so there were at least as many visits. The last column has no value for fewer than
    ${leastForRate} visits.
  </p>`;
}
