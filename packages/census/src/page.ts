// Prints a census as one HTML file in the look of all reports: shares by crawler, their course over the periods, groups, tables.
import {
  countTextOf,
  cutTextOf,
  html,
  type Markup,
  type MarkupPart,
  nothing,
  pageShell,
  partedBars,
  plotOf,
  plotWidth,
  shareTextOf,
  svgNumber,
  tableOf,
  type TableColumn,
} from "@robots-stream/audit/internal";
import type { CensusDocument, CensusSlice } from "./document.ts";
import {
  closedIn,
  type CrawlerShares,
  sharesOf,
  contentsTable,
  courseTable,
  groupTable,
  knownOf,
  periodsTextOf,
  type ReportTable,
  sentencesOf,
  sharesTable,
  slicesOfGroup,
} from "./report.ts";
import { type CountedTable, countedTables, type FileState, isOfCrawlers, tables } from "./tables.ts";

const shownBars = 25;
const mostRows = 400;
const shownKeys = 30;

/** Prints the page. Its Content-Security-Policy forbids all requests, and all scripts except the page's own. */
export function printHtml(document: CensusDocument, { title }: { readonly title?: string | undefined } = {}): string {
  const slices = slicesOfGroup(document, null);
  const last = slices.at(-1);
  const name = title ?? `${countTextOf(last === undefined ? 0 : knownOf(last))} sites`;
  return pageShell({
    title: name,
    kind: "robots.txt census",
    header: html`<small>robots-stream census</small>
      <h1>${name}</h1>
      <p class="muted">${periodsTextOf(slices)}</p>
      ${sentencesOf(document).map((sentence) => html`<p>${sentence}</p>`)}`,
    main: last === undefined ? nothing : sectionsOf(document, slices, last),
    footer: `states are proved over all URLs; ${document.parts.map(({ names }) => names.join(" ")).join("; ")}`,
  });
}

function sectionsOf(document: CensusDocument, slices: readonly CensusSlice[], last: CensusSlice): Markup {
  const known = knownOf(last);
  const alike = sharesOf(document, last);
  const shown = alike.slice(0, mostLines);
  const groups = groupTable(document, shown);
  const course = [
    shareLines(slices, shown),
    reportTable("Closed origins by period", courseTable(document, shown), mostRows),
  ];
  return html`${sectionOf("shares", "Crawlers", aboutShares(known), [
    legend,
    stateBars(alike.slice(0, shownBars), known),
    reportTable("Origins by state for each crawler", sharesTable(alike, known), mostRows, alike.map(crawlersCell)),
  ])}
  ${sectionOf("course", "Closed over time", aboutCourse, slices.length < 2 ? [] : course)}
  ${sectionOf("groups", "Groups of origins", aboutGroups, groups.rows.length === 0 ? [] : [reportTable("Closed origins by group", groups, mostRows)])}
  ${sectionOf(
    "tables",
    "What the files say",
    "",
    countedTables.map((name) => contents(last, name)),
  )}`;
}

const aboutShares = (known: number): string =>
  `Of ${countTextOf(known)} origins that say what crawlers may fetch. Crawlers with the same numbers share a row. What a bar lacks has no robots.txt. The numbers behind the share are origins that are closed by the crawler's own group, by that of a fallback name, and by the group for *.`;
const aboutCourse =
  "The share of origins that are closed at the end of each period; in the table their number (+ closed in the period, − opened).";
const aboutGroups = "Closed origins of each group; missing are origins of the list that the sources lack.";

/** A section; nothing without content. */
function sectionOf(id: string, heading: string, about: string, content: readonly Markup[]): Markup {
  if (content.length === 0) return nothing;
  return html`<section id="${id}">
    <h2>${heading}</h2>
    ${about === "" ? nothing : html`<p>${about}</p>`} ${content}
  </section>`;
}

/** The crawlers of a row; a long list is folded. */
function crawlersCell({ crawlers, text }: CrawlerShares): Markup {
  const list = crawlers.join(", ");
  if (crawlers.length < 6) return html`${list}`;
  return html`<details>
    <summary>${text}</summary>
    ${list}
  </details>`;
}

/** A table about contents of files, with the rows of the most origins. */
function contents(last: CensusSlice, name: CountedTable): Markup {
  const { rows, other } = last.tables[name];
  if (rows.length === 0 || isOfCrawlers(name)) return nothing;
  const rest = html`<p class="muted">Names beyond the limit of the table: ${countTextOf(other)} counts.</p>`;
  return html`<h3>${tables[name].about}</h3>
    ${reportTable(tables[name].about, contentsTable(last, name), shownKeys)} ${other === 0 ? nothing : rest}`;
}

