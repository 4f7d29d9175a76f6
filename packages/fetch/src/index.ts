// Exports the public names of @robots-stream/fetch: a client that fetches robots.txt, its options and its results.
import "./common/supported-node.ts";
export { type RobotsClientOptions, createRobotsClient } from "./client/client.ts";
export { FetchError, type FetchErrorCode, StoreError, type StoreErrorCode } from "./common/errors.ts";
export { type FailureCode, failureCodes } from "./common/failure-codes.ts";
export type { FreshnessRules } from "./access/freshness.ts";
export type { Limits } from "./common/limits.ts";
export type { Pace } from "./common/pace-types.ts";
export type { AccessPolicy, AccessPolicyName } from "./access/policy.ts";
export { proxyOfEnv } from "./network/proxy.ts";
export type { RetryRules, Shortage } from "./client/retry.ts";
export type { Slot } from "./common/semaphore.ts";
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
} from "./common/types.ts";
