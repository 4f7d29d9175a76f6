// An origin → what is in force for it: store, exchange, policy, parse; one exchange for all that ask at once.
import { type DialectName, type Matcher, type RobotsTxt, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { unavailableMatcher, unreachableMatcher } from "@robots-stream/core";
import { parseTarget, robotsUrlOf } from "@robots-stream/url";
import { UsageError } from "./errors.ts";
import type { FailureCode } from "./failures.ts";
import { ftpTransportOver } from "./ftp.ts";
import { type FreshnessRules, defaultFreshness, freshUntilOf, isFresh } from "./freshness.ts";
import { type HttpTransportOptions, httpTransportOver } from "./http.ts";
import { type Slot, createLimiter } from "./limiter.ts";
import { type Limits, limitsOf } from "./limits.ts";
import { inForceAt, outageOf } from "./outage.ts";
import { paceOf } from "./pace.ts";
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
import type {
  Exchange,
  LoadOptions,
  LoadedRobots,
  RobotsClient,
  RobotsStore,
  StoredRobots,
  Transport,
} from "./types.ts";

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
  /** Whether an entry of the store answers without a new exchange. By default while it is fresh (RFC 9309 §2.4). */
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
  readonly loaded: Promise<LoadedRobots>;
  readonly cut: AbortController;
  waiting: number;
}