/** A table that can be sorted. `firstCells`: what stands in the first column instead of its texts. */
function reportTable(caption: string, table: ReportTable, most: number, firstCells?: readonly Markup[]): Markup {
  const rows = table.rows.map((texts, at) => ({ texts, first: firstCells?.[at] ?? texts[0]! }));
  type Row = (typeof rows)[number];
  const columns = table.heads.map((heading, at): TableColumn<Row> => {
    const cell = ({ texts, first }: Row): MarkupPart => (at === 0 ? first : texts[at]!);
    if (at < (table.names ?? 1)) return { heading, cell, isWide: true };
    return { heading, cell, value: ({ texts }) => Number.parseFloat(texts[at]!.replaceAll(",", "")) || 0 };
  });
  return tableOf(caption, columns, rows, most);
}

/** The states with their names and colours, from the left. */
const shownStates: readonly (readonly [state: FileState, name: string, color: string])[] = [
  ["closed", "closed", "f-violation"],
  ["mostly-closed", "mostly closed", "f-grace"],
  ["partly-closed", "partly closed", "f-bar"],
  ["open", "open", "f-allowed"],
  ["not-proved", "not proved", "f-undecidable"],
];

const legend = html`<ul class="legend">
  ${shownStates.map(
    ([, name, color]) =>
      html`<li>
        <svg aria-hidden="true" width="11" height="11"><rect class="${color}" width="11" height="11" /></svg>${name}
      </li>`,
  )}
</ul>`;

/** Bars of the states of crawlers as shares of `known` origins; what is missing has no robots.txt. */
function stateBars(rows: readonly CrawlerShares[], known: number): Markup {
  const title = "Origins by state, for each crawler";
  const text = rows.map((row) => `${row.text}: ${countTextOf(row.counts.closed)} closed`).join("; ");
  const bars = rows.map(({ text: name, counts }) => ({
    name,
    parts: shownStates.map(([state, , color]) => [color, counts[state]] as const),
    label: `${countTextOf(counts.closed)} · ${shareTextOf(counts.closed, known)}`,
  }));
  return figureOf(title, partedBars({ id: "states", title, text }, bars, known));
}

const height = 260;
const [top, bottom, left, right] = [14, 26, 50, 200] as const;
const inner = { width: plotWidth - left - right, height: height - top - bottom };

/** The colours of lines, which are legible as those of texts, and the dashes. */
const styles = [
  ["--bad", "none"],
  ["--tick", "7 3"],
  ["--good", "2 3"],
  ["--not-bound", "9 3 2 3"],
  ["--warn", "4 4"],
  ["--text", "1 4"],
] as const;

/** The number of lines that a plot can tell apart. */
const mostLines = styles.length;

/** Lines of the shares of closed origins over the periods, each with its name at its end. */
function shareLines(slices: readonly CensusSlice[], shown: readonly CrawlerShares[]): Markup {
  const shares = shown.map((alike) => slices.map((slice) => closedIn(slice, alike) / Math.max(1, knownOf(slice))));
  const most = Math.max(0.01, ...shares.flat());
  const xOf = (at: number): number => left + (at / Math.max(1, slices.length - 1)) * inner.width;
  const yOf = (share: number): number => top + inner.height * (1 - share / most);
  const grid = [0, 0.5, 1].map((part) => {
    const y = svgNumber(yOf(part * most));
    const text = html`<text x="${left - 8}" y="${y}" text-anchor="end">${shareTextOf(part * most, 1)}</text>`;
    return html`<path class="s-line" d="M${left} ${y}h${inner.width}" />${text}`;
  });
  const every = Math.ceil(slices.length / 8);
  const labels = slices.flatMap(({ period }, at) =>
    at % every === 0 ? [html`<text x="${svgNumber(xOf(at))}" y="${height - 8}">${period}</text>`] : [],
  );
  // Names stand below one another, in the order of the ends of their lines.
  let nameY = -Infinity;
  const lines = shown
    .map(({ text }, at) => ({ text, own: shares[at]!, style: styles[at]! }))
    .toSorted((one, other) => other.own.at(-1)! - one.own.at(-1)!)
    .map(({ text, own, style: [color, dashes] }) => {
      nameY = Math.max(yOf(own.at(-1)!) + 4, nameY + 13);
      const path = own
        .map((share, x) => `${x === 0 ? "M" : "L"}${svgNumber(xOf(x))} ${svgNumber(yOf(share))}`)
        .join("");
      const name = html`<text class="own" x="${plotWidth - right + 8}" y="${svgNumber(nameY)}"
        >${cutTextOf(text, 30)}</text
      >`;
      return html`<g color="var(${color})"
        ><path d="${path}" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="${dashes}" />${name}</g
      >`;
    });
  const words = shown.map(
    ({ text }, at) => `${text}: from ${shareTextOf(shares[at]![0]!, 1)} to ${shareTextOf(shares[at]!.at(-1)!, 1)}`,
  );
  const title = "Share of origins that are closed, by period";
  return figureOf(title, plotOf({ id: "course", title, text: words.join("; ") }, height, [grid, labels, lines]));
}

function figureOf(title: string, plot: Markup): Markup {
  return html`<figure class="scroll" tabindex="0" aria-label="${title}">${plot}</figure>`;
}
