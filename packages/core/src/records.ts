// Exports the public names of @robots-stream/core/records: the values of lines other than rules.
export {
  type CrawlDelayLine,
  type HostLine,
  type SitemapLine,
  bindingGroups,
  crawlDelay,
  crawlDelayIn,
  hosts,
  sitemaps,
} from "./values/record-values.ts";
