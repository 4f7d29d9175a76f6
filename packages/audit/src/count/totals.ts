// Lists the names of the totals, which are sums over all lines of a log.

/** The names of a document's totals. */
export const totalNames = [
  "requests",
  "bytes",
  "notACrawler",
  "notACrawlerBytes",
  "notACrawlerRobotsTxt",
  "otherAgents",
  "withoutTime",
  "withoutZone",
  "ofServerPath",
  "outsideWithoutTime",
  "withoutHost",
  "withoutAgent",
  "assumedOrigin",
] as const;

/**
 * The name of a total. `notACrawler…`: requests of no known crawler, the bytes of these requests, and their fetches of /robots.txt.
 * `otherAgents`: requests of no known crawler whose User-Agent header looks like a crawler's. `without…`: lines without the field.
 * `withoutZone`: lines with a time whose zone is not known; nothing is proven about them. `ofServerPath`: lines whose path is that after the server's rewrites; nothing is
 * proven about them. `outsideWithoutTime`: lines without a time that are
 * not counted, because a period was requested.
 * `assumedOrigin`: lines without an origin, for which the caller gave one.
 */
export type TotalName = (typeof totalNames)[number];
