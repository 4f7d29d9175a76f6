// Reads the first chunks of a source, so that they can be examined before the whole source is read, and detects silence: that no chunk has
// arrived for a while.

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
const silent: unique symbol = Symbol("silent");

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

/** The beginning of a source, and the whole source: the beginning as one chunk, then the rest. */
export interface Peeked {
  /** Valid until the chunks are read. */
  readonly beginning: Uint8Array;
  /** The reason why the beginning ends: `isEnough` returned true, the source ended, or the source fell silent. */
  readonly end: "enough" | "end" | "silence";
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The conditions under which `peek` stops waiting for a silent source. */
interface Patience {
  /** The source from which the chunks are read. */
  readonly arrivals: Arrivals;
  /** Whether the bytes so far are enough to continue. */
  mayDo(): boolean;
}

/**
 * Collects chunks until `isEnough` returns true for one, or until they end. `isEnough` is called once with each chunk, in order. With a
 * `patience`, collecting also ends when the source falls silent and `mayDo` returns true.
 */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  isEnough: (chunk: Uint8Array) => boolean,
  patience?: Patience,
): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let end: Peeked["end"] = "end";
  let pending: Promise<IteratorResult<Uint8Array>> | undefined;
  for (;;) {
    pending = iterator.next();
    if (patience?.mayDo() === true && (await isSilentBefore(pending, patience.arrivals))) {
      end = "silence";
      break;
    }
    const next = await pending;
    pending = undefined;
    if (next.done === true) break;
    const isLast = isEnough(next.value);
    // A chunk is valid until the next one is requested, so all but the last chunk are copied.
    held.push(isLast ? next.value : Buffer.from(next.value));
    if (isLast) {
      end = "enough";
      break;
    }
  }
  const [first = new Uint8Array(0)] = held;
  const beginning = held.length === 1 ? first : Buffer.concat(held);
  return { beginning, end, chunks: goOn(beginning, iterator, pending) };
}

async function isSilentBefore(next: Promise<unknown>, arrivals: Arrivals): Promise<boolean> {
  // The error is thrown where the chunk is read.
  next.catch(() => undefined);
  return (await Promise.race([next.catch(() => undefined), arrivals.untilSilent()])) === silent;
}

/** Yields `first`, then the rest of the chunks. `pending`: the next chunk, if it was requested already. */
async function* goOn(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  pending: Promise<IteratorResult<Uint8Array>> | undefined,
): AsyncGenerator<Uint8Array> {
  let asked = pending;
  try {
    if (first.byteLength > 0) yield first;
    for (;;) {
      const next = await (asked ?? rest.next());
      asked = undefined;
      if (next.done === true) break;
      yield next.value;
    }
  } finally {
    await leave(rest, asked !== undefined);
  }
}

/**
 * Ends an iteration. `return` of a generator waits for its pending value, which may never arrive. So it is not awaited then: the code that
 * opened the source destroys the source.
 */
export async function leave(iterator: AsyncIterator<unknown>, isPending: boolean): Promise<void> {
  const left = Promise.resolve(iterator.return?.());
  if (isPending) left.catch(() => undefined);
  else await left;
}

/** Collects chunks until they have `bytes` bytes, or until they end. */
export function peekBytes(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  let seen = 0;
  return peek(chunks, (chunk) => (seen += chunk.byteLength) >= bytes);
}

/** A copy of the first `maxBytes` bytes of a source, or of all of it. The rest is not read. */
export async function bytesUpTo(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    // A chunk is valid until the next is requested.
    held.push(Buffer.from(chunk));
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(held).subarray(0, maxBytes);
}
