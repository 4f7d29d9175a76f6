// Draws numbers of one unit as horizontal bars in SVG, each with its name and its parts.
import { countTextOf } from "../../report/numbers.ts";
import { cutTextOf } from "../../text/safe-text.ts";
import { type Markup, html, nothing } from "../markup.ts";
import { type PlotWords, plotOf, plotWidth, svgNumber } from "./plot.ts";

const left = 170;
const lineHeight = 20;
/** Room for the text behind the longest bar. */
const right = 90;

/** A bar: its name, its parts from the left, and its text. */
interface NamedBar {
  readonly name: string;
  readonly parts: readonly (readonly [color: string, count: number])[];
  readonly label: string;
  /** Whether the text stands at the beginning of the bar, which is in sight on a phone. Default: behind the bar. */
  readonly isLabelInside?: boolean;
}

/** A plot of bars. A bar of `most` has the full length. */
export function partedBars(words: PlotWords, bars: readonly NamedBar[], most: number): Markup {
  const scale = (plotWidth - left - right) / Math.max(1, most);
  const rows = bars.map(({ name, parts, label, isLabelInside = false }, at) => {
    const y = at * lineHeight + 2;
    let end = left;
    const rects = parts.map(([color, count]) => {
      const [start, length] = [end, count === 0 ? 0 : Math.max(1, count * scale)];
      end += length;
      return html`<rect
        class="${color}"
        x="${svgNumber(start)}"
        y="${y + 3}"
        width="${svgNumber(length)}"
        height="13"
      />`;
    });
    return html`<text class="name" x="${left - 10}" y="${y + 13}" text-anchor="end">${cutTextOf(name, 26)}</text
      >${rects}<text${isLabelInside ? html` class="name"` : nothing} x="${svgNumber((isLabelInside ? left : end) + 6)}" y="${y + 13}">${label}</text>`;
  });
  return plotOf(words, bars.length * lineHeight + 4, rows);
}

/** A plot of bars of one part; `id` is unique on the page. */
export function namedBars(
  id: string,
  title: string,
  bars: readonly { readonly name: string; readonly count: number }[],
): Markup {
  const text = bars.map(({ name, count }) => `${name}: ${countTextOf(count)}`).join("; ");
  const rows = bars.map(({ name, count }): NamedBar => ({
    name,
    parts: [["f-bar", count]],
    label: countTextOf(count),
    isLabelInside: true,
  }));
  return partedBars({ id, title, text }, rows, Math.max(...bars.map(({ count }) => count)));
}

/** A thin bar under a number in a table. It repeats the number as a length. */
export function thinBar(count: number, most: number): Markup {
  const length = most === 0 ? 0 : Math.max(1, (count / most) * 80);
  return html`<svg aria-hidden="true" width="${svgNumber(length)}" height="2">
    <rect class="f-bar" width="${svgNumber(length)}" height="2" />
  </svg>`;
}
