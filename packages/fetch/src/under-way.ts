// Exchanges under way: each ends with its own deadline, its caller's signal, or the transport that is closed.
import { createDeadline } from "./deadline.ts";
import type { Failure } from "./failures.ts";
import type { Slot } from "./limiter.ts";
import type { Limits } from "./limits.ts";

/** What ends one exchange, and how it waits. */
export interface UnderWay {
  /** Aborts with the failure that the exchange ends with. */
  readonly signal: AbortSignal;
  /** Waits for others: neither the deadline runs nor the slot is held. */
  readonly idle: <T>(wait: Promise<T>) => Promise<T>;
}

const abortedFailure: Failure = { code: "aborted", message: "the caller ended the exchange" };

/** The exchanges of one transport. */
export class ExchangesUnderWay {
  readonly #open = new Set<AbortController>();

  /** Does the work of one exchange with what was loaded for it; the deadline begins when that is there. */
  async run<Loaded, Result>(
    {
      limits,
      signal,
      slot,
      loading,
    }: { limits: Limits; signal: AbortSignal | undefined; slot: Slot | undefined; loading: Promise<Loaded> | Loaded },
    work: (loaded: Loaded, underWay: UnderWay) => Promise<Result>,
  ): Promise<Result> {
    const cut = new AbortController();
    const abort = (): void => cut.abort(abortedFailure);
    this.#open.add(cut);
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
    const loaded = loading instanceof Promise ? await loading : loading;
    const deadline = createDeadline(limits.deadlineMs, () => cut.abort(deadlineFailure(limits)));
    try {
      return await work(loaded, {
        signal: cut.signal,
        idle: (wait) => deadline.pauseFor(slot === undefined ? wait : slot.lend(wait)),
      });
    } finally {
      deadline.clear();
      signal?.removeEventListener("abort", abort);
      this.#open.delete(cut);
    }
  }

  /** Ends them all. */
  close(): void {
    for (const cut of this.#open) cut.abort(abortedFailure);
  }
}

function deadlineFailure(limits: Limits): Failure {
  return { code: "timeout", message: `no complete answer within ${limits.deadlineMs} ms` };
}
