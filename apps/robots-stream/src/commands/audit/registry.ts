// Makes the crawlers of an audit, each with the dialect by which it is judged, from the registry of crawlers.
import { type Crawler, crawlers, dataVersion } from "@robots-stream/agents";
import type { AuditCrawler } from "@robots-stream/audit";
import type { JudgedCrawler } from "@robots-stream/engine/internal";

/** The dialect and the access policy of a crawler whose operator documents neither. */
export const usualDialect = "rfc9309";

/** The version of the registry, for audit documents. */
export const registryVersion: string = dataVersion;

/** Every crawler of the registry, as the audit counts it. A crawler's number is its index + 1. */
export const auditCrawlers: readonly AuditCrawler[] = crawlers.map(auditCrawlerOf);

/** Product tokens that no request carries. */
export const controlTokens: readonly string[] = crawlers
  .filter(({ kind }) => kind === "control-token")
  .map(({ productToken }) => productToken);

/** The same crawlers in the same order, with the data for decisions. */
export const judgedCrawlers: readonly JudgedCrawler[] = crawlers.map(({ productToken, dialect }) => ({
  productToken,
  dialect: dialect ?? usualDialect,
}));

/** The number of a crawler by its product token. */
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
    groupNames: boundByEverybody ? [...names, "*"] : names,
    accessPolicy: accessPolicy ?? usualDialect,
    honoursCrawlDelay: crawlDelay === "yes" || crawlDelay === "everybody",
  };
}
