// Prints columns and rows as an HTML table that the page's script can sort, and formats what the cells of several tables have in common.
import { amountOf, countTextOf, orDash } from "../report/numbers.ts";
import { cutTextOf } from "../text/safe-text.ts";
import { type Markup, type MarkupPart, html, nothing } from "./markup.ts";

/** The maximum numbers of rows and details on a page. JSON and CSV are complete. */
export interface PageLimits {
  readonly rows: number;
  readonly findings: number;
  /** The maximum number of origins whose intervals are shown. */
  readonly origins: number;
  readonly intervals: number;
  /** The maximum number of crawlers that are shown for an interval. */
  readonly uses: number;
  /** The maximum number of changed lines that are shown for an interval. */
  readonly changes: number;
  /** The maximum number of origins whose file is shown line by line. */
  readonly files: number;
  readonly lines: number;
}

/** The maximum size of a page in bytes. */
export const maxPageBytes = 300_000;

/** Limits, from the most detail to the least. A page is printed with the first limits that make it small enough. */
export const pageLimits: readonly PageLimits[] = [
  { rows: 100, findings: 30, origins: 12, intervals: 12, uses: 12, changes: 20, files: 3, lines: 250 },
  { rows: 100, findings: 30, origins: 8, intervals: 6, uses: 8, changes: 12, files: 2, lines: 200 },
  { rows: 100, findings: 20, origins: 4, intervals: 4, uses: 5, changes: 8, files: 1, lines: 100 },
  { rows: 60, findings: 20, origins: 3, intervals: 3, uses: 5, changes: 5, files: 1, lines: 60 },
  { rows: 25, findings: 12, origins: 2, intervals: 2, uses: 3, changes: 3, files: 1, lines: 30 },
  { rows: 10, findings: 8, origins: 1, intervals: 1, uses: 2, changes: 2, files: 0, lines: 0 },
];

/** The minimum number of requests or visits for which a rate is shown. */
export const leastForRate = 50;

/** The maximum number of characters of a text in a title, which browsers show for a text that is cut. */
const mostOfTitle = 2_000;

/** A path, a pattern or a header as code. If it is longer than `width`, its middle is cut out, and its title has the whole text. */
export function codeOf(text: string, width: number, before = ""): Markup {
  const shown = cutTextOf(text, width);
  if (shown === text) return html`<code>${before}${text}</code>`;
  return html`<code title="${cutTextOf(text, mostOfTitle)}">${before}${shown}</code>`;
}

/** A column of a table. */
export interface TableColumn<Row> {
  readonly heading: string;
  /** The content of a cell. */
  readonly cell: (row: Row) => MarkupPart;
  /** For a column of numbers: the number by which its rows are sorted. */
  readonly value?: (row: Row) => number;
  /** Whether the column contains long texts. */
  readonly isWide?: boolean;
}

/** A column of numbers, with a dash for 0 and for a number that is not known. */
export function numberColumn<Row>(heading: string, numberOf: (row: Row) => number | null): TableColumn<Row> {
  return { heading, cell: (row) => orDash(numberOf(row)), value: (row) => numberOf(row) ?? 0 };
}

/** The most columns of a table with the usual padding. */
const mostColumns = 6;

/** A card with a table of the first `most` rows, and the number of rows left out. */
export function tableOf<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  most: number,
): Markup {
  const heads = columns.map((column) => html`<th scope="col" ${classOf(column)}>${column.heading}</th>`);
  const lines = rows.slice(0, most).map(
    (row) =>
      html`<tr>
        ${columns.map((column) => cellOf(column, row))}
      </tr> `,
  );
  const rest = rows.length - most;
  return html`<div class="card">
      <div class="scroll" tabindex="0" role="region" aria-label="${caption}">
        <table data-sort${columns.length > mostColumns ? html` class="dense"` : nothing}>
          <caption hidden>
            ${caption}
          </caption>
          <thead>
            <tr>
              ${heads}
            </tr>
          </thead>
          <tbody>
            ${lines}
          </tbody>
        </table>
      </div>
    </div>
    ${rest > 0 ? html`<p class="muted">${amountOf(rest, "more row")} in JSON and CSV.</p>` : nothing} `;
}

function classOf<Row>({ value, isWide }: TableColumn<Row>): Markup {
  return value !== undefined ? html` class=n` : isWide === true ? html` class=wide` : nothing;
}

/** A cell. If its text is not the number by which its row is sorted, the attribute `data-value` has this number. */
function cellOf<Row>(column: TableColumn<Row>, row: Row): Markup {
  const shown = column.cell(row);
  const value = column.value?.(row);
  const isShown = value === undefined || shown === countTextOf(value) || (value === 0 && shown === "–");
  return html`<td${classOf(column)}${isShown ? nothing : html` data-value="${value}"`}>${shown}</td>`;
}
