// Exports the public names of @robots-stream/fetch: a client that fetches robots.txt, its options and its results.
import "./common/supported-node.ts";
export { type RobotsClientOptions, createRobotsClient } from "./client/client.ts";
export { FetchError, type FetchErrorCode, StoreError, type StoreErrorCode } from "./common/errors.ts";
export { type FailureCode, failureCodes } from "./common/failures.ts";
export type { FreshnessRules } from "./access/freshness.ts";
export type { Limits } from "./common/limits.ts";
export {
  type AccessResult,
  type Awaitable,
  type Claim,
  type Exchange,
  type ExchangeFailure,
  type ExchangeResponse,
  type Hop,
  type LastCopy,
  type LoadedRobots,
  type LoadOptions,
  type Pace,
  type RobotsClient,
  type RobotsHistory,
  type RobotsStore,
  type StoredRobots,
  type Transport,
} from "./common/types.ts";
export type { AccessPolicy, AccessPolicyName } from "./access/policy.ts";
export { proxyOfEnv } from "./network/proxy.ts";
export type { RetryRules, Shortage } from "./client/retry.ts";
export type { Slot } from "./common/semaphore.ts";
export { type MemoryStoreOptions, createMemoryStore } from "./stores/memory.ts";
