// Converts the registry of crawlers to the crawlers that an audit counts and judges.
import { type Crawler, crawlers, dataVersion } from "@robots-stream/agents";
import type { AuditCrawler } from "@robots-stream/audit";
import { judgedCrawlerOf } from "@robots-stream/engine/internal";

type JudgedCrawler = ReturnType<typeof judgedCrawlerOf>;

/** The version of the registry of crawlers, as it is written to audit documents. */
export const registryVersion: string = dataVersion;

/** The crawlers of `auditCrawlers` in the same order, and how their requests are judged. */
export const judgedCrawlers: readonly JudgedCrawler[] = crawlers.map((crawler) =>
  judgedCrawlerOf(crawler.productToken, crawler),
);

/** Every crawler of the registry, with the facts that an audit's counter needs. The number of a crawler is its index in this list + 1. */
export const auditCrawlers: readonly AuditCrawler[] = crawlers.map((crawler, at) =>
  auditCrawlerOf(crawler, judgedCrawlers[at]!),
);

/** The facts that a report takes from the registry. */
export const registryFacts: {
  /** Product tokens that occur in robots.txt but in no User-Agent header. */
  readonly controlTokens: readonly string[];
  /** What changes if a site refuses a crawler, as its operator documents, by product token. */
  readonly ifRefused: ReadonlyMap<string, string>;
} = {
  controlTokens: crawlers.filter(({ kind }) => kind === "control-token").map(({ productToken }) => productToken),
  ifRefused: new Map(
    crawlers.flatMap(({ productToken, ifRefused }) =>
      ifRefused === undefined ? [] : [[productToken, ifRefused.text]],
    ),
  ),
};

/** Numbers of crawlers (see `auditCrawlers`) by product token. */
export const numberOfCrawler: ReadonlyMap<string, number> = new Map(
  crawlers.map(({ productToken }, at) => [productToken, at + 1]),
);

function auditCrawlerOf(crawler: Crawler, { accessPolicy }: JudgedCrawler): AuditCrawler {
  const { productToken, operator, kind, purposes, bound, names, boundByEverybody, crawlDelay, copyHours } = crawler;
  return {
    productToken,
    operator,
    kind,
    purposes,
    bound,
    groupNames: boundByEverybody && bound !== "by-name" ? [...names, "*"] : names,
    accessPolicy,
    copyHours,
    honoursCrawlDelay: crawlDelay === "yes" || crawlDelay === "everybody",
  };
}
