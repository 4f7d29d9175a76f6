// Prints the page's plots of requests by day, each with its legend and its table.
import { listTextOf, orDash } from "../report/numbers.ts";
import { type DayBar, type DayCounts, type PlotEvent, plotPurposes } from "../report/plot-types.ts";
import { purposeTextOf } from "../report/purpose-words.ts";
import type { AuditReport, CrawlerRow } from "../report/types.ts";
import type { PageLimits } from "./limits.ts";
import { type Markup, html, nothing } from "./markup.ts";
import { type Bar, type BarPart, barTextOf, shownBarsOf, stackedBars } from "./plots/stacked-bars.ts";
import { type TableColumn, tableOf } from "./table.ts";

/** Requests by day and state. */
export function statePlot(report: AuditReport, limits: PageLimits): Markup {
  const { days, events } = report;
  return plotOf({ id: "bars", by: "state", days, parts: statesOf(report), events }, report, limits);
}

/** Requests by day and purpose. */
export function purposePlot(report: AuditReport, limits: PageLimits): Markup {
  const { purposeDays } = report;
  const parts = plotPurposes
    .map((key, at) => ({ key, words: purposeTextOf(key), color: `f-p${at}` }))
    .filter(({ key }) => purposeDays.some((day) => day[key] > 0));
  return plotOf({ id: "purposes-plot", by: "purpose", days: purposeDays, parts, events: [] }, report, limits);
}

/** The states of the plot. The name of violations states whether some of them are assumed or disputed. */
function statesOf({ crawlerRows }: AuditReport): readonly BarPart<Exclude<keyof DayBar, "day">>[] {
  const sumOf = (count: (row: CrawlerRow) => number): number => crawlerRows.reduce((sum, row) => sum + count(row), 0);
  const proven = sumOf((row) => row.proven.violations);
  const kinds = [
    ...(proven > 0 ? ["proven"] : []),
    ...(sumOf((row) => row.assumed) > 0 ? ["assumed"] : []),
    ...(sumOf((row) => row.violations - row.proven.violations - row.assumed) > 0 ? ["disputed"] : []),
  ];
  const words = kinds.join() === "proven" || kinds.length === 0 ? "violation" : `violation, ${listTextOf(kinds, "or")}`;
  return [
    { key: "allowed", words: "allowed", color: "f-allowed" },
    { key: "grace", words: "in grace", color: "f-grace" },
    { key: "violation", words, color: "f-violation" },
    { key: "notBound", words: "not bound", color: "f-not-bound" },
    { key: "undecidable", words: "undecidable", color: "f-undecidable" },
  ];
}

interface Plot<Name extends string> {
  readonly id: string;
  readonly by: string;
  readonly days: readonly DayCounts<Name>[];
  readonly parts: readonly BarPart<Name>[];
  readonly events: readonly PlotEvent[];
}

function plotOf<Name extends string>(
  plot: Plot<Name>,
  { plotNote }: Pick<AuditReport, "plotNote">,
  { rows }: PageLimits,
): Markup {
  const { by, days, parts } = plot;
  if (days.length < 2) return nothing;
  const legend = parts.map(
    ({ words, color }) =>
      html`<li>
        <svg aria-hidden="true" width="10" height="10"><rect class="${color}" width="10" height="10" /></svg>${words}
      </li>`,
  );
  const bars = shownBarsOf(days, parts);
  const columns: readonly TableColumn<Bar<Name>>[] = [
    { heading: "Day", cell: barTextOf },
    ...parts.map(({ key, words }) => ({
      heading: words,
      cell: (bar: Bar<Name>) => orDash(bar[key]),
      value: (bar: Bar<Name>) => bar[key],
    })),
  ];
  return html`<ul class="legend">
      ${legend}
    </ul>
    <figure class="scroll" tabindex="0" aria-label="Requests by day and ${by}">${stackedBars(plot)}</figure>
    ${plotNote === "" ? nothing : html`<p class="muted">${plotNote}</p>`}
    <details>
      <summary>As a table</summary>
      ${tableOf(`Requests by day and ${by}`, columns, bars.slice(-rows), rows)}
    </details>`;
}
