// Adds the caller's own crawlers to the registry, and finds crawlers by product token and by User-Agent header.
import { checkArgument } from "./errors.ts";
import { crawlersOf } from "./crawlers/row.ts";
import { createRecognizer, productTokenOf } from "./product-token-of.ts";
import { crawlerOf, crawlers } from "./registry.ts";
import type { Crawler } from "./types.ts";
import { unknownProductTokenOf } from "./unknown-product-token-of.ts";

/**
 * A crawler that is not in the registry, or a replacement of the registry's crawler with the same product token. A member that is left out
 * has its default, not the value of the replaced crawler.
 */
export interface OwnCrawler {
  /** The crawler's name in robots.txt. */
  readonly productToken: string;
  /** Further names that the crawler looks for in a robots.txt, in order, after its product token. Default: none. */
  readonly names?: readonly string[];
  /**
   * The texts that identify the crawler's User-Agent headers, in any letter case: names as whole words, like `headerNames` of
   * `Crawler`; or patterns for the whole header, in which `*` matches any text. Default: the product token.
   */
  readonly headerNames?: readonly string[];
  /** Whether the groups for `*` bind the crawler if robots.txt has no group for any of the crawler's names. Default: true. */
  readonly boundByEverybody?: boolean;
  readonly operator?: string;
  readonly note?: string;
}

/** The registry, possibly with the caller's own crawlers. */
export interface CrawlerList {
  /** The caller's own crawlers, then the crawlers of the registry that none of them replaces. */
  readonly crawlers: readonly Crawler[];
  /** The crawler with a product token, in any letter case; undefined for an unknown product token. */
  crawlerOf(productToken: string): Crawler | undefined;
  /** The product token of the crawler that a header names; the caller's own crawlers come first. See `productTokenOf`. */
  productTokenOf(userAgentHeader: string): string | undefined;
  /** The product token in the header of an unknown crawler. See `unknownProductTokenOf`. */
  unknownProductTokenOf(userAgentHeader: string): string | undefined;
}

const registryAlone: CrawlerList = Object.freeze({ crawlers, crawlerOf, productTokenOf, unknownProductTokenOf });

/**
 * The registry with the caller's own crawlers. An own crawler replaces the crawler of the registry with the same product token. A look-up
 * by header is linear in the header's length times the number of patterns.
 */
export function createCrawlerList(own: readonly OwnCrawler[]): CrawlerList {
  checkArgument(
    Array.isArray(own) && own.every((each?: Partial<OwnCrawler> | null) => typeof each?.productToken === "string"),
    "The own crawlers are a list of objects with a productToken",
  );
  if (own.length === 0) return registryAlone;
  const made = own.flatMap(crawlerFrom);
  const byProductToken = new Map(made.map((crawler) => [crawler.productToken.toLowerCase(), crawler]));
  const namedByWords = createRecognizer(
    made.map(({ productToken, headerNames }) => ({
      productToken,
      headerNames: headerNames.filter((name) => !name.includes("*")),
    })),
  );
  const patterns = made.flatMap(({ productToken, headerNames }) =>
    headerNames
      .filter((name) => name.includes("*"))
      .map((name) => ({ productToken, parts: name.toLowerCase().split("*") })),
  );
  const ownTokenOf = (header: string): string | undefined => {
    const byWords = namedByWords(header);
    if (byWords !== undefined || patterns.length === 0) return byWords;
    const lower = header.toLowerCase();
    return patterns.find(({ parts }) => fits(lower, parts))?.productToken;
  };
  return Object.freeze({
    crawlers: Object.freeze([
      ...made,
      ...crawlers.filter(({ productToken }) => !byProductToken.has(productToken.toLowerCase())),
    ]),
    crawlerOf: (productToken: string) => {
      const known = crawlerOf(productToken);
      return byProductToken.get(productToken.toLowerCase()) ?? known;
    },
    productTokenOf: (header: string) => ownTokenOf(header) ?? productTokenOf(header),
    unknownProductTokenOf: (header: string) =>
      ownTokenOf(header) === undefined ? unknownProductTokenOf(header) : undefined,
  });
}

function crawlerFrom({
  productToken,
  names = [],
  headerNames,
  boundByEverybody,
  operator,
  note,
}: OwnCrawler): readonly Crawler[] {
  return crawlersOf(operator ?? "", [
    {
      productToken,
      purposes: [],
      sources: [],
      after: names.filter((name) => name !== productToken),
      evidence: "own",
      ...(headerNames === undefined ? {} : { headerNames }),
      ...(boundByEverybody === undefined ? {} : { boundByEverybody }),
      ...(note === undefined ? {} : { note }),
    },
  ]);
}

/** Whether a text consists of the parts, in this order, with any text between them. Each part is searched once, from the left. */
function fits(text: string, parts: readonly string[]): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop() ?? "";
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
