// The registry of known crawlers, in the order of the tables, and the look-up of a crawler by its product token.
import { checkArgument } from "./errors.ts";
import { ai } from "./crawlers/ai.ts";
import { aiListed } from "./crawlers/ai-listed.ts";
import { aiOthers } from "./crawlers/ai-others.ts";
import { google } from "./crawlers/google.ts";
import { microsoft } from "./crawlers/microsoft.ts";
import { others } from "./crawlers/others.ts";
import { programs } from "./crawlers/programs.ts";
import { search } from "./crawlers/search.ts";
import { seo } from "./crawlers/seo.ts";
import { yandex } from "./crawlers/yandex.ts";
import type { Crawler } from "./types.ts";

/** The day on which the data was last reviewed, as YYYY-MM-DD. */
export const dataVersion = "2026-11-28";

/** All known crawlers. No two product tokens differ only in letter case. */
export const crawlers: readonly Crawler[] = Object.freeze([
  ...google,
  ...microsoft,
  ...yandex,
  ...search,
  ...ai,
  ...aiOthers,
  ...aiListed,
  ...seo,
  ...others,
  ...programs,
]);

const byProductToken: ReadonlyMap<string, Crawler> = new Map(
  crawlers.map((crawler) => [crawler.productToken.toLowerCase(), crawler]),
);

/** The crawler with a product token, in any letter case; undefined for an unknown product token. */
export function crawlerOf(productToken: string): Crawler | undefined {
  checkArgument(typeof productToken === "string", "A product token is a string");
  return byProductToken.get(productToken.toLowerCase());
}
