// Draws numbers of one unit as horizontal bars in SVG, each with its name and number.
import { countTextOf } from "../../report/numbers.ts";
import { cutTextOf } from "../../text/safe-text.ts";
import { type Markup, html } from "../markup.ts";
import { svgNumber } from "./scale.ts";

const width = 1_040;
const left = 170;
const lineHeight = 20;

/** A plot of bars; `id` is unique on the page. */
export function namedBars(
  id: string,
  title: string,
  bars: readonly { readonly name: string; readonly count: number }[],
): Markup {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const height = bars.length * lineHeight + 4;
  const rows = bars.map(({ name, count }, at) => {
    const y = at * lineHeight + 2;
    const length = Math.max(1, (count / most) * (width - left - 90));
    return html`<text class="name" x="${left - 10}" y="${y + 13}" text-anchor="end">${cutTextOf(name, 26)}</text
      ><rect class="f-bar" x="${left}" y="${y + 3}" width="${svgNumber(length)}" height="13" /><text
        x="${svgNumber(left + length + 6)}"
        y="${y + 13}"
        >${countTextOf(count)}</text
      >`;
  });
  return html`<svg
    role="img"
    aria-labelledby="${id}-title ${id}-text"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-text">${bars.map(({ name, count }) => `${name}: ${countTextOf(count)}`).join("; ")}</desc>
    ${rows}
  </svg>`;
}

/** A thin bar under a number in a table. It repeats the number as a length. */
export function thinBar(count: number, most: number): Markup {
  const length = most === 0 ? 0 : Math.max(1, (count / most) * 80);
  return html`<svg aria-hidden="true" width="${svgNumber(length)}" height="2">
    <rect class="f-bar" width="${svgNumber(length)}" height="2" />
  </svg>`;
}
