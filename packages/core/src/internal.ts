// Exports the parts of core for this project's own packages. These names are not a public API and may change in any release.
export { Arena, pageShift, placeMask } from "./matcher/arena.ts";
export {
  type Alikeness,
  alikenessOf,
  type CompetingRule,
  competingRulesOf,
  decisionBy,
  isPlainTarget,
  matchesTarget,
} from "./matcher/competing-rules.ts";
export { isUtf16 } from "./lint/file.ts";
export { formatInsteadOf } from "./lint/foreign.ts";
export { textOf, utf8Of } from "./read/bytes.ts";
export { type BoundRecord, boundRecordsOf, holdsRecords } from "./values/record-values.ts";
export { CrawlerGroups } from "./matcher/crawler-groups.ts";
export { checkCrawlerNames } from "./matcher/crawler-matcher.ts";
export { dialectOf } from "./read/dialect.ts";
export { checkOptionNames, shownValueOf } from "./read/errors.ts";
export { type Dictionary, type DictionaryMember, type ItemType, parseDictionary } from "./values/dictionary.ts";
export { LongestPatterns } from "./matcher/longest-patterns.ts";
export { nearestOf } from "./read/nearest.ts";
export { chosenTokenOf, MatcherTable, rulesIdentityOf } from "./matcher/matcher-table.ts";
export { checkParsed, parseUnchanging } from "./read/parse.ts";
export {
  type SignalMember,
  controlTokenKeys,
  signalMembersOf,
  statementPlaceOf,
  usageKeys,
  useValues,
} from "./values/usage-lines.ts";
export { visibleJsonOf, visibleTextOf } from "./read/visible.ts";
