// The public names of @robots-stream/agents.
export { crawlerOf, crawlers, dataVersion } from "./registry.ts";
export { type CrawlerSet, crawlerSetOf, crawlerSets } from "./sets.ts";
export { tokenOf } from "./token-of.ts";
export type { Crawler, CrawlDelayUse, Evidence, Kind, Obedience, Purpose } from "./types.ts";
