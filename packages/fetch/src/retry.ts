// An exchange that may go better later → the same exchange made again: after the wait a server asked for with Retry-After
// (RFC 9110 §10.2.3), and with fewer at once when this machine has no sockets left. No slot is held during a wait.
import { retryAfterMsOf } from "./freshness.ts";
import type { Semaphore, Slot } from "./semaphore.ts";
import { backgroundTimerOf } from "./timers.ts";
import type { Exchange } from "./types.ts";

/** When a request is repeated after 429 or 503. */
export interface RetryRules {
  /** Repetitions for one origin in one load. */
  readonly attempts: number;
  /**
   * Longest Retry-After that is waited for. With a longer one the response counts, and the store keeps it as long as it is
   * fresh.
   */
  readonly maxWaitMs: number;
}

/** Twice, after at most a minute each. */
export const defaultRetry: RetryRules = Object.freeze({ attempts: 2, maxWaitMs: 60_000 });

/** This machine had no sockets, ports or memory left for all exchanges that ran at once. */
export interface Shortage {
  /** The system's message. May be shown. */
  readonly message: string;
  /** Exchanges at once from now on. */
  readonly concurrency: number;
}

/** What a retrier needs. */
export interface RetrierOptions {
  readonly limiter: Semaphore;
  readonly retry: RetryRules;
  /** Whether an exchange's answer means "unreachable": only then is it worth another try. */
  readonly isUnreachable: (exchange: Exchange) => boolean;
  /** Milliseconds since the epoch: the reference time of a Retry-After with a date. */
  readonly now: () => number;
  /** Told once, when the first shortage has been answered with fewer slots. */
  readonly onShortage?: ((shortage: Shortage) => void) | undefined;
  /** How long a machine may have nothing left at all before a load ends with `local-resources`. Default 5 s. */
  readonly shortageMs?: number;
}

/** Makes an exchange, and makes it again where that helps. Rejects with the reason of `signal` when it aborts in a wait. */
export type Retrier = (make: () => Promise<Exchange>, slot: Slot, signal: AbortSignal) => Promise<Exchange>;

/** Slots given up in addition to the failed ones: the program has other files to open. */
const spareSlots = 4;
/** Shortages that come closer together than this are one. */
const burstMs = 25;
const longestBackoffMs = 500;

/** A retrier for one client. It measures with timers, not with `now`: sockets do not depend on the system clock. */
export function createRetrier(options: RetrierOptions): Retrier {
  const { retry, isUnreachable, now, shortageMs = 5_000 } = options;
  const shortages = new Shortages(options.limiter, options.onShortage);
  let lastSuccessAt = performance.now();

  return async (make, slot, signal) => {
    let retries = 0;
    let backoffMs = burstMs;
    let shortSince: number | undefined;
    for (;;) {
      const beganAt = performance.now();
      const exchange = await make();
      if (signal.aborted) return exchange;
      if (shortages.isOne(exchange, beganAt)) {
        shortSince ??= performance.now();
        if (performance.now() - Math.max(shortSince, lastSuccessAt) > shortageMs) return exchange;
        shortages.take(exchange.failure?.message ?? "");
        await slot.lend(delay(backoffMs, signal));
        backoffMs = Math.min(backoffMs * 2, longestBackoffMs);
        continue;
      }
      lastSuccessAt = performance.now();
      const waitMs = retries < retry.attempts ? retryWaitMsOf(exchange, now()) : undefined;
      if (waitMs === undefined || waitMs > retry.maxWaitMs || !isUnreachable(exchange)) return exchange;
      retries++;
      await slot.lend(delay(waitMs, signal));
    }
  };
}

/** Exchanges that failed because this machine had nothing left: each takes a slot from the limiter for good. */
class Shortages {
  readonly #limiter: Semaphore;
  readonly #onShortage: ((shortage: Shortage) => void) | undefined;
  #isTold = false;
  #burst: ReturnType<typeof setTimeout> | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(limiter: Semaphore, onShortage: ((shortage: Shortage) => void) | undefined) {
    this.#limiter = limiter;
    this.#onShortage = onShortage;
  }

  /** Whether this machine's shortage, and not the origin, ended an exchange that began at `beganAt`. */
  isOne({ failure }: Exchange, beganAt: number): boolean {
    if (failure === undefined) return false;
    if (failure.code === "local-resources") return true;
    // Without a socket for its query, a resolver reports a failure without the cause.
    return failure.code === "dns-failed" && this.#lastAt >= beganAt;
  }

  /** One slot less for each that failed, and some to spare when the burst is over. */
  take(message: string): void {
    this.#lastAt = performance.now();
    this.#limiter.drop(1);
    if (this.#burst !== undefined) return;
    this.#burst = backgroundTimerOf(setTimeout(() => this.#endBurst(message), burstMs));
  }

  #endBurst(message: string): void {
    this.#burst = undefined;
    const left = this.#limiter.drop(0);
    const concurrency = this.#limiter.drop(spareSlots + Math.ceil(left / 8));
    if (!this.#isTold) this.#onShortage?.({ message, concurrency });
    this.#isTold = true;
  }
}

/** The wait that a 429 or 503 requests; undefined without a readable request. */
function retryWaitMsOf({ response }: Exchange, now: number): number | undefined {
  if (response?.status !== 429 && response?.status !== 503) return undefined;
  return retryAfterMsOf(response.headers["retry-after"], now);
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
}
