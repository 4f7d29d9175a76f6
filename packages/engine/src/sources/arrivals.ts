// Passes on the chunks of a source and detects silence: a promise resolves when no chunk has arrived for a while.

/** Timers. Tests replace them, so that they need not wait. */
export interface Clock {
  /** Calls `act` after `ms` milliseconds. The returned function cancels the call. */
  after(ms: number, act: () => void): () => void;
}

/** The process's own timers. */
export const systemClock: Clock = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** Time in milliseconds without a chunk after which a source is silent. The format of a silent source is detected from the bytes so far. */
export const silenceMs = 2_000;

/** The value with which `untilSilent` resolves. */
export const silent: unique symbol = Symbol("silent");

/**
 * The chunks of a source. Silence is the time that the reader waits for the source, not the time between two requests of the
 * reader: unpacking a chunk for three seconds is not silence.
 */
export class Arrivals implements AsyncIterableIterator<Uint8Array> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #clock: Clock;
  #isHeeded = true;
  #isSilent = false;
  #cancel: () => void = () => undefined;
  #onSilent: (() => void) | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>, clock: Clock) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#clock = clock;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const next = this.#chunks.next();
    if (this.#isHeeded) this.#heed(next);
    return next;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.ignoreSilence();
    return (await this.#chunks.return?.()) ?? { done: true, value: undefined };
  }

  /** Resolves when a requested chunk has not arrived for `silenceMs`; may never resolve. */
  untilSilent(): Promise<typeof silent> {
    if (this.#isSilent) return Promise.resolve(silent);
    return new Promise((resolve) => (this.#onSilent = () => resolve(silent)));
  }

  /** Stops the timers: from now on, silence is not detected. */
  ignoreSilence(): void {
    this.#isHeeded = false;
    this.#cancel();
  }

  #heed(next: Promise<unknown>): void {
    let isPending = true;
    const arrived = (): void => {
      isPending = false;
      this.#isSilent = false;
      this.#cancel();
    };
    next.then(arrived, arrived);
    this.#cancel = this.#clock.after(silenceMs, () => {
      // After a suspension, a process runs its timers before it reads its sockets. `setImmediate` lets it read a chunk that has already
      // arrived.
      setImmediate(() => {
        if (!isPending || !this.#isHeeded) return;
        this.#isSilent = true;
        this.#onSilent?.();
      });
    });
  }
}
