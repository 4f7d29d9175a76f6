// Exports the public names of @robots-stream/fetch/policy: the meaning of HTTP responses, as data and pure functions, without a client, a
// store or a network. Imports no Node module.
export {
  type FreshnessRules,
  defaultFreshness,
  freshUntilOf,
  isFresh,
  maxAgeMsOf,
  retryAfterMsOf,
} from "./freshness.ts";
export { type SchemeChange, schemeChangesOf } from "./hops.ts";
export { type InForce, inForceAt } from "./outage.ts";
export { paceOf } from "./pace.ts";
export type { CrawlDelay, Pace, PaceView, RequestRate } from "./pace-types.ts";
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
} from "./policy.ts";
