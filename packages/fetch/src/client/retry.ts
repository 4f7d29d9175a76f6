// Repeats exchanges that may succeed later: after the wait in a Retry-After (RFC 9110 §10.2.3), and, when this machine has no sockets
// left, with fewer simultaneous exchanges. A waiting exchange holds no slot.
import { withSignal } from "../common/abort.ts";
import { retryAfterMsOf } from "../access/freshness.ts";
import type { Semaphore, Slot } from "../common/semaphore.ts";
import { backgroundTimerOf } from "../common/monotonic-timer.ts";
import type { Exchange } from "../common/types.ts";

/** When a request is repeated after a 429 or 503 response with a Retry-After, if the policy judges the response as "unreachable". */
export interface RetryRules {
  /** Largest number of retries of one load. */
  readonly attempts: number;
  /** Longest wait. A response with a longer Retry-After is final: it is stored and used while it is fresh. */
  readonly maxWaitMs: number;
}

/** Two retries, after at most a minute each. */
export const defaultRetry: RetryRules = Object.freeze({ attempts: 2, maxWaitMs: 60_000 });

/** Reports that this machine had no sockets, ports or memory left for all simultaneous exchanges. */
export interface Shortage {
  /** The system's error message. It may be shown to the user. */
  readonly message: string;
  /** The new largest number of simultaneous exchanges. */
  readonly concurrency: number;
}

export interface RetrierOptions {
  readonly limiter: Semaphore;
  readonly retry: RetryRules;
  /** Whether an exchange's result is "unreachable". Only such an exchange is repeated after a Retry-After. */
  readonly isUnreachable: (exchange: Exchange) => boolean;
  /** The clock for a Retry-After with a date, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called once, after the first shortage has reduced the number of slots. */
  readonly onShortage?: ((shortage: Shortage) => void) | undefined;
  /** How long a shortage may last while it is the result of every exchange; after that, a load ends with the failure. Default 5,000. */
  readonly shortageMs?: number;
}

/** Makes an exchange and repeats it when it may succeed later. Rejects with the reason of `signal` when `signal` aborts during a wait. */
export type Retrier = (make: () => Promise<Exchange>, slot: Slot, signal: AbortSignal) => Promise<Exchange>;

/**
 * The number of slots that are removed at the end of a burst, in addition to an eighth of the remaining slots: the program needs
 * descriptors for other files.
 */
const spareSlots = 4;
/** Shortages within this number of milliseconds are one burst. */
const burstMs = 25;
const longestBackoffMs = 500;

/** Creates the retrier of one client. It measures shortages with a monotonic clock, not with `now`, which may be adjusted. */
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

/** Handles exchanges that failed for lack of local resources: each such exchange removes a slot from the limiter permanently. */
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

  /** Whether a local shortage, not the origin, caused the failure of the exchange that began at `beganAt`. */
  isOne({ failure }: Exchange, beganAt: number): boolean {
    if (failure === undefined) return false;
    if (failure.code === "local-resources") return true;
    // A resolver that cannot open a socket reports only that the lookup failed.
    return failure.code === "dns-failed" && this.#lastAt >= beganAt;
  }

  /** Removes a slot for a failed exchange, and some spare slots at the end of the burst. */
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

/** The wait, in ms, in the Retry-After of a 429 or 503 response; undefined for other responses and without a valid Retry-After. */
function retryWaitMsOf({ response }: Exchange, now: number): number | undefined {
  if (response?.status !== 429 && response?.status !== 503) return undefined;
  return retryAfterMsOf(response.headers["retry-after"], now);
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await withSignal(over, signal).finally(() => clearTimeout(timer));
}
