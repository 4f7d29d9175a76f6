// Computes a page's directives and preferences for each crawler, from the page's header lines and HTML and from robots.txt. Uses no DOM.
import type { RobotsTxt } from "@robots-stream/core";
import { type PageDecision, decidePage, readXRobotsTag } from "@robots-stream/page";
import { readHtml } from "@robots-stream/page/html";
import { type PageValues, type Usage, createPreferences, pageValuesOf } from "@robots-stream/preferences";
import type { AskedCrawler } from "./crawlers.ts";

/** The directives of a page for a crawler, and the preferences about the use of its content. */
export interface PageAnswer {
  readonly crawler: AskedCrawler;
  readonly decision: PageDecision;
  readonly usage: Usage;
}

/** The answers for one URL, one for each crawler without a problem. */
export function pageAnswersOf(
  { headers, html, robots, url }: { headers: string; html: string; robots: RobotsTxt; url: string },
  crawlers: readonly AskedCrawler[],
): readonly PageAnswer[] {
  const asked = crawlers.filter(({ problem }) => problem === undefined);
  const fields = fieldsOf(headers);
  const tags = fields.filter(([name]) => name === "x-robots-tag").map(([, value]) => value);
  const page = readHtml(html, { productTokens: asked.map(({ productToken }) => productToken) });
  const statements = [...readXRobotsTag(tags), ...page.statements];
  const values = pageValuesOf(fields);
  return asked.map((crawler) => {
    const decision = decidePage(statements, crawler.productToken);
    const said: PageValues = {
      ...values,
      tdmReservation: [...(values.tdmReservation ?? []), ...oneOf(page.tdmReservation)],
      tdmPolicy: [...(values.tdmPolicy ?? []), ...oneOf(page.tdmPolicy)],
      directives: [...decision.because, ...decision.ignored.filter(({ because }) => because !== "other-crawler")].map(
        ({ directive }) => directive.name,
      ),
    };
    const names = crawler.known ?? { names: [crawler.productToken] };
    return { crawler, decision, usage: createPreferences(robots, names).usageAt(url, said) };
  });
}

/** The fields of header lines as copied from a browser or from curl; a status line and other lines are skipped. */
export function fieldsOf(headers: string): readonly (readonly [name: string, value: string])[] {
  return headers.split(/\r\n?|\n/u).flatMap((line) => {
    const [, name, value] = /^[<>]?\s*([!#$%&'*+.^_`|~\w-]+):(.*)$/u.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()] as const];
  });
}

function oneOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}
