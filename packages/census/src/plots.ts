// Draws the plots of a census in SVG: the states of crawlers as stacked bars, and shares over the periods as lines.
import { countTextOf, cutTextOf, html, type Markup, shareTextOf, svgNumber } from "@robots-stream/audit/internal";
import { type AlikeCrawlers, crawlersTextOf } from "./report.ts";
import type { FileState } from "./states.ts";

const width = 1_040;
const left = 220;
const barHeight = 20;

/** The states with their names and colours, from the left. */
export const shownStates: readonly (readonly [state: FileState, name: string, color: string])[] = [
  ["closed", "closed", "f-violation"],
  ["mostly-closed", "mostly closed", "f-grace"],
  ["partly-closed", "partly closed", "f-bar"],
  ["open", "open", "f-allowed"],
  ["not-proved", "not proved", "f-undecidable"],
];

/** Bars of the states of crawlers as shares of `known` origins; what is missing has no robots.txt. */
export function stateBars(rows: readonly AlikeCrawlers[], known: number): Markup {
  const height = rows.length * barHeight + 4;
  const inner = width - left - 110;
  const bars = rows.map((row, at) => {
    const y = at * barHeight + 2;
    let x = left;
    const parts = shownStates.map(([state, , color]) => {
      const length = (row.shares.states[state] / Math.max(1, known)) * inner;
      const part = html`<rect
        class="${color}"
        x="${svgNumber(x)}"
        y="${y + 3}"
        width="${svgNumber(length)}"
        height="13"
      />`;
      x += length;
      return part;
    });
    const { closed } = row.shares.states;
    return html`<text class="name" x="${left - 10}" y="${y + 13}" text-anchor="end"
        >${cutTextOf(crawlersTextOf(row), 34)}</text
      >
      ${parts}<text x="${left + inner + 6}" y="${y + 13}"
        >${countTextOf(closed)} · ${shareTextOf(closed, known)}</text
      >`;
  });
  const words = rows.map((row) => `${crawlersTextOf(row)}: ${countTextOf(row.shares.states.closed)} closed`).join("; ");
  return figure("states", "Origins by state, for each crawler", words, height, bars);
}

/** The course of a share: the numbers of origins, and of how many, in each period. */
export interface Course {
  readonly name: string;
  readonly points: readonly { readonly count: number; readonly of: number }[];
}

const plotHeight = 260;
const [top, bottom, plotLeft, plotRight] = [14, 26, 50, 200] as const;
const strokes = ["--violation", "--tick", "--good", "--not-bound", "--grace", "--muted"] as const;
const dashes = ["none", "7 3", "2 3", "9 3 2 3", "4 4", "1 4"] as const;

/** Lines of shares over the periods. */
export function shareLines(periods: readonly string[], courses: readonly Course[]): Markup {
  const shareOf = ({ count, of }: Course["points"][number]): number => (of === 0 ? 0 : count / of);
  const most = Math.max(0.01, ...courses.flatMap(({ points }) => points.map(shareOf)));
  const inner = { width: width - plotLeft - plotRight, height: plotHeight - top - bottom };
  const xOf = (at: number): number => plotLeft + (periods.length < 2 ? 0 : (at / (periods.length - 1)) * inner.width);
  const yOf = (share: number): number => top + inner.height * (1 - share / most);
  const grid = [0, 0.5, 1].map((part) => {
    const y = svgNumber(yOf(part * most));
    const text = html`<text x="${plotLeft - 8}" y="${y}" text-anchor="end">${shareTextOf(part * most, 1)}</text>`;
    return html`<path class="s-line" d="M${plotLeft} ${y}h${inner.width}" />${text}`;
  });
  const every = Math.max(1, Math.ceil(periods.length / 8));
  const labels = periods.flatMap((period, at) =>
    at % every === 0 ? [html`<text x="${svgNumber(xOf(at))}" y="${plotHeight - 8}">${period}</text>`] : [],
  );
  // Labels at the ends of the lines stand below one another, in the order of the lines.
  let labelY = -Infinity;
  const ends = courses
    .map(({ name, points }, at) => ({ name, at, y: yOf(shareOf(points.at(-1)!)) + 4 }))
    .toSorted((one, other) => one.y - other.y)
    .map(({ name, at, y }) => {
      labelY = Math.max(y, labelY + 13);
      const x = width - plotRight + 8;
      return html`<text x="${x}" y="${svgNumber(labelY)}" fill="var(${strokes[at]!})">${cutTextOf(name, 30)}</text>`;
    });
  const lines = courses.map(({ points }, at) => {
    const path = points.map(
      (point, x) => `${x === 0 ? "M" : "L"}${svgNumber(xOf(x))} ${svgNumber(yOf(shareOf(point)))}`,
    );
    const [stroke, dash] = [strokes[at]!, dashes[at]!];
    return html`<path
      d="${path.join("")}"
      fill="none"
      stroke="var(${stroke})"
      stroke-width="2"
      stroke-dasharray="${dash}"
    />`;
  });
  const words = courses.map(({ name, points }) => {
    const [first, last] = [points[0]!, points.at(-1)!];
    return `${name}: from ${shareTextOf(first.count, first.of)} to ${shareTextOf(last.count, last.of)}`;
  });
  const title = "Share of origins that are closed, by period";
  return figure("course", title, words.join("; "), plotHeight, [...grid, ...labels, ...lines, ...ends]);
}

/** The number of lines that a plot can tell apart. */
export const mostLines: number = strokes.length;

function figure(id: string, title: string, words: string, height: number, content: readonly Markup[]): Markup {
  return html`<figure class="scroll" tabindex="0" aria-label="${title}">
    <svg
      role="img"
      aria-labelledby="${id}-title ${id}-text"
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
    >
      <title id="${id}-title">${title}</title>
      <desc id="${id}-text">${words}</desc>
      ${content}
    </svg>
  </figure>`;
}
