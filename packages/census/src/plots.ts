// Draws the plots of a census in SVG: the states of crawlers as stacked bars, and shares over the periods as lines.
import {
  countTextOf,
  cutTextOf,
  html,
  type Markup,
  partedBars,
  plotOf,
  plotWidth,
  shareTextOf,
  svgNumber,
} from "@robots-stream/audit/internal";
import { type AlikeCrawlers, crawlersTextOf } from "./report.ts";
import type { FileState } from "./states.ts";

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
  const title = "Origins by state, for each crawler";
  const text = rows.map((row) => `${crawlersTextOf(row)}: ${countTextOf(row.shares.states.closed)} closed`).join("; ");
  const bars = rows.map((row) => {
    const { states } = row.shares;
    return {
      name: crawlersTextOf(row),
      parts: shownStates.map(([state, , color]) => [color, states[state]] as const),
      label: `${countTextOf(states.closed)} · ${shareTextOf(states.closed, known)}`,
    };
  });
  return figureOf(title, partedBars({ id: "states", title, text }, bars, known));
}

/** The course of a share: the numbers of origins, and of how many, in each period. */
export interface Course {
  readonly name: string;
  readonly points: readonly { readonly count: number; readonly of: number }[];
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
export const mostLines: number = styles.length;

/** Lines of shares over the periods, each with its name at its end. */
export function shareLines(periods: readonly string[], courses: readonly Course[]): Markup {
  const shares = courses.map(({ points }) => points.map(({ count, of }) => (of === 0 ? 0 : count / of)));
  const most = Math.max(0.01, ...shares.flat());
  const xOf = (at: number): number => left + (at / Math.max(1, periods.length - 1)) * inner.width;
  const yOf = (share: number): number => top + inner.height * (1 - share / most);
  const grid = [0, 0.5, 1].map((part) => {
    const y = svgNumber(yOf(part * most));
    const text = html`<text x="${left - 8}" y="${y}" text-anchor="end">${shareTextOf(part * most, 1)}</text>`;
    return html`<path class="s-line" d="M${left} ${y}h${inner.width}" />${text}`;
  });
  const every = Math.ceil(periods.length / 8);
  const labels = periods.flatMap((period, at) =>
    at % every === 0 ? [html`<text x="${svgNumber(xOf(at))}" y="${height - 8}">${period}</text>`] : [],
  );
  // Names stand below one another, in the order of the ends of their lines.
  let nameY = -Infinity;
  const lines = courses
    .map(({ name }, at) => ({ name, own: shares[at]!, style: styles[at]! }))
    .toSorted((one, other) => other.own.at(-1)! - one.own.at(-1)!)
    .map(({ name, own, style: [color, dashes] }) => {
      nameY = Math.max(yOf(own.at(-1)!) + 4, nameY + 13);
      const path = own
        .map((share, x) => `${x === 0 ? "M" : "L"}${svgNumber(xOf(x))} ${svgNumber(yOf(share))}`)
        .join("");
      const text = html`<text class="own" x="${plotWidth - right + 8}" y="${svgNumber(nameY)}"
        >${cutTextOf(name, 30)}</text
      >`;
      return html`<g color="var(${color})"
        ><path d="${path}" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="${dashes}" />${text}</g
      >`;
    });
  const words = courses.map(({ name, points: [first, ...rest] }) => {
    const last = rest.at(-1) ?? first!;
    return `${name}: from ${shareTextOf(first!.count, first!.of)} to ${shareTextOf(last.count, last.of)}`;
  });
  const title = "Share of origins that are closed, by period";
  return figureOf(title, plotOf({ id: "course", title, text: words.join("; ") }, height, [grid, labels, lines]));
}

function figureOf(title: string, plot: Markup): Markup {
  return html`<figure class="scroll" tabindex="0" aria-label="${title}">${plot}</figure>`;
}
