// The public names of @robots-stream/agents.
export { AgentsError, type AgentsErrorCode } from "./errors.ts";
export { crawlerOf, crawlers, dataVersion } from "./registry.ts";
export { type CrawlerSet, crawlerSetOf, crawlerSets } from "./sets.ts";
export { type CrawlerList, createCrawlerList, type OwnCrawler } from "./crawler-list.ts";
export { productTokenOf } from "./product-token-of.ts";
export { unknownProductTokenOf } from "./unknown-product-token-of.ts";
export type {
  Bound,
  Crawler,
  CrawlDelayUse,
  DocumentedAccessPolicy,
  DocumentedDialect,
  Evidence,
  Kind,
  Purpose,
} from "./types.ts";
