// Exports the public names of @robots-stream/fetch: a client that fetches robots.txt, its options and its results.
import "./supported-node.ts";
export { type RobotsClientOptions, createRobotsClient } from "./client.ts";
export { FetchError, type FetchErrorCode, StoreError, type StoreErrorCode } from "./errors.ts";
export { type FailureCode, failureCodes } from "./failure-codes.ts";
export type { FreshnessRules } from "./freshness.ts";
export type { Limits } from "./limits.ts";
export type { Pace } from "./pace-types.ts";
export type { AccessPolicy, AccessPolicyName } from "./policy.ts";
export { proxyOfEnv } from "./proxy.ts";
export type { RetryRules, Shortage } from "./retry.ts";
export type { Slot } from "./semaphore.ts";
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
