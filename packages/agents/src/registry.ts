// Every crawler known, in the order of the tables, and the crawler of a product token.
import { ai } from "./crawlers/ai.ts";
import { google } from "./crawlers/google.ts";
import { microsoft } from "./crawlers/microsoft.ts";
import { others } from "./crawlers/others.ts";
import { search } from "./crawlers/search.ts";
import { yandex } from "./crawlers/yandex.ts";
import type { Crawler } from "./types.ts";

/** The day on which the data was last reviewed, as YYYY-MM-DD. */
export const dataVersion = "2026-11-21";

/** Every crawler known; no two product tokens differ by case alone. */
export const crawlers: readonly Crawler[] = Object.freeze([
  ...google,
  ...microsoft,
  ...yandex,
  ...search,
  ...ai,
  ...others,
]);

const byProductToken: ReadonlyMap<string, Crawler> = new Map(
  crawlers.map((crawler) => [crawler.productToken.toLowerCase(), crawler]),
);

/** The crawler with this product token, in any case of letters; undefined when it is not known. */
export function crawlerOf(productToken: string): Crawler | undefined {
  return byProductToken.get(productToken.toLowerCase());
}
