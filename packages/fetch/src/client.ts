// An origin → what is in force for it: store, exchange, policy, parse; one exchange for all that ask at once.
import { parseTarget, robotsUrlOf } from "@robots-stream/url";
import { UsageError } from "./errors.ts";
import type { FailureCode } from "./failures.ts";
import { ftpTransportOver } from "./ftp.ts";
import { type FreshnessRules, freshnessOf, isFresh } from "./freshness.ts";
import { type HttpTransportOptions, httpChecks, httpTransportOver } from "./http.ts";
import { Semaphore } from "./semaphore.ts";
import { type Limits, limitsOf } from "./limits.ts";
import { loadedOf, ownTroubles, storedOf } from "./loaded.ts";
import {
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
} from "./options.ts";
import { type RetryRules, type Shortage, createPatience, defaultRetry } from "./patience.ts";
import {
  type AccessPolicy,
  type AccessPolicyName,
  accessPolicies,
  isJudgedAlike,
  judge,
  withSoft404,
} from "./policy.ts";
import { createReach } from "./reach.ts";
import { createMemoryStore } from "./stores/memory.ts";
import type { LoadOptions, LoadedRobots, RobotsClient, RobotsStore, StoredRobots, Transport } from "./types.ts";
import { isWithinLimits } from "./within-limits.ts";

/** Options of `createRobotsClient`: those of the http transport, and these. */
export interface RobotsClientOptions extends HttpTransportOptions {
  /** Where answers are kept; a memory store of the client's own by default. An injected store is not closed. */
  readonly store?: RobotsStore;
  /** Instead of http(s) over undici; then the options of the http transport are the caller's business. Not closed. */
  readonly transport?: Transport;
  /** A built-in policy's name, or a policy. Default "google". */
  readonly policy?: AccessPolicyName | AccessPolicy;
  /** Take a 5xx whose page says that there is no such page for a 404. Default false. */
  readonly soft404?: boolean;
  /** How long answers stay fresh. */
  readonly freshness?: Partial<FreshnessRules>;
  /** Whether an entry of the store answers without a new exchange. By default while it is fresh (RFC 9309 §2.4), and of these limits. */
  readonly isUsable?: (stored: StoredRobots, now: number) => boolean;
  /** Bounds of one exchange. */
  readonly limits?: Partial<Limits>;
  /** Exchanges at once; the rest wait without a socket, and their deadlines do not run. Default 256. */
  readonly maxInFlight?: number;
  /** When a 429 or 503 with a Retry-After is asked again before the load ends. */
  readonly retry?: Partial<RetryRules>;
  /**
   * Told how many loads wait for their turn at a server, or for a time that it asked for, whenever that changes. They are
   * under way, but none of `maxInFlight`: whoever limits loads may begin as many others.
   */
  readonly onWaiting?: (loads: number) => void;
  /** Told once when this machine runs out of sockets: from then on fewer exchanges run at once. */
  readonly onShortage?: (shortage: Shortage) => void;
}

/** One origin on its way, and who waits for it. */
interface Flight {
  loaded: Promise<LoadedRobots> | undefined;
  readonly ending: AbortController;
  waiting: number;
}

/** Makes a client. Throws `ERR_INVALID_OPTION` at once for options that cannot be. */
export function createRobotsClient(given: RobotsClientOptions = {}): RobotsClient {
  const options = readOptions(given, checks);
  checkParts(options);
  const limits = limitsOf(options.limits);
  const soft404 = options.soft404 ?? false;
  const named = policyOf(options.policy ?? "google");
  const policy = soft404 ? withSoft404(named) : named;
  const freshness = freshnessOf(options.freshness);
  const maxInFlight = options.maxInFlight ?? 256;
  const now = options.now ?? Date.now;
  const isFreshHere = (stored: StoredRobots, at: number): boolean =>
    isFresh(stored, at, freshness) && isWithinLimits(stored, limits);
  const isKept = options.isUsable ?? isFreshHere;
  const isUsable = (stored: StoredRobots, at: number): boolean => isJudgedAlike(stored, policy) && isKept(stored, at);
  const store = options.store ?? createMemoryStore();
  const transport = transportOf(options, soft404, now);
  const limiter = new Semaphore(maxInFlight, options.onWaiting);
  const patience = createPatience({
    limiter,
    retry: retryOf(options.retry),
    isUnreachable: (exchange) => judge(exchange, policy).access === "unreachable",
    now,
    onShortage: options.onShortage,
  });
  const flights = new Map<string, Flight>();
  let closed: Promise<void> | undefined;

  async function fly(origin: string, flight: Flight): Promise<LoadedRobots> {
    const { signal } = flight.ending;
    try {
      const got = store.get(origin);
      const known = got === undefined ? undefined : await got;
      signal.throwIfAborted();
      if (known !== undefined && isUsable(known, now())) return loadedOf(known, policy, now());
      const turn = limiter.enter(signal);
      if (turn !== undefined) await turn;
      try {
        if (store.claim === undefined) return await ask(origin, signal, known);
        const claim = await store.claim(origin, signal);
        try {
          return await ask(origin, signal, await store.get(origin));
        } finally {
          await claim.release();
        }
      } finally {
        limiter.leave();
      }
    } finally {
      if (flights.get(origin) === flight) flights.delete(origin);
    }
  }

  async function ask(origin: string, signal: AbortSignal, known: StoredRobots | undefined): Promise<LoadedRobots> {
    // Whoever had the claim before may have asked.
    if (known !== undefined && isUsable(known, now())) return loadedOf(known, policy, now());
    const url = robotsUrlOf(origin);
    const exchange = await patience(() => transport.exchange(url, limits, signal, limiter.slot), limiter.slot, signal);
    // What was given up says nothing about the origin.
    signal.throwIfAborted();
    const stored = storedOf(origin, exchange, known, policy, freshness, now());
    // This machine's own trouble says nothing about the origin: the next load asks again.
    if (!ownTroubles.has(stored.code)) {
      const kept = store.set(stored);
      if (kept !== undefined) await kept;
    }
    if (withoutNetwork.has(stored.code)) return loadedOf(stored, policy, now());
    return loadedOf(stored, policy, now(), Math.max(0, exchange.endedAt - exchange.startedAt));
  }

  async function load(origin: string, { signal }: LoadOptions = noOptions): Promise<LoadedRobots> {
    if (closed !== undefined) throw new UsageError("ERR_CLIENT_CLOSED", "the client is closed");
    checkOrigin(origin);
    signal?.throwIfAborted();
    let flight = flights.get(origin);
    if (flight === undefined) {
      flight = { loaded: undefined, ending: new AbortController(), waiting: 0 };
      flights.set(origin, flight);
      flight.loaded = fly(origin, flight);
    }
    const { loaded } = flight as { readonly loaded: Promise<LoadedRobots> };
    flight.waiting++;
    // Who cannot leave stays counted.
    if (signal === undefined) return loaded;
    try {
      return await withSignal(loaded, signal);
    } finally {
      flight.waiting--;
      if (flight.waiting === 0 && signal.aborted) {
        // Whoever asks from now on gets a flight of their own.
        if (flights.get(origin) === flight) flights.delete(origin);
        // Nobody hears how it fails.
        loaded.catch(() => undefined);
        flight.ending.abort(signal.reason);
      }
    }
  }

  async function shut(): Promise<void> {
    const reason = new UsageError("ERR_CLIENT_CLOSED", "the client was closed");
    const open = [...flights.values()];
    for (const { ending } of open) ending.abort(reason);
    await Promise.allSettled(open.flatMap(({ loaded }) => loaded ?? []));
    await transport.close?.();
    if (options.store === undefined) await store.close?.();
  }

  return {
    load,
    close() {
      closed ??= shut();
      return closed;
    },
  };
}

