// Implements the robots client over any transport: it looks an origin up in the store, makes an exchange, applies the policy and parses the
// file. Simultaneous loads of one origin share one exchange. Imports no Node module.
import { parseTarget } from "@robots-stream/url";
import { type ClientOptions, type ClientSettings, clientSettingsOf } from "./client-options.ts";
import { withSignal } from "../common/abort.ts";
import { FetchError } from "../common/errors.ts";
import type { FailureCode } from "../common/failures.ts";
import { loadedOf, ownTroubles, storedOf } from "../access/loaded.ts";
import { type Checks, aSignal, readOptions } from "../common/options.ts";
import { judge } from "../access/policy.ts";
import { type Retrier, createRetrier } from "./retry.ts";
import { Semaphore } from "../common/semaphore.ts";
import type { LoadOptions, LoadedRobots, RobotsClient, StoredRobots, Transport } from "../common/types.ts";

/** One shared load of an origin, and the number of callers that wait for it. */
interface Flight {
  readonly origin: string;
  readonly robotsUrl: string;
  loaded: Promise<LoadedRobots> | undefined;
  readonly ending: AbortController;
  waiting: number;
}

/**
 * Makes a client for options that `readOptions` has read: over the caller's transport, which the client does not close, or over the one that
 * `makeTransport` makes. `errorPages`: whether that transport reads error pages, by default if `soft404` needs them.
 */
export function createClient<Options extends ClientOptions & { readonly errorPages?: boolean }>(
  options: Options,
  makeTransport: (options: Options & { readonly errorPages: boolean }) => Transport,
): RobotsClient {
  const settings = clientSettingsOf(options);
  const { transport, errorPages = options.soft404 ?? false } = options;
  if (transport === undefined) return createClientOver(makeTransport({ ...options, errorPages }), settings);
  return createClientOver({ exchange: (...call) => transport.exchange(...call) }, settings);
}

/** Makes a client. Closing the client closes `transport`. */
export function createClientOver(transport: Transport, settings: ClientSettings): RobotsClient {
  const loader = new Loader(transport, settings);
  return { load: (origin, options) => loader.load(origin, options), close: () => loader.close() };
}

class Loader {
  readonly #transport: Transport;
  readonly #settings: ClientSettings;
  readonly #limiter: Semaphore;
  readonly #retrier: Retrier;
  /** Shared loads that have not settled, by origin. */
  readonly #flights = new Map<string, Flight>();
  #closed: Promise<void> | undefined;

