// Prints the frame of a page: one HTML file that loads nothing, with the style and the script of all reports.
import { cutTextOf } from "../text/safe-text.ts";
import { scriptHash, styleHash } from "./hashes.ts";
import { Markup, html } from "./markup.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** The parts of a page. */
export interface PageParts {
  /** The title in the browser, which is cut. */
  readonly title: string;
  /** What kind of report the page is: "robots.txt audit". */
  readonly kind: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: string;
}

/** The text of a page. Its Content-Security-Policy forbids all requests, and all scripts except the page's own. */
export function pageShell({ title, kind, header, main, footer }: PageParts): string {
  const policy = `default-src 'none'; style-src '${styleHash}'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="generator" content="robots-stream" />
        <title>${cutTextOf(title, 120)}: ${kind}</title>
        ${new Markup(`<style>${style}</style>`)}
      </head>
      <body>
        <header>${header}</header>
        <main>${main}</main>
        <footer><small>robots-stream · ${footer}</small></footer>
        ${new Markup(`<script>${script}</script>`)}
      </body>
    </html> `;
  return `${page.text.trim()}\n`;
}
