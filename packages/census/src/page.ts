// Prints a census as one HTML file in the look of all reports: shares by crawler, their course over the periods, groups, tables.
import {
  countTextOf,
  html,
  type Markup,
  type MarkupPart,
  nothing,
  pageShell,
  shareTextOf,
  tableOf,
  type TableColumn,
} from "@robots-stream/audit/internal";
import { wholeOf } from "./csv.ts";
import type { CensusDocument, CensusSlice, CountRow } from "./document.ts";
import { type Course, mostLines, shareLines, shownStates, stateBars } from "./plots.ts";
import {
  type AlikeCrawlers,
  alikeCrawlersOf,
  closedIn,
  courseTable,
  crawlersTextOf,
  groupTable,
  knownOf,
  nothingCounted,
  type ReportTable,
  sentencesOf,
  sharesOf,
  sharesTable,
  slicesOfGroup,
} from "./report.ts";
import { tableNames, tables } from "./tables.ts";

const shownBars = 25;
const mostRows = 400;
const shownKeys = 30;

/** Prints the page. Its Content-Security-Policy forbids all requests, and all scripts except the page's own. */
export function printHtml(document: CensusDocument, { title }: { readonly title?: string | undefined } = {}): string {
  const slices = slicesOfGroup(document, null);
  const last = slices.at(-1);
  const name = title ?? `${countTextOf(last === undefined ? 0 : knownOf(last))} sites`;
  const alike = last === undefined ? [] : alikeCrawlersOf(sharesOf(document, last));
  const periods = slices.length < 2 ? "" : `${slices[0]!.period} to ${last!.period}`;
  return pageShell({
    title: name,
    kind: "robots.txt census",
    header: html`<small>robots-stream census</small>
      <h1>${name}</h1>
      <p class="muted">${periods}</p>
      ${last === undefined ? nothing : sentencesOf(document, last).map((sentence) => html`<p>${sentence}</p>`)}`,
    main: last === undefined ? html`<p>${nothingCounted(document)}</p>` : sectionsOf(document, slices, last, alike),
    footer: `states are proved over all URLs; ${document.parts.map(({ names }) => names.join(" ")).join("; ")}`,
  });
}

function sectionsOf(
  document: CensusDocument,
  slices: readonly CensusSlice[],
  last: CensusSlice,
  alike: readonly AlikeCrawlers[],
): Markup {
  return html`${sharesSection(last, alike)} ${courseSection(document, slices, alike)} ${groupsSection(document, alike)}
  ${tablesSection(last)}`;
}

function sharesSection(last: CensusSlice, alike: readonly AlikeCrawlers[]): Markup {
  const known = knownOf(last);
  const legend = shownStates.map(
    ([, name, color]) =>
      html`<li>
        <svg aria-hidden="true" width="11" height="11"><rect class="${color}" width="11" height="11" /></svg>${name}
      </li>`,
  );
  return html`<section id="shares">
    <h2>Crawlers</h2>
    <p>
      Of ${countTextOf(known)} origins that say what crawlers may fetch. Crawlers with the same numbers share a row.
      What a bar lacks has no robots.txt. The numbers behind the share are origins that are closed by the crawler's own
      group, by that of a fallback name, and by the group for *.
    </p>
    <ul class="legend">
      ${legend}
    </ul>
    ${stateBars(alike.slice(0, shownBars), known)}
    ${reportTable("Origins by state for each crawler", sharesTable(alike, known), mostRows, alike.map(crawlersCell))}
  </section>`;
}

/** The crawlers of a row; a long list is folded. */
function crawlersCell(row: AlikeCrawlers): Markup {
  const list = row.crawlers.join(", ");
  if (row.crawlers.length < 6) return html`${list}`;
  return html`<details>
    <summary>${crawlersTextOf(row)}</summary>
    ${list}
  </details>`;
}

function courseSection(
  document: CensusDocument,
  slices: readonly CensusSlice[],
  alike: readonly AlikeCrawlers[],
): Markup {
  if (slices.length < 2) return nothing;
  const shown = alike.slice(0, mostLines);
  const closed = closedIn(document, slices, shown);
  const courses = shown.map((row, at): Course => ({
    name: crawlersTextOf(row),
    points: slices.map((slice, period) => ({ count: closed[period]![at]!, of: knownOf(slice) })),
  }));
  const periods = slices.map(({ period }) => period);
  return html`<section id="course">
    <h2>Closed over time</h2>
    <p>
      The share of origins that are closed at the end of each period; in the table their number (+ closed in the period,
      − opened).
    </p>
    ${shareLines(periods, courses)} ${reportTable("Closed origins by period", courseTable(document, shown), mostRows)}
  </section>`;
}

function groupsSection(document: CensusDocument, alike: readonly AlikeCrawlers[]): Markup {
  const table = groupTable(document, alike.slice(0, mostLines));
  if (table.rows.length === 0) return nothing;
  return html`<section id="groups">
    <h2>Groups of origins</h2>
    <p>Closed origins of each group; missing are origins of the list that the sources lack.</p>
    ${reportTable("Closed origins by group", table, mostRows)}
  </section>`;
}

/** The other tables, each with the rows of the most origins. */
function tablesSection(last: CensusSlice): Markup {
  const sections = tableNames.flatMap((name) => {
    const { rows, other } = last.tables[name];
    if (rows.length === 0) return [];
    const { about, columns } = tables[name];
    const whole = wholeOf(last, name);
    const countOf = (row: CountRow): number => row.at(-1) as number;
    const sorted = rows.toSorted((one, another) => countOf(another) - countOf(one));
    const table = {
      heads: [...columns, "origins", `of ${countTextOf(whole)}`],
      rows: sorted.map((row) => [
        ...row.slice(0, -1).map(String),
        countTextOf(countOf(row)),
        shareTextOf(countOf(row), whole),
      ]),
      names: columns.length,
    };
    const rest = html`<p class="muted">Names beyond the limit of the table: ${countTextOf(other)} counts.</p>`;
    return [
      html`<h3>${about}</h3>
        ${reportTable(about, table, shownKeys)} ${other === 0 ? nothing : rest}`,
    ];
  });
  return html`<section id="tables">
    <h2>What the files say</h2>
    ${sections}
  </section>`;
}

/** A table that can be sorted. `firstCells`: what stands in the first column instead of its texts. */
function reportTable(caption: string, table: ReportTable, most: number, firstCells?: readonly Markup[]): Markup {
  const rows = table.rows.map((texts, at) => ({ texts, first: firstCells?.[at] ?? texts[0]! }));
  type Row = (typeof rows)[number];
  const columns = table.heads.map((heading, at): TableColumn<Row> => {
    const cell = ({ texts, first }: Row): MarkupPart => (at === 0 ? first : texts[at]!);
    if (at < table.names) return { heading, cell, isWide: true };
    return { heading, cell, value: ({ texts }) => Number.parseFloat(texts[at]!.replaceAll(",", "")) || 0 };
  });
  return tableOf(caption, columns, rows, most);
}
