// What @robots-stream/engine needs of core and nobody else: this entry point is unstable and changes in any release.
export { Arena, pageShift, placeMask } from "./arena.ts";
export { CrawlerGroups } from "./crawler-groups.ts";
export { nearestOf } from "./nearest.ts";
export { MatcherTable } from "./matcher-table.ts";
export { chosenTokenOf, rulesIdentityOf } from "./table-decisions.ts";
