// Iterates over an iterable for one loop. Other code can end the loop, even while the loop waits for an item. Each item is in a box.

/** Thrown into the loop when reading was stopped, so that the loop does not treat the stop as the end of the input. */
export const stopped: Error = new Error("reading was stopped");

/** A sync or async iterable. */
export type AnyIterable<T> = Iterable<T> | AsyncIterable<T>;

/** A boxed item. A generator awaits a yielded object with a member `then`, which a record may have; the box has none. */
export interface Boxed<T> {
  readonly value: T;
}

/** One iteration over an iterable. */
export class Reading<T> implements AsyncIterable<Boxed<T>> {
  readonly #items: AnyIterable<T>;
  #iterator: Iterator<T> | AsyncIterator<T> | undefined;
  #isDone = false;
  #interrupt: (() => void) | undefined;

  constructor(items: AnyIterable<T>) {
    this.#items = items;
  }

  /** Makes the loop throw `stopped`. Closes the iterable as leaving a `for await` loop does: calls `return`, and destroys a stream. */
  stop(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#interrupt?.();
    const items = this.#items;
    // `return` of a stream's iterator would wait for the pending item.
    if ("destroy" in items && typeof items.destroy === "function") items.destroy();
    // Not awaited: the pending item may never arrive.
    void (async () => this.#iterator?.return?.())().catch(() => undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Boxed<T>> {
    const items = this.#items;
    const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#iterator = iterator;
    try {
      for (;;) {
        const next = await this.#nextOf(iterator);
        if (next.done === true) break;
        // As in `for await`, items of a sync iterable may be promises.
        yield { value: isPromise(next.value) ? await next.value : next.value };
      }
      this.#isDone = true;
    } finally {
      this.stop();
    }
  }

  async #nextOf(iterator: Iterator<T> | AsyncIterator<T>): Promise<IteratorResult<T>> {
    if (this.#isDone) throw stopped;
    try {
      return await new Promise((resolve, reject) => {
        this.#interrupt = () => reject(stopped);
        Promise.resolve(iterator.next()).then(resolve, reject);
      });
    } catch (error) {
      // An iterator that throws has ended by itself.
      this.#isDone = true;
      throw error;
    }
  }
}

/** Whether a value is a promise; false for a proxy whose getPrototypeOf trap throws. */
function isPromise<T>(value: T): boolean {
  try {
    return value instanceof Promise;
  } catch {
    return false;
  }
}
