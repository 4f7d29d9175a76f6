// Draws the fetches of /robots.txt as SVG: one lane for each crawler, over bands for the versions of the file.
import { amountOf } from "../../report/numbers.ts";
import type { Lanes } from "../../report/plots.ts";
import { cutTextOf } from "../../text/safe-text.ts";
import { secondsPerHour } from "../../time.ts";
import { type Markup, html } from "../markup.ts";
import { plotOf, plotWidth as width, svgNumber } from "./plot.ts";

const left = 170;
const laneHeight = 20;
/** The maximum number of bands with labels and colours of their own. More labels would overlap. */
const mostBands = 40;
/** The least distance of two ticks in pixels. Fetches that are closer share a tick. */
const tickStep = 3;

/** Draws the plot. A tick is a successful fetch of /robots.txt, or several that are close. */
export function fetchLanes({ from, to, bands, lanes, isSampled }: Lanes): Markup {
  const bodyHeight = lanes.length * laneHeight;
  const xOf = (atSeconds: number): number =>
    left + (Math.min(Math.max(atSeconds - from, 0), to - from) / (to - from)) * (width - left - 4);
  const shownBands = bands.slice(0, mostBands);
  const areas = shownBands.map((band, at) => {
    const [start, end] = [xOf(band.from), xOf(band.to)];
    const color = band.isOutage ? "f-down" : at % 2 === 0 ? "f-band" : "f-band2";
    return html`<rect
      class="${color}"
      x="${svgNumber(start)}"
      y="0"
      width="${svgNumber(Math.max(1, end - start))}"
      height="${bodyHeight}"
    >
      <title>${band.label}</title>
    </rect>`;
  });
  let labelEnd = 0;
  const byStart = shownBands.toSorted((one, other) => one.from - other.from);
  const labels = byStart.flatMap((band) => {
    const x = xOf(band.from);
    if (x < labelEnd) return [];
    labelEnd = x + band.label.length * 7 + 8;
    return [html`<text x="${svgNumber(x + 2)}" y="${bodyHeight + 15}">${band.label}</text>`];
  });
  const rows = lanes.map(({ crawler, fetches }, at) => {
    const y = at * laneHeight;
    const shown = fetches.filter((fetch) => fetch + secondsPerHour > from && fetch <= to);
    const positions = [...new Set(shown.map((fetch) => Math.round(xOf(fetch) / tickStep) * tickStep))];
    const path = positions.map((x) => `M${x} ${y + 5}v10`).join("");
    const ticks =
      shown.length > 0
        ? html`<path class="s-tick" d="${path}" />`
        : html`<text x="${left + 10}" y="${y + 14}"
            >${isSampled ? "–" : fetches.length > 0 ? "no fetch in these days" : "no fetch in this log"}</text
          >`;
    return html`<text class="name" x="${left - 10}" y="${y + 14}" text-anchor="end">${cutTextOf(crawler, 26)}</text
      >${ticks}`;
  });
  const text = lanes
    .map(({ crawler, fetches }) => `${crawler}: ${amountOf(fetches.length, "hour")} with a fetch`)
    .join("; ");
  const title = "Fetches of robots.txt by crawler, over the versions of the file";
  return plotOf({ id: "lanes", title, text }, bodyHeight + 22, [areas, rows, labels]);
}
