// Exports the parts of core for this project's own packages. These names are not a public API and may change in any release.
export { type Alikeness, alikenessOf, isPlainTarget } from "./alike.ts";
export { Arena, pageShift, placeMask } from "./arena.ts";
export { type CompetingRule, competingRulesOf, decisionBy, decisionByNone, matchesTarget } from "./competing-rules.ts";
export { textOf } from "./bytes.ts";
export { type BoundRecord, boundRecordsOf, holdsRecords } from "./bound-records.ts";
export { CrawlerGroups } from "./crawler-groups.ts";
export { checkCrawlerNames } from "./crawler-matcher.ts";
export { dialectOf } from "./dialect.ts";
export { checkOptionNames, shownValueOf } from "./errors.ts";
export { type Dictionary, type DictionaryMember, type ItemType, parseDictionary } from "./dictionary.ts";
export { LongestPatterns } from "./longest-patterns.ts";
export { nearestOf } from "./nearest.ts";
export { MatcherTable } from "./matcher-table.ts";
export { checkParsed, parseUnchanging } from "./parse.ts";
export { chosenTokenOf, rulesIdentityOf } from "./table-decisions.ts";
export {
  type SignalMember,
  controlTokenKeys,
  signalMembersOf,
  statementPlaceOf,
  usageKeys,
  useValues,
} from "./usage-lines.ts";
export { visibleJsonOf, visibleTextOf } from "./visible.ts";
