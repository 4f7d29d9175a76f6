// Defines the options of a client that do not depend on its transport, with their checks and defaults. Imports no Node module.
import { FetchError } from "../common/errors.ts";
import { type FreshnessRules, freshnessOf, isFresh } from "../access/freshness.ts";
import { type Limits, limitsOf } from "../common/limits.ts";
import {
  type Check,
  type Checks,
  aBoolean,
  aFunction,
  aText,
  anObject,
  eitherOf,
  numberTo,
  readOptions,
  wholeNumber,
  withDefaults,
} from "../common/options.ts";
import {
  type AccessPolicy,
  type AccessPolicyName,
  accessPolicies,
  isJudgedAlike,
  withSoft404,
} from "../access/policy.ts";
import { type RetryRules, type Shortage, defaultRetry } from "./retry.ts";
import { createMemoryStore } from "../stores/memory.ts";
import type { RobotsStore, StoredRobots, Transport } from "../common/types.ts";
import { isWithinLimits } from "../access/loaded.ts";

/** Options of a client with any transport. */
export interface ClientOptions {
  /** Where results are stored. Default: a memory store of the client's own. The client does not close an injected store. */
  readonly store?: RobotsStore;
  /** The name of a built-in policy, or a policy object. Default "google". */
  readonly policy?: AccessPolicyName | AccessPolicy;
  /** Treats a 5xx response as a 404 when its body is a "not found" page (soft-404.ts). Default false. */
  readonly soft404?: boolean;
  /** How long stored results stay fresh. */
  readonly freshness?: Partial<FreshnessRules>;
  /**
   * Whether a stored entry is used without a new exchange. Default: while the entry is fresh (RFC 9309 §2.4) and fits `limits`. An entry
   * that `policy` would judge differently is never used.
   */
  readonly isUsable?: (stored: StoredRobots, now: number) => boolean;
  /** Bounds of one exchange. */
  readonly limits?: Partial<Limits>;
  /** Largest number of simultaneous exchanges; further exchanges wait without a socket and without a running deadline. Default 256. */
  readonly concurrency?: number;
  /** When a load repeats its request after a 429 or 503 response with Retry-After. */
  readonly retry?: Partial<RetryRules>;
  /**
   * Called whenever the number of waiting loads changes, with the new number. A waiting load waits for its turn at a server, for the time
   * in a Retry-After, or for the end of a shortage of sockets. Waiting loads do not count towards `concurrency`, so a caller that limits
   * its own loads may start another load for each waiting load.
   */
  readonly onWaiting?: (loads: number) => void;
  /** Called once when this machine runs out of sockets. From then on fewer exchanges run at once. */
  readonly onShortage?: (shortage: Shortage) => void;
  /**
   * Returns the time in milliseconds since the epoch, for freshness and outages. Default: Date.now. Timeouts use timers, not this clock.
   */
  readonly now?: () => number;
  /** Replaces this package's own transports; their options then have no effect. The client does not close an injected transport. */
  readonly transport?: Transport;
}

/** The check of each option. */
export const clientChecks: Checks<ClientOptions> = {
  store: anObject,
  policy: eitherOf(aText, anObject),
  soft404: aBoolean,
  freshness: anObject,
  isUsable: aFunction,
  limits: anObject,
  concurrency: wholeNumber(1),
  retry: anObject,
  onWaiting: aFunction,
  onShortage: aFunction,
  now: aFunction,
  transport: anObject,
};

/** The checked settings of a client. */
export interface ClientSettings extends Required<Pick<ClientOptions, "store" | "concurrency" | "isUsable" | "now">> {
  /** Whether the client made the store, and therefore closes it. */
  readonly ownsStore: boolean;
  readonly policy: AccessPolicy;
  readonly freshness: FreshnessRules;
  readonly limits: Limits;
  readonly retry: RetryRules;
  readonly onWaiting: ((loads: number) => void) | undefined;
  readonly onShortage: ((shortage: Shortage) => void) | undefined;
}

/** Returns the settings for options that `readOptions` has read. Throws `ERR_INVALID_OPTION` for invalid values. */
export function clientSettingsOf(options: ClientOptions): ClientSettings {
  checkMethods("transport", options.transport, ["exchange"]);
  checkMethods("store", options.store, ["get", "set"]);
  const limits = limitsOf(options.limits);
  const freshness = freshnessOf(options.freshness);
  const named = policyOf(options.policy ?? "google");
  const policy = options.soft404 === true ? withSoft404(named) : named;
  const isFreshHere = (stored: StoredRobots, at: number): boolean =>
    isFresh(stored, at, freshness) && isWithinLimits(stored, limits);
  const isKept = options.isUsable ?? isFreshHere;
  return {
    store: options.store ?? createMemoryStore(),
    ownsStore: options.store === undefined,
    policy,
    freshness,
    limits,
    concurrency: options.concurrency ?? 256,
    retry: retryOf(options.retry),
    now: options.now ?? Date.now,
    onWaiting: options.onWaiting,
    onShortage: options.onShortage,
    isUsable: (stored, at) => isJudgedAlike(stored, policy) && isKept(stored, at),
  };
}

/** Throws `ERR_INVALID_OPTION` unless `part`, an injected object, is undefined or has all of `methods`. */
function checkMethods(name: string, part: object | undefined, methods: readonly string[]): void {
  const members = part as Readonly<Record<string, unknown>> | undefined;
  if (members === undefined || methods.every((method) => typeof members[method] === "function")) return;
  throw new FetchError(
    "ERR_INVALID_OPTION",
    `${name} must have the method${methods.length === 1 ? "" : "s"} ${methods.join(" and ")}`,
  );
}

const aList: Check = { must: "be a list", accepts: (value) => Array.isArray(value) };

const policyChecks: Checks<AccessPolicy> = {
  name: aText,
  rows: aList,
  fileLength: anObject,
  outage: aList,
  pace: anObject,
};

function policyOf(given: AccessPolicyName | AccessPolicy): AccessPolicy {
  if (typeof given !== "string") {
    const { name, rows, outage, ...rest } = readOptions<AccessPolicy>(given, policyChecks, "policy");
    // A JavaScript caller's object may lack members that the type requires.
    if ((rows as unknown) === undefined || (outage as unknown) === undefined) {
      throw new FetchError("ERR_INVALID_OPTION", "policy must have rows and outage");
    }
    return { name, rows, outage, ...rest };
  }
  if (Object.hasOwn(accessPolicies, given)) return accessPolicies[given];
  const names = Object.keys(accessPolicies).join(", ");
  throw new FetchError("ERR_INVALID_OPTION", `policy ${JSON.stringify(given)} is not one of ${names}`);
}

const retryChecks: Checks<RetryRules> = { attempts: wholeNumber(0, 100), maxWaitMs: numberTo(2_147_483_647) };

function retryOf(given: Partial<RetryRules> = {}): RetryRules {
  return withDefaults(defaultRetry, readOptions<Partial<RetryRules>>(given, retryChecks, "retry"));
}
