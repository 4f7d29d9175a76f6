// The parts of core for this project's own packages. They are not a public API and may change in any release.
export { Arena, pageShift, placeMask } from "./arena.ts";
export { type CompetingRule, competingRulesOf, matchesTarget } from "./competing-rules.ts";
export { CrawlerGroups } from "./crawler-groups.ts";
export { dialectOf } from "./dialect.ts";
export { nearestOf } from "./nearest.ts";
export { MatcherTable } from "./matcher-table.ts";
export { chosenTokenOf, rulesIdentityOf } from "./table-decisions.ts";