  constructor(transport: Transport, settings: ClientSettings) {
    const { policy, retry, now, onShortage } = settings;
    this.#transport = transport;
    this.#settings = settings;
    this.#limiter = new Semaphore(settings.concurrency, settings.onWaiting);
    this.#retrier = createRetrier({
      limiter: this.#limiter,
      retry,
      isUnreachable: (exchange) => judge(exchange, policy).access === "unreachable",
      now,
      onShortage,
    });
  }

  /** Returns the robots.txt in force for `origin`, from the store or from an exchange. */
  async load(origin: string, options: LoadOptions | undefined): Promise<LoadedRobots> {
    if (this.#closed !== undefined) throw new FetchError("ERR_CLIENT_CLOSED", "the client is closed");
    const signal = options === undefined ? undefined : signalOf(options);
    let flight = this.#flights.get(origin);
    // The origin of an existing flight has already been checked.
    const robotsUrl = flight?.robotsUrl ?? checkedRobotsUrlOf(origin);
    signal?.throwIfAborted();
    if (flight === undefined) {
      flight = { origin, robotsUrl, loaded: undefined, ending: new AbortController(), waiting: 0 };
      this.#flights.set(origin, flight);
      flight.loaded = this.#fly(flight);
    }
    const { loaded } = flight as { readonly loaded: Promise<LoadedRobots> };
    flight.waiting++;
    // A load without a signal cannot be aborted, so it stays counted in `waiting`.
    if (signal === undefined) return loaded;
    try {
      return await withSignal(loaded, signal);
    } finally {
      flight.waiting--;
      if (flight.waiting === 0 && signal.aborted) this.#end(flight, signal.reason);
    }
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#shut());
  }

  /** Ends a flight that no load waits for any more. */
  #end(flight: Flight, reason: unknown): void {
    // Later loads get a flight of their own.
    this.#forget(flight);
    // No load is left to handle the rejection.
    flight.loaded?.catch(() => undefined);
    flight.ending.abort(reason);
  }

  #forget(flight: Flight): void {
    if (this.#flights.get(flight.origin) === flight) this.#flights.delete(flight.origin);
  }

  async #fly(flight: Flight): Promise<LoadedRobots> {
    const { origin, ending } = flight;
    const { store, isUsable, policy, now } = this.#settings;
    const { signal } = ending;
    try {
      const got = store.get(origin);
      const known = got === undefined ? undefined : await got;
      signal.throwIfAborted();
      if (known !== undefined && isUsable(known, now())) return loadedOf(known, policy, now());
      const entered = this.#limiter.enter(signal);
      if (entered !== undefined) await entered;
      try {
        if (store.claim === undefined) return await this.#ask(flight, known);
        const claim = await store.claim(origin, signal);
        try {
          return await this.#ask(flight, await store.get(origin));
        } finally {
          await claim.release();
        }
      } finally {
        this.#limiter.leave();
      }
    } finally {
      this.#forget(flight);
    }
  }

  async #ask({ origin, robotsUrl, ending }: Flight, known: StoredRobots | undefined): Promise<LoadedRobots> {
    const { store, isUsable, policy, freshness, limits, now } = this.#settings;
    const { signal } = ending;
    const { slot } = this.#limiter;
    // The previous holder of the claim may have stored a fresh entry.
    if (known !== undefined && isUsable(known, now())) return loadedOf(known, policy, now());
    const exchange = await this.#retrier(() => this.#transport.exchange(robotsUrl, limits, signal, slot), slot, signal);
    // The result of an aborted exchange says nothing about the origin.
    signal.throwIfAborted();
    const stored = storedOf(origin, exchange, known, policy, freshness, now(), limits.maxBytes);
    // A failure on this machine says nothing about the origin: it is not stored, so the next load makes a new exchange.
    if (!ownTroubles.has(stored.code)) {
      const kept = store.set(stored);
      if (kept !== undefined) await kept;
    }
    if (withoutNetwork.has(stored.code)) return loadedOf(stored, policy, now());
    return loadedOf(stored, policy, now(), exchange);
  }

  async #shut(): Promise<void> {
    const reason = new FetchError("ERR_CLIENT_CLOSED", "the client was closed");
    const open = [...this.#flights.values()];
    for (const { ending } of open) ending.abort(reason);
    await Promise.allSettled(open.flatMap(({ loaded }) => loaded ?? []));
    await this.#transport.close?.();
    if (this.#settings.ownsStore) await this.#settings.store.close?.();
  }
}

/** The abort signal of one load. Throws `ERR_INVALID_OPTION` for invalid options. */
function signalOf(options: LoadOptions): AbortSignal | undefined {
  // Fast path for options with only a signal: `readOptions` would take a tenth of the time of a load from the store.
  const { signal } = (options as LoadOptions | null) ?? noOptions;
  return signal instanceof AbortSignal && hasOnlySignal(options) ? signal : readOptions(options, loadChecks).signal;
}

function hasOnlySignal(options: LoadOptions): boolean {
  for (const name in options) if (name !== "signal") return false;
  return true;
}

const noOptions: LoadOptions = Object.freeze({});
const loadChecks: Checks<LoadOptions> = { signal: aSignal };

/**
 * Returns the URL of an origin's robots.txt. Throws `ERR_NOT_AN_ORIGIN` unless `origin` is written exactly as `parseTarget` writes origins.
 */
function checkedRobotsUrlOf(origin: string): string {
  const robotsUrl = `${origin}/robots.txt`;
  const meant = parseTarget(robotsUrl)?.origin;
  if (meant === origin) return robotsUrl;
  const hint = meant === undefined ? "" : `; ${JSON.stringify(meant)} would be one`;
  throw new FetchError("ERR_NOT_AN_ORIGIN", `${JSON.stringify(origin)} is not an origin${hint}`);
}

/** Codes of exchanges that do not count as `fetched`: a transport that answers only from a cache made no request, on purpose. */
const withoutNetwork: ReadonlySet<string> = new Set<FailureCode>(["not-cached"]);
