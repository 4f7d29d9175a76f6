// The public names of @robots-stream/core/records: what the lines of a file say that are no rules.
export {
  type CrawlDelayLine,
  type SitemapLine,
  bindingGroups,
  crawlDelay,
  crawlDelayIn,
  sitemaps,
} from "./record-values.ts";
