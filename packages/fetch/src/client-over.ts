// An origin → what is in force for it, over a given transport: store, exchange, policy, parse; one exchange for all loads of an
// origin at the same time. Imports nothing of Node's.
import { parseTarget } from "@robots-stream/url";
import type { ClientSettings } from "./client-options.ts";
import { FetchError } from "./errors.ts";
import type { FailureCode } from "./failure-codes.ts";
import { loadedOf, ownTroubles, storedOf } from "./loaded.ts";
import { type Checks, aSignal, readOptions } from "./options.ts";
import { pairLoads } from "./parsed-origin.ts";
import { judge } from "./policy.ts";
import { type Retrier, createRetrier } from "./retry.ts";
import { Semaphore } from "./semaphore.ts";
import type { LoadOptions, LoadedRobots, RobotsClient, StoredRobots, Transport } from "./types.ts";

/** One origin on its way, and how many loads wait for it. */
interface Flight {
  readonly origin: string;
  readonly robotsUrl: string;
  loaded: Promise<LoadedRobots> | undefined;
  readonly ending: AbortController;
  waiting: number;
}

/** A client that closes `transport` when it is closed. */
export function createClientOver(transport: Transport, settings: ClientSettings): RobotsClient {
  const loader = new Loader(transport, settings);
  const load: RobotsClient["load"] = (origin, options) => loader.load(origin, options, checkedRobotsUrlOf);
  pairLoads(load, (origin, options) => loader.load(origin, options, (parsed) => `${parsed}/robots.txt`));
  return { load, close: () => loader.close() };
}

/** The caller's transport: a client uses it, and leaves closing it to the caller. */
export function withoutClose(transport: Transport): Transport {
  return { exchange: (url, limits, signal, slot) => transport.exchange(url, limits, signal, slot) };
}

class Loader {
  readonly #transport: Transport;
  readonly #settings: ClientSettings;
  readonly #limiter: Semaphore;
  readonly #retrier: Retrier;
  /** By origin. */
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

  /** `robotsUrlOf` makes the URL to ask, or throws for what is no origin. */
  async load(
    origin: string,
    options: LoadOptions | undefined,
    robotsUrlOf: (origin: string) => string,
  ): Promise<LoadedRobots> {
    if (this.#closed !== undefined) throw new FetchError("ERR_CLIENT_CLOSED", "the client is closed");
    const signal = options === undefined ? undefined : signalOf(options);
    let flight = this.#flights.get(origin);
    // An origin on its way has been checked.
    const robotsUrl = flight?.robotsUrl ?? robotsUrlOf(origin);
    signal?.throwIfAborted();
    if (flight === undefined) {
      flight = { origin, robotsUrl, loaded: undefined, ending: new AbortController(), waiting: 0 };
      this.#flights.set(origin, flight);
      flight.loaded = this.#fly(flight);
    }
    const { loaded } = flight as { readonly loaded: Promise<LoadedRobots> };
    flight.waiting++;
    // A load without a signal cannot be aborted: it stays counted.
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
    // The rejection is handled here: no load is left to handle it.
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
    // The process that held the claim before may have fetched the origin.
    if (known !== undefined && isUsable(known, now())) return loadedOf(known, policy, now());
    const exchange = await this.#retrier(() => this.#transport.exchange(robotsUrl, limits, signal, slot), slot, signal);
    // An aborted exchange says nothing about the origin.
    signal.throwIfAborted();
    const stored = storedOf(origin, exchange, known, policy, freshness, now());
    // A failure of this machine says nothing about the origin: the next load makes a new exchange.
    if (!ownTroubles.has(stored.code)) {
      const kept = store.set(stored);
      if (kept !== undefined) await kept;
    }
    if (withoutNetwork.has(stored.code)) return loadedOf(stored, policy, now());
    return loadedOf(stored, policy, now(), Math.max(0, exchange.endedAt - exchange.startedAt));
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

/** The signal of one load. */
function signalOf(options: LoadOptions): AbortSignal | undefined {
  // Nearly all have a signal and nothing else; readOptions would be a tenth of a load that the store answers.
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
 * The URL of an origin's robots.txt; the origin is parsed to check it. Throws `ERR_NOT_AN_ORIGIN` for a text that is not written as
 * `parseTarget` writes origins.
 */
function checkedRobotsUrlOf(origin: string): string {
  const robotsUrl = `${origin}/robots.txt`;
  const meant = parseTarget(robotsUrl)?.origin;
  if (meant === origin) return robotsUrl;
  const hint = meant === undefined ? "" : `; ${JSON.stringify(meant)} would be one`;
  throw new FetchError("ERR_NOT_AN_ORIGIN", `${JSON.stringify(origin)} is not an origin${hint}`);
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

/** Codes of exchanges that sent no request. */
const withoutNetwork: ReadonlySet<string> = new Set<FailureCode>(["not-cached"]);
