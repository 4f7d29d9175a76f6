// Exports the public names of @robots-stream/core.
export { type DialectName } from "./dialect.ts";
export { pathOf } from "./encode.ts";
export { CoreError, type CoreErrorCode } from "./errors.ts";
export { explain } from "./explain.ts";
export { type IsAllowedOptions, isAllowed } from "./is-allowed.ts";
export { createMatcher, type MatcherOptions, unavailableMatcher, unreachableMatcher } from "./match.ts";
export { type ParseOptions, parseRobotsTxt } from "./parse.ts";
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
} from "./types.ts";