const noOptions: LoadOptions = Object.freeze({});

/** The caller's transport, or one for each scheme. */
function transportOf(options: RobotsClientOptions, soft404: boolean, now: () => number): Transport {
  const { transport } = options;
  if (transport !== undefined) {
    return { exchange: (url, limits, signal, slot) => transport.exchange(url, limits, signal, slot) };
  }
  // Turns at a server are taken by both.
  const reach = createReach(options);
  const http = httpTransportOver(reach, { ...options, errorPages: options.errorPages ?? soft404, now });
  const ftp = ftpTransportOver(reach, now);
  return {
    exchange: (url, limits, signal, slot) => (url.startsWith("ftp:") ? ftp : http).exchange(url, limits, signal, slot),
    async close() {
      await http.close?.();
      await ftp.close?.();
      reach.close();
    },
  };
}

const checks: Checks<RobotsClientOptions> = {
  ...httpChecks,
  store: anObject,
  transport: anObject,
  policy: eitherOf(aText, anObject),
  soft404: aBoolean,
  freshness: anObject,
  isUsable: aFunction,
  limits: anObject,
  maxInFlight: wholeNumber(1),
  retry: anObject,
  onWaiting: aFunction,
  onShortage: aFunction,
};

/** What an injected object has to be able to do. */
function checkParts(options: RobotsClientOptions): void {
  const parts = { store: ["get", "set"], transport: ["exchange"] } as const;
  for (const [name, methods] of Object.entries(parts)) {
    const part = options[name as keyof typeof parts] as Readonly<Record<string, unknown>> | undefined;
    if (part === undefined || methods.every((method) => typeof part?.[method] === "function")) continue;
    throw new UsageError("ERR_INVALID_OPTION", `${name} must have ${methods.join(" and ")}`);
  }
}

function policyOf(policy: AccessPolicyName | AccessPolicy): AccessPolicy {
  if (typeof policy !== "string") {
    const { name, rows, outage, pace } = policy;
    if (!Array.isArray(rows) || !Array.isArray(outage)) {
      throw new UsageError("ERR_INVALID_OPTION", "policy must have rows and outage");
    }
    return { name, rows: [...rows], outage: [...outage], ...(pace === undefined ? {} : { pace }) };
  }
  if (Object.hasOwn(accessPolicies, policy)) return accessPolicies[policy];
  const names = Object.keys(accessPolicies).join(", ");
  throw new UsageError("ERR_INVALID_OPTION", `policy ${JSON.stringify(policy)} is none of ${names}`);
}

function retryOf(given: Partial<RetryRules> = {}): RetryRules {
  const retryChecks = { attempts: wholeNumber(0, 100), maxWaitMs: numberTo(2_147_483_647) };
  return withDefaults(defaultRetry, readOptions<Partial<RetryRules>>(given, retryChecks, "retry"));
}

function checkOrigin(origin: string): void {
  const meant = parseTarget(`${origin}/`)?.origin;
  if (meant === origin) return;
  const hint = meant === undefined ? "" : `; ${JSON.stringify(meant)} would be one`;
  throw new UsageError("ERR_NOT_AN_ORIGIN", `${JSON.stringify(origin)} is no origin${hint}`);
}

/** The promise, but rejected with the signal's reason as soon as it aborts. */
async function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

/** Nobody was asked at all. */
const withoutNetwork: ReadonlySet<string> = new Set<FailureCode>(["not-cached"]);
