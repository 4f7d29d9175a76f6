// The public names of @robots-stream/fetch.
export { type RobotsClientOptions, createRobotsClient } from "./client.ts";
export { UsageError, type UsageErrorCode } from "./errors.ts";
export { type FailureCode, failureCodes } from "./failures.ts";
export {
  type FreshnessRules,
  defaultFreshness,
  freshUntilOf,
  isFresh,
  maxAgeMsOf,
  retryAfterMsOf,
} from "./freshness.ts";
export { type FtpTransportOptions, createFtpTransport } from "./ftp.ts";
export { type AllowPrivate, type Guard, createGuard } from "./guard.ts";
export { type SchemeChange, schemeChangesOf } from "./hops.ts";
export { type HttpTransportOptions, createHttpTransport, defaultUserAgent } from "./http.ts";
export type { Slot } from "./semaphore.ts";
export { type Limits, defaultLimits, limitsOf } from "./limits.ts";
export {
  type DirectLookupOptions,
  type Holder,
  type Lookup,
  type ResolvedAddress,
  createDirectLookup,
  systemLookup,
} from "./lookup.ts";
export { type InForce, inForceAt } from "./outage.ts";
export { type CrawlDelay, type Pace, type RequestRate, paceOf } from "./pace.ts";
export { type RetryRules, type Shortage, defaultRetry } from "./patience.ts";
export {
  type AccessJudgement,
  type AccessPolicy,
  type AccessPolicyName,
  type OutageStep,
  type PaceView,
  type PolicyCondition,
  type PolicyRow,
  accessPolicies,
  judge,
  withSoft404,
} from "./policy.ts";
export { type ProxyOption, proxyOfEnv } from "./proxy.ts";
export type { ReachOptions } from "./reach.ts";
export { StoreError, type StoreErrorCode } from "./stores/errors.ts";
export { type LastCopyJson, type StoredRobotsJson, jsonOfStored, storedOfJson } from "./stores/json.ts";
export { type MemoryStoreOptions, createMemoryStore } from "./stores/memory.ts";
export type {
  AccessResult,
  Awaitable,
  Claim,
  Exchange,
  ExchangeFailure,
  ExchangeResponse,
  Hop,
  LastCopy,
  LoadOptions,
  LoadedRobots,
  RobotsClient,
  RobotsHistory,
  RobotsStore,
  StoredRobots,
  Transport,
} from "./types.ts";
export { isWithinLimits } from "./within-limits.ts";
