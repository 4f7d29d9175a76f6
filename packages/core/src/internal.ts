// The parts of core that only the project's own packages use. Unstable: not an API, and changes in any release.
export { Arena, pageShift, placeMask } from "./arena.ts";
export { CrawlerGroups } from "./crawler-groups.ts";
export { nearestOf } from "./nearest.ts";
export { MatcherTable } from "./matcher-table.ts";
export { chosenTokenOf, rulesIdentityOf } from "./table-decisions.ts";
