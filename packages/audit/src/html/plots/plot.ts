// Makes the frame of a plot in SVG, with its title and its description in words, and the round ticks of an axis.
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

/** Returns 0 and at most `wanted` further ticks up to `most`. Their distance is 1, 2 or 5 times a power of ten, and at least 1. */
export function ticksOf(most: number, wanted: number): readonly number[] {
  if (most <= 0) return [0];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

/** A number for SVG, with at most one decimal digit. */
export function svgNumber(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A rectangle as part of the data of an SVG path. */
export function rectanglePath(x: number, y: number, width: number, height: number): string {
  return `M${svgNumber(x)} ${svgNumber(y)}h${svgNumber(width)}v${svgNumber(height)}h${svgNumber(-width)}z`;
}
