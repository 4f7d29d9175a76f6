// The closed list of totals, which are sums over all lines of a log.

/** The names of a document's totals. */
export const totalNames = [
  "requests",
  "bytes",
  "notACrawler",
  "notACrawlerBytes",
  "notACrawlerRobotsTxt",
  "otherAgents",
  "withoutTime",
  "withoutHost",
  "withoutAgent",
  "assumedOrigin",
] as const;

/**
 * The name of a total. `notACrawler…`: requests of no known crawler, their bytes, their fetches of /robots.txt. `otherAgents`: the part of
 * these requests whose User-Agent header looks like a crawler's. `without…`: lines without the field. `assumedOrigin`: lines without an
 * origin, for which the caller gave one.
 */
export type TotalName = (typeof totalNames)[number];
