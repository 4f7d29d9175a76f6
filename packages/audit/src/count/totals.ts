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
 * The name of a total. `notACrawler…`: requests of no known crawler, with their bytes and fetches of /robots.txt. `otherAgents`: those of
 * them that look like an unknown crawler's. `without…`: lines without such a field. `assumedOrigin`: lines whose origin the caller gave.
 */
export type TotalName = (typeof totalNames)[number];
