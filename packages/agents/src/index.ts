// The public names of @robots-stream/agents.
export { crawlerOf, crawlers, dataVersion } from "./registry.ts";
export { type CrawlerSet, crawlerSetOf, crawlerSets } from "./sets.ts";
export { productTokenOf } from "./product-token-of.ts";
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
