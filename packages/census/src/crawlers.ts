// Indexes the crawlers of a census by the names under which a robots.txt can name them (RFC 9309 §2.2.1).
import { AuditError } from "@robots-stream/audit";
import { isProductToken } from "@robots-stream/core/product-tokens";

/** A crawler whose states are counted. A `Crawler` of `@robots-stream/agents` has these members. */
export interface CensusCrawler {
  readonly productToken: string;
  /** The names to look for in a file, the crawler's own first. */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind the crawler if a file has no group for any of its names. */
  readonly boundByEverybody: boolean;
  /** With "by-name", the operator documents another rule for such files, so the groups for `*` do not bind the crawler. */
  readonly bound: string;
}

/** A crawler that a name chooses. `rank`: the position of the name in the crawler's list. */
export interface NamedCrawler {
  readonly crawler: number;
  readonly rank: number;
}

/** The crawlers of a census, by number. */
export class CrawlerIndex {
  readonly crawlers: readonly CensusCrawler[];
  /** The crawlers that Google's parser finds by name, by the name in lower case. */
  readonly byName: ReadonlyMap<string, readonly NamedCrawler[]>;
  /** The crawlers whose own names are no product tokens, so that names are compared as a whole. */
  readonly whole: readonly number[];
  /** Whether the groups for `*` can bind each crawler. */
  readonly isBoundByEverybody: readonly boolean[];

  /** Throws an `AuditError` (`ERR_INVALID_OPTION`) for two crawlers with one product token. */
  constructor(crawlers: readonly CensusCrawler[]) {
    this.crawlers = crawlers;
    const byName = new Map<string, NamedCrawler[]>();
    const whole: number[] = [];
    const seen = new Set<string>();
    for (const [crawler, { productToken, names }] of crawlers.entries()) {
      const key = productToken.toLowerCase();
      if (seen.has(key)) throw new AuditError("ERR_INVALID_OPTION", `the crawler ${productToken} is given twice`);
      seen.add(key);
      if (!isProductToken(names[0] ?? "")) {
        whole.push(crawler);
        continue;
      }
      for (const [rank, name] of names.entries()) {
        const named = byName.get(name.toLowerCase());
        if (named === undefined) byName.set(name.toLowerCase(), [{ crawler, rank }]);
        else named.push({ crawler, rank });
      }
    }
    this.byName = byName;
    this.whole = whole;
    this.isBoundByEverybody = crawlers.map(({ boundByEverybody, bound }) => boundByEverybody && bound !== "by-name");
  }
}
