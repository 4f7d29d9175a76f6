// Prints a census as one HTML file in the look of all reports: shares by crawler, their course over the periods, groups, tables.
import {
  countTextOf,
  html,
  type Markup,
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
  courseTable,
  crawlersTextOf,
  groupTable,
  knownOf,
  nothingCounted,
  type ReportTable,
  sentencesOf,
  sharesOf,
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
  const number = (heading: string, value: (row: AlikeCrawlers) => number): TableColumn<AlikeCrawlers> => ({
    heading,
    cell: (row) => countTextOf(value(row)),
    value,
  });
  const columns: readonly TableColumn<AlikeCrawlers>[] = [
    { heading: "Crawlers", cell: crawlersCell, isWide: true },
    ...shownStates.map(([state, heading]) => number(heading, ({ shares }) => shares.states[state])),
    {
      heading: "closed, share",
      cell: ({ shares }) => shareTextOf(shares.states.closed, known),
      value: ({ shares }) => shares.states.closed,
    },
    {
      heading: "by its group · a fallback's · *",
      cell: ({ shares: { closedBy } }) =>
        [closedBy.own, closedBy.fallback, closedBy.everybody].map(countTextOf).join(" · "),
      value: ({ shares }) => shares.closedBy.own,
    },
    number("named", ({ shares }) => shares.named),
  ];
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
      What a bar lacks has no robots.txt.
    </p>
    <ul class="legend">
      ${legend}
    </ul>
    ${stateBars(alike.slice(0, shownBars), known)}
    ${tableOf("Origins by state for each crawler", columns, alike, mostRows)}
  </section>`;
}

/** The crawlers of a row; a long list is folded. */
function crawlersCell(row: AlikeCrawlers): Markup {
  const { crawlers } = row;
  if (crawlers.length < 6) return html`${crawlers.join(", ")}`;
  return html`<details>
    <summary>${crawlersTextOf(row)}</summary>
    ${crawlers.join(", ")}
  </details>`;
}

function courseSection(
  document: CensusDocument,
  slices: readonly CensusSlice[],
  alike: readonly AlikeCrawlers[],
): Markup {
  if (slices.length < 2) return nothing;
  const shown = alike.slice(0, mostLines);
  const closed = slices.map(
    (slice) => new Map(sharesOf(document, slice).map(({ productToken, states }) => [productToken, states.closed])),
  );
  const courses = shown.map((row): Course => ({
    name: crawlersTextOf(row),
    points: slices.map((slice, at) => ({ count: closed[at]!.get(row.crawlers[0]!)!, of: knownOf(slice) })),
  }));
  const periods = slices.map(({ period }) => period);
  return html`<section id="course">
    <h2>Closed over time</h2>
    <p>
      The share of origins that are closed at the end of each period; in the table their number (+ closed in the period,
      − opened).
    </p>
    ${shareLines(periods, courses)} ${reportTable("Closed origins by period", courseTable(document, shown))}
  </section>`;
}

function groupsSection(document: CensusDocument, alike: readonly AlikeCrawlers[]): Markup {
  const table = groupTable(document, alike.slice(0, mostLines));
  if (table.rows.length === 0) return nothing;
  return html`<section id="groups">
    <h2>Groups of origins</h2>
    <p>Closed origins of each group; missing are origins of the list that the sources lack.</p>
    ${reportTable("Closed origins by group", table)}
  </section>`;
}

function reportTable(caption: string, { heads, rows }: ReportTable): Markup {
  const columns = heads.map((heading, at): TableColumn<readonly string[]> => {
    const column = { heading, cell: (row: readonly string[]) => row[at]! };
    return at === 0 ? column : { ...column, value: (row) => Number.parseInt(row[at]!.replaceAll(",", ""), 10) };
  });
  return tableOf(caption, columns, rows, mostRows);
}

/** The other tables, each with the rows of the most origins. */
function tablesSection(last: CensusSlice): Markup {
  const sections = tableNames.flatMap((name) => {
    const { rows, other } = last.tables[name];
    if (rows.length === 0) return [];
    const countOf = (row: CountRow): number => row.at(-1) as number;
    const whole = wholeOf(last, name);
    const columns: readonly TableColumn<CountRow>[] = [
      ...tables[name].columns.map((heading, at) => ({
        heading,
        cell: (row: CountRow) => String(row[at]),
        isWide: true,
      })),
      { heading: "origins", cell: (row) => countTextOf(countOf(row)), value: countOf },
      { heading: `of ${countTextOf(whole)}`, cell: (row) => shareTextOf(countOf(row), whole), value: countOf },
    ];
    const sorted = rows.toSorted((one, another) => countOf(another) - countOf(one));
    return [
      html`<h3>${tables[name].about}</h3>
        ${tableOf(tables[name].about, columns, sorted, shownKeys)}
        ${other === 0 ? nothing : html`<p class="muted">Names beyond the limit of the table: ${countTextOf(other)} counts.</p>`}`,
    ];
  });
  return html`<section id="tables">
    <h2>What the files say</h2>
    ${sections}
  </section>`;
}
