// Makes the frame of a plot in SVG: its size, its title, and its description in words.
import { type Markup, type MarkupPart, html } from "../markup.ts";

/** The width of every plot. */
export const plotWidth = 1_040;

/** What a plot is for readers who do not see it. */
export interface PlotWords {
  /** A name that is unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** The plot. */
export function plotOf({ id, title, text }: PlotWords, height: number, content: MarkupPart): Markup {
  return html`<svg
    role="img"
    aria-labelledby="${id}-title ${id}-text"
    viewBox="0 0 ${plotWidth} ${height}"
    width="${plotWidth}"
    height="${height}"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-text">${text}</desc>
    ${content}
  </svg>`;
}
