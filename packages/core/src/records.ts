// The public names of @robots-stream/core/records: the values of lines other than rules.
export {
  type CrawlDelayLine,
  type SitemapLine,
  bindingGroups,
  crawlDelay,
  crawlDelayIn,
  sitemaps,
} from "./record-values.ts";
