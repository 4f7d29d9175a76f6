// Formats what cells of several tables have in common.
import { cutTextOf } from "../text/safe-text.ts";
import { type Markup, html } from "./markup.ts";

/** The minimum number of requests or visits for which a rate is shown. */
export const leastForRate = 50;

/** The maximum number of characters of a text in a title, which browsers show for a text that is cut. */
const mostOfTitle = 2_000;

/** A path, a pattern or a header as code. If it is longer than `width`, its middle is cut out, and its title has the whole text. */
export function codeOf(text: string, width: number, before = ""): Markup {
  const shown = cutTextOf(text, width);
  if (shown === text) return html`<code>${before}${text}</code>`;
  return html`<code title="${cutTextOf(text, mostOfTitle)}">${before}${shown}</code>`;
}
