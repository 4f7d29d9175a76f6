// Exports the public names of @robots-stream/core.
export { type DialectName } from "./read/dialect.ts";
export { pathOf } from "./read/encode.ts";
export { CoreError, type CoreErrorCode } from "./read/errors.ts";
export { explain } from "./matcher/explain.ts";
export { type IsAllowedOptions, isAllowed } from "./matcher/is-allowed.ts";
export { createMatcher, type MatcherOptions, unavailableMatcher, unreachableMatcher } from "./matcher/match.ts";
export { type ParseOptions, parseRobotsTxt } from "./read/parse.ts";
export type {
  BindingGroup,
  BindingUserAgent,
  Decision,
  Ground,
  Group,
  Join,
  Matcher,
  OtherRecord,
  RecordScope,
  RobotsTxt,
  Rule,
  RuleDecision,
  RuleMatch,
  RuleType,
  TokenMatch,
  Trace,
  UserAgentLine,
} from "./read/types.ts";