/** Makes a client. Throws `ERR_INVALID_OPTION` at once for options that cannot be. */
export function createRobotsClient(options: RobotsClientOptions = {}): RobotsClient {
  const limits = limitsOf(options.limits);
  const soft404 = options.soft404 ?? false;
  const named = policyOf(options.policy ?? "google");
  const policy = soft404 ? withSoft404(named) : named;
  const freshness: FreshnessRules = { ...defaultFreshness, ...options.freshness };
  const maxInFlight = options.maxInFlight ?? 256;
  if (!Number.isInteger(maxInFlight) || maxInFlight < 1) {
    throw new UsageError("ERR_INVALID_OPTION", "maxInFlight must be a whole number from 1");
  }
  const now = options.now ?? Date.now;
  const isKept = options.isUsable ?? isFresh;
  const isUsable = (stored: StoredRobots, at: number): boolean => isJudgedAlike(stored, policy) && isKept(stored, at);
  const store = options.store ?? createMemoryStore();
  const transport = options.transport ?? createDefaultTransport({ errorPages: soft404, ...options }, now);
  const limiter = createLimiter(maxInFlight, options.onWaiting);
  const patience = createPatience({
    limiter,
    retry: retryOf(options.retry),
    isUnreachable: (exchange) => judge(exchange, policy).access === "unreachable",
    now,
    onShortage: options.onShortage,
  });
  const flights = new Map<string, Flight>();
  let closed: Promise<void> | undefined;

  function takeOff(origin: string): Flight {
    const cut = new AbortController();
    const loaded = fly(origin, cut.signal).finally(() => {
      if (flights.get(origin) === flight) flights.delete(origin);
    });
    // Everybody who waits may have left by the time it fails.
    loaded.catch(() => undefined);
    const flight: Flight = { loaded, cut, waiting: 0 };
    flights.set(origin, flight);
    return flight;
  }

  async function fly(origin: string, signal: AbortSignal): Promise<LoadedRobots> {
    const known = await store.get(origin);
    signal.throwIfAborted();
    if (known !== undefined && isUsable(known, now())) return loadedOf(known, policy, now(), false);
    return limiter.run(async (slot) => {
      const claim = await store.claim?.(origin, signal);
      try {
        return await ask(origin, slot, signal, claim === undefined ? known : await store.get(origin));
      } finally {
        await claim?.release();
      }
    }, signal);
  }

  async function ask(
    origin: string,
    slot: Slot,
    signal: AbortSignal,
    known: StoredRobots | undefined,
  ): Promise<LoadedRobots> {
    // Whoever had the claim before may have asked.
    if (known !== undefined && isUsable(known, now())) return loadedOf(known, policy, now(), false);
    const url = robotsUrlOf(origin);
    const exchange = await patience(() => transport.exchange(url, limits, signal, slot), slot, signal);
    // What was given up says nothing about the origin.
    signal.throwIfAborted();
    const stored = storedOf(origin, exchange, known, policy, freshness, now());
    // This machine's own trouble says nothing about the origin: the next load asks again.
    if (!ownTroubles.has(stored.code)) await store.set(stored);
    return loadedOf(stored, policy, now(), !withoutNetwork.has(stored.code));
  }

  async function load(origin: string, { signal }: LoadOptions = {}): Promise<LoadedRobots> {
    if (closed !== undefined) throw new UsageError("ERR_CLIENT_CLOSED", "the client is closed");
    checkOrigin(origin);
    signal?.throwIfAborted();
    const flight = flights.get(origin) ?? takeOff(origin);
    flight.waiting++;
    try {
      return await (signal === undefined ? flight.loaded : withSignal(flight.loaded, signal));
    } finally {
      flight.waiting--;
      if (flight.waiting === 0 && signal?.aborted === true) {
        // Whoever asks from now on gets a flight of their own.
        if (flights.get(origin) === flight) flights.delete(origin);
        flight.cut.abort(signal.reason);
      }
    }
  }

  async function shut(): Promise<void> {
    const reason = new UsageError("ERR_CLIENT_CLOSED", "the client was closed");
    const open = [...flights.values()];
    for (const { cut } of open) cut.abort(reason);
    await Promise.allSettled(open.map(({ loaded }) => loaded));
    if (options.transport === undefined) await transport.close?.();
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

function createDefaultTransport(options: HttpTransportOptions, now: () => number): Transport {
  // Turns at a server are taken by both.
  const reach = createReach(options);
  const http = httpTransportOver(reach, { ...options, now });
  const ftp = ftpTransportOver(reach, now);
  return {
    exchange: (robotsUrl, limits, signal, slot) =>
      (robotsUrl.startsWith("ftp:") ? ftp : http).exchange(robotsUrl, limits, signal, slot),
    async close() {
      await http.close?.();
      await ftp.close?.();
      reach.close();
    },
  };
}

function policyOf(policy: AccessPolicyName | AccessPolicy): AccessPolicy {
  if (typeof policy !== "string") return policy;
  if (Object.hasOwn(accessPolicies, policy)) return accessPolicies[policy];
  const names = Object.keys(accessPolicies).join(", ");
  throw new UsageError("ERR_INVALID_OPTION", `policy ${JSON.stringify(policy)} is none of ${names}`);
}

function retryOf(given: Partial<RetryRules> = {}): RetryRules {
  const rules = { ...defaultRetry, ...given };
  if (!Number.isInteger(rules.attempts) || rules.attempts < 0 || rules.attempts > 100) {
    throw new UsageError("ERR_INVALID_OPTION", "retry.attempts must be a whole number from 0 to 100");
  }
  if (!(rules.maxWaitMs >= 0 && rules.maxWaitMs <= 2_147_483_647)) {
    throw new UsageError("ERR_INVALID_OPTION", "retry.maxWaitMs must be a number from 0 to 2147483647");
  }
  return rules;
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

/** No file descriptors, no memory; a proxy that is down; a transport that was closed; no network wanted. */
const ownTroubles: ReadonlySet<string> = new Set<FailureCode>(["local-resources", "proxy", "aborted", "not-cached"]);

const keptHeaders = ["content-type", "cache-control", "retry-after", "etag", "last-modified"] as const;

function storedOf(
  origin: string,
  exchange: Exchange,
  previous: StoredRobots | undefined,
  policy: AccessPolicy,
  freshness: FreshnessRules,
  now: number,
): StoredRobots {
  const { access, code } = judge(exchange, policy);
  const { response } = exchange;
  const freshUntil = ownTroubles.has(code) ? now : freshUntilOf(access, response?.headers, now, freshness);
  const headers = response === undefined ? [] : keptHeaders.flatMap((name) => keptOf(name, response.headers[name]));
  return {
    origin,
    fetchedAt: now,
    freshUntil,
    access,
    code,
    ...(response === undefined ? {} : { status: response.status }),
    ...(access === "successful" ? { body: response?.body ?? new Uint8Array(0) } : {}),
    ...(response?.truncated === true ? { truncated: true } : {}),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...outageOf(access, previous, now),
    hops: exchange.hops,
  };
}

/** A field of reasonable length: stores keep these for years. */
function keptOf(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value.slice(0, 1_000)]];
}

function loadedOf(stored: StoredRobots, policy: AccessPolicy, now: number, fetched: boolean): LoadedRobots {
  const { access, body, stale } = inForceAt(stored, policy, now);
  const parsed = new Map<DialectName, RobotsTxt>();
  // Parsed when asked for: who counts status codes pays for no parsing.
  const parse = (dialect: DialectName): RobotsTxt | undefined => {
    let robots = parsed.get(dialect);
    if (robots === undefined && body !== undefined) parsed.set(dialect, (robots = parseRobotsTxt(body, { dialect })));
    return robots;
  };
  return {
    stored,
    fetched,
    access,
    stale,
    get robots(): RobotsTxt | undefined {
      return parse("google");
    },
    robotsIn: parse,
    matcherOf(productTokens, options): Matcher {
      if (access === "unavailable") return unavailableMatcher;
      const robots = access === "unreachable" ? undefined : parse(options?.dialect ?? "google");
      return robots === undefined ? unreachableMatcher : createMatcher(robots, productTokens, options);
    },
    paceOf: (productTokens, options) => paceOf(parse(options?.dialect ?? "google"), productTokens, policy, options),
  };
}
