// Exports the public names of @robots-stream/core.
export { type DialectName, type ParseOptions } from "./read/dialect.ts";
export { pathOf } from "./read/encode.ts";
export { CoreError, type CoreErrorCode } from "./read/errors.ts";
export { explain } from "./matcher/trace.ts";
export {
  type IsAllowedOptions,
  type MatcherOptions,
  createMatcher,
  isAllowed,
  unavailableMatcher,
  unreachableMatcher,
} from "./matcher/match.ts";
export { parseRobotsTxt } from "./read/parse.ts";
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
