// Prints columns and rows as an HTML table that the page's script can sort.
import { amountOf, countTextOf } from "../report/numbers.ts";
import { type Markup, type MarkupPart, html, nothing } from "./markup.ts";

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
