// Draws requests by day and state, or by day and purpose, as stacked bars in SVG, with labels for events, a legend and a table.
import type { CrawlerRow } from "../../report/crawler-rows.ts";
import { amountOf, listTextOf, orDash, shortCountOf } from "../../report/numbers.ts";
import { type DayBar, type DayCounts, type PlotEvent, plotPurposes } from "../../report/plots.ts";
import type { AuditReport } from "../../report/report.ts";
import { purposeTextOf } from "../../report/words.ts";
import { calendarDayOf, dayTextOf, isoDayOf } from "../../time.ts";
import { type Markup, html, nothing } from "../markup.ts";
import { type PageLimits, type TableColumn, tableOf } from "../table.ts";
import { plotOf, plotWidth as width, rectanglePath, svgNumber, ticksOf } from "./plot.ts";

/** Requests by day and state. */
export function statePlot(report: AuditReport, limits: PageLimits): Markup {
  const { days, events } = report;
  return dayPlot({ id: "bars", by: "state", days, parts: statesOf(report), events }, report, limits);
}

/** Requests by day and purpose. */
export function purposePlot(report: AuditReport, limits: PageLimits): Markup {
  const { purposeDays } = report;
  const parts = plotPurposes
    .map((key, at) => ({ key, words: purposeTextOf(key), color: `f-p${at}` }))
    .filter(({ key }) => purposeDays.some((day) => day[key] > 0));
  return dayPlot({ id: "purposes-plot", by: "purpose", days: purposeDays, parts, events: [] }, report, limits);
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

function dayPlot<Name extends string>(
  plot: StackedBars<Name>,
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

const height = 202;
const left = 44;
const top = 38;
const bottom = 24;

/** A part of a bar: the member with its number, its name on the page, and the CSS class with its colour. */
interface BarPart<Name extends string> {
  readonly key: Name;
  readonly words: string;
  readonly color: string;
}

/** A bar of one or more days. */
type Bar<Name extends string> = DayCounts<Name> & { readonly days: number };

/** The maximum number of bars. If there are more days, each bar is one or more weeks. */
const mostBars = 130;

/** Combines days into at most 130 bars. */
function shownBarsOf<Name extends string>(
  days: readonly DayCounts<Name>[],
  parts: readonly BarPart<Name>[],
): readonly Bar<Name>[] {
  const length = days.length <= mostBars ? 1 : Math.ceil(days.length / mostBars / 7) * 7;
  return Array.from({ length: Math.ceil(days.length / length) }, (_, at) => {
    const own = days.slice(at * length, (at + 1) * length);
    const sums = parts.map(({ key }) => [key, own.reduce((sum, day) => sum + day[key], 0)] as const);
    return { ...(Object.fromEntries(sums) as Record<Name, number>), day: own[0]!.day, days: own.length };
  });
}

/** What a plot of bars shows. */
interface StackedBars<Name extends string> {
  /** A name that is unique on the page. */
  readonly id: string;
  /** The end of the title: "state". */
  readonly by: string;
  readonly days: readonly DayCounts<Name>[];
  /** The parts of each bar from the bottom to the top. */
  readonly parts: readonly BarPart<Name>[];
  readonly events: readonly PlotEvent[];
}

/** The plot, with a title and a description in words. */
function stackedBars<Name extends string>({ id, by, days, parts, events }: StackedBars<Name>): Markup {
  const bars = shownBarsOf(days, parts);
  const sumOfBar = (bar: Bar<Name>): number => parts.reduce((sum, { key }) => sum + bar[key], 0);
  const most = Math.max(1, ...bars.map(sumOfBar));
  const inner = { width: width - left, height: height - top - bottom };
  const step = inner.width / bars.length;
  const heightOf = (count: number): number => (count / most) * inner.height;
  const paths = parts.map(({ key, color }, index) => {
    const below = parts.slice(0, index);
    const path = bars
      .map((bar, at) => {
        const count = bar[key];
        if (count === 0) return "";
        const base = below.reduce((sum, other) => sum + bar[other.key], 0);
        const y = top + inner.height - heightOf(base + count);
        return rectanglePath(left + at * step + 1, y, Math.max(1, step - 2), Math.max(0.6, heightOf(count)));
      })
      .join("");
    return path === "" ? nothing : html`<path class="${color}" d="${path}" />`;
  });
  const lines = ticksOf(most, 4).map((tick) => {
    const y = top + inner.height - heightOf(tick);
    return html`<path class="s-line" d="M${left} ${svgNumber(y)}h${inner.width}" /><text
        x="${left - 8}"
        y="${svgNumber(y + 4)}"
        text-anchor="end"
        >${shortCountOf(tick)}</text
      >`;
  });
  const total = bars.reduce((sum, bar) => sum + sumOfBar(bar), 0);
  const unit = (bars[0]?.days ?? 1) === 1 ? "day" : `${bars[0]!.days} days`;
  const title = `Requests by crawlers by ${unit} and ${by}`;
  const text = `${amountOf(total, "request")}; at most ${amountOf(most, "request")} in one bar. The table below has the numbers.`;
  return plotOf({ id, title, text }, height, [
    lines,
    paths,
    dayLabels(bars, step),
    eventLines(events, days, inner.width),
  ]);
}

/** The days of a bar. */
type Days = { readonly day: number; readonly days: number };

function dayLabels(bars: readonly Days[], step: number): readonly Markup[] {
  const every = Math.max(1, Math.ceil(bars.length / 7));
  const [first, last] = [bars[0], bars.at(-1)].map((bar) => calendarDayOf(bar?.day ?? 0).year);
  return bars.flatMap((bar, at) =>
    at % every === 0
      ? [
          html`<text x="${svgNumber(left + at * step + 1)}" y="${height - 8}"
            >${dayTextOf(bar.day, first !== last).replace(/([A-Z][a-z]{2})[a-z]+/u, "$1")}</text
          >`,
        ]
      : [],
  );
}

/** The maximum number of events with a label. More labels would overlap. */
const mostEvents = 6;

function eventLines(
  events: readonly PlotEvent[],
  days: readonly { readonly day: number }[],
  innerWidth: number,
): readonly Markup[] {
  const first = days[0]?.day ?? 0;
  return events.slice(0, mostEvents).map(({ days: position, text }, at) => {
    const x = left + ((position - first) / Math.max(1, days.length)) * innerWidth;
    const isRight = x > width - 160;
    return html`<path class="s-event" d="M${svgNumber(x)} ${top - 26 + (at % 2) * 12}V${height - bottom}" /><text
        x="${svgNumber(isRight ? x - 4 : x + 4)}"
        y="${top - 18 + (at % 2) * 12}"
        text-anchor="${isRight ? "end" : "start"}"
        >${text}</text
      >`;
  });
}

/** The days of a bar, as text. */
function barTextOf(bar: Days): string {
  return bar.days === 1 ? isoDayOf(bar.day) : `${isoDayOf(bar.day)} and ${bar.days - 1} more`;
}
