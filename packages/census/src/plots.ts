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
import type { CensusSlice } from "./document.ts";
import { closedIn, type CrawlerShares, knownOf } from "./report.ts";
import type { FileState } from "./tables.ts";

/** The states with their names and colours, from the left. */
export const shownStates: readonly (readonly [state: FileState, name: string, color: string])[] = [
  ["closed", "closed", "f-violation"],
  ["mostly-closed", "mostly closed", "f-grace"],
  ["partly-closed", "partly closed", "f-bar"],
  ["open", "open", "f-allowed"],
  ["not-proved", "not proved", "f-undecidable"],
];

/** Bars of the states of crawlers as shares of `known` origins; what is missing has no robots.txt. */
export function stateBars(rows: readonly CrawlerShares[], known: number): Markup {
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
export const mostLines: number = styles.length;

/** Lines of the shares of closed origins over the periods, each with its name at its end. */
export function shareLines(slices: readonly CensusSlice[], shown: readonly CrawlerShares[]): Markup {
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
