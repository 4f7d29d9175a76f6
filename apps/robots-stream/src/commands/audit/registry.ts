// Converts the registry of crawlers to the crawlers that an audit counts and judges.
import { type Crawler, crawlers, dataVersion } from "@robots-stream/agents";
import type { AuditCrawler } from "@robots-stream/audit";
import type { JudgedCrawler } from "@robots-stream/engine/internal";

/** The dialect of a crawler whose operator documents none; also the access policy of a crawler whose operator documents none. */
export const usualDialect = "rfc9309";

/** The version of the registry of crawlers, as it is written to audit documents. */
export const registryVersion: string = dataVersion;

/** Every crawler of the registry, with the facts that an audit's counter needs. The number of a crawler is its index in this list + 1. */
export const auditCrawlers: readonly AuditCrawler[] = crawlers.map(auditCrawlerOf);

/** Control tokens: product tokens that occur in robots.txt but in no User-Agent header. */
export const controlTokens: readonly string[] = crawlers
  .filter(({ kind }) => kind === "control-token")
  .map(({ productToken }) => productToken);

/** The crawlers of `auditCrawlers` in the same order, with the dialect for decisions. */
export const judgedCrawlers: readonly JudgedCrawler[] = crawlers.map(({ productToken, dialect }) => ({
  productToken,
  dialect: dialect ?? usualDialect,
}));

/** Numbers of crawlers (see `auditCrawlers`) by product token. */
export const numberOfCrawler: ReadonlyMap<string, number> = new Map(
  crawlers.map(({ productToken }, at) => [productToken, at + 1]),
);

function auditCrawlerOf(crawler: Crawler): AuditCrawler {
  const { productToken, operator, kind, purposes, bound, names, boundByEverybody, accessPolicy, crawlDelay } = crawler;
  return {
    productToken,
    operator,
    kind,
    purposes,
    bound,
    groupNames: boundByEverybody && bound !== "by-name" ? [...names, "*"] : names,
    accessPolicy: accessPolicy ?? usualDialect,
    honoursCrawlDelay: crawlDelay === "yes" || crawlDelay === "everybody",
  };
}
