// Exports the public names of @robots-stream/fetch/policy: the meaning of HTTP responses, as data and pure functions, without a client, a
// store or a network. Imports no Node module.
export {
  type FreshnessRules,
  defaultFreshness,
  freshUntilOf,
  isFresh,
  maxAgeMsOf,
  retryAfterMsOf,
} from "./access/freshness.ts";
export { type SchemeChange, schemeChangesOf } from "./access/hops.ts";
export { type InForce, inForceAt } from "./access/in-force.ts";
export { paceOf } from "./access/pace.ts";
export type { CrawlDelay, Pace, PaceView, RequestRate } from "./common/types.ts";
export {
  type AccessJudgement,
  type AccessPolicy,
  type AccessPolicyName,
  type FileLength,
  type OutageStep,
  type PolicyCondition,
  type PolicyRow,
  accessPolicies,
  judge,
  withSoft404,
} from "./access/policy.ts";
