// Tracks the exchanges that a transport is making. Each exchange is aborted by its own deadline, its caller's signal or the close of the
// transport.
import { Deadline } from "../common/monotonic-timer.ts";
import type { Failure } from "../common/failures.ts";
import type { Limits } from "../common/limits.ts";
import type { ExchangeEnd } from "./redirects.ts";
import type { Slot } from "../common/semaphore.ts";
import type { Exchange } from "../common/types.ts";

const abortedFailure: Failure = { code: "aborted", message: "the caller ended the exchange" };

/** One exchange: its deadline, which runs from the start, and its abort signal. */
export class UnderWay {
  /** The abort signal. Its reason is the failure with which the exchange ends. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #all: Set<UnderWay>;
  readonly #deadline: Deadline;
  readonly #outer: AbortSignal | undefined;
  readonly #slot: Slot | undefined;

  constructor(all: Set<UnderWay>, limits: Limits, outer: AbortSignal | undefined, slot: Slot | undefined) {
    this.#all = all;
    this.#outer = outer;
    this.#slot = slot;
    this.signal = this.#controller.signal;
    all.add(this);
    this.#deadline = new Deadline(limits.deadlineMs, () => {
      this.#controller.abort({ code: "timeout", message: `no complete answer within ${limits.deadlineMs} ms` });
    });
    if (outer?.aborted === true) this.abort();
    else outer?.addEventListener("abort", this.abort);
  }

  /** Aborts the exchange, for its caller or because the transport is closed. */
  readonly abort = (): void => this.#controller.abort(abortedFailure);

  /** Milliseconds used of the deadline. Waits for other exchanges and for local resources are not included. */
  get usedMs(): number {
    return this.#deadline.usedMs;
  }

  /** Waits for other exchanges. Meanwhile the deadline is paused and the slot is lent. */
  idle<T>(wait: Promise<T>): Promise<T> {
    return this.#deadline.pauseFor(this.#slot === undefined ? wait : this.#slot.lend(wait));
  }

  /** Waits for local resources. Meanwhile the deadline is paused; the slot is kept. */
  hold<T>(wait: Promise<T>): Promise<T> {
    return this.#deadline.pauseFor(wait);
  }

  /** Called when the exchange is over: clears its deadline and its listener. */
  end(): void {
    this.#deadline.clear();
    this.#outer?.removeEventListener("abort", this.abort);
    this.#all.delete(this);
  }
}

/** The arguments of a transport's `exchange`, and its clock. */
interface ExchangeCall {
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly slot: Slot | undefined;
  readonly now: () => number;
}

/** The exchanges of one transport. */
export class ExchangesUnderWay {
  readonly #open = new Set<UnderWay>();

  /**
   * Begins an exchange, calls `follow` to make its requests, and ends it. Returns the result of `follow` with the start and end
   * times, read from `now`. `follow` must not reject for failures of the network.
   */
  async run(
    { limits, signal, slot, now }: ExchangeCall,
    follow: (course: UnderWay) => Promise<ExchangeEnd>,
  ): Promise<Exchange> {
    const startedAt = now();
    const course = new UnderWay(this.#open, limits, signal, slot);
    try {
      const end = await follow(course);
      return { ...end, startedAt, endedAt: now() };
    } finally {
      course.end();
    }
  }

  /** Aborts all exchanges. */
  close(): void {
    for (const each of this.#open) each.abort();
  }
}
