// Exports the public names of @robots-stream/core/product-tokens: the functions for names of crawlers (RFC 9309 §2.2.1).
export { type CrawlerNames, createCrawlerMatcher, groupNameOf } from "./matcher/crawler-matcher.ts";
export { isProductToken } from "./read/token.ts";
