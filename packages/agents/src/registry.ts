// Every crawler known, in the order of the tables, and the one that a product token names.
import { ai } from "./crawlers/ai.ts";
import { google } from "./crawlers/google.ts";
import { microsoft } from "./crawlers/microsoft.ts";
import { others } from "./crawlers/others.ts";
import { search } from "./crawlers/search.ts";
import { yandex } from "./crawlers/yandex.ts";
import type { Crawler } from "./types.ts";

/** The day the data was last gone through, as YYYY-MM-DD. */
export const dataVersion = "2026-11-21";

/** Every crawler known; each token comes once, whatever the case of its letters. */
export const crawlers: readonly Crawler[] = Object.freeze([
  ...google,
  ...microsoft,
  ...yandex,
  ...search,
  ...ai,
  ...others,
]);

const byToken: ReadonlyMap<string, Crawler> = new Map(
  crawlers.map((crawler) => [crawler.token.toLowerCase(), crawler]),
);

/** The crawler with this product token, in any case of letters; undefined when it is not known. */
export function crawlerOf(token: string): Crawler | undefined {
  return byToken.get(token.toLowerCase());
}
