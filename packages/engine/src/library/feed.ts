// A queue with room for one item: items are given one by one, and a loop takes them. The next item is requested when the loop
// has finished with the last one.

/** Called when the item may be changed and the next one given; with the error when an error ended the loop. */
type OnDone = (error?: Error | null) => void;

/** A queue with one place. */
export class Feed implements AsyncIterable<unknown> {
  #item: { readonly value: unknown; readonly onDone: OnDone } | undefined;
  #onDone: OnDone | undefined;
  #isEnded = false;
  #isLeft = false;
  #onItem: (() => void) | undefined;

  /** Gives an item; `onDone` is called when the loop requests another one, or by `leave`. */
  give(value: unknown, onDone: OnDone): void {
    if (this.#isLeft) {
      onDone();
      return;
    }
    this.#item = { value, onDone };
    this.#onItem?.();
  }

  /** Marks the end of the items. */
  end(): void {
    this.#isEnded = true;
    this.#onItem?.();
  }

  /** Records that the loop was left, perhaps because of an error. */
  leave(error: Error | null): void {
    this.#isLeft = true;
    this.#finish(error);
    const item = this.#item;
    this.#item = undefined;
    item?.onDone(error);
  }

  /** Not a generator: a generator would await items that have a member `then`. */
  [Symbol.asyncIterator](): AsyncIterator<unknown, undefined> {
    return { next: () => this.#next() };
  }

  async #next(): Promise<IteratorResult<unknown, undefined>> {
    this.#finish(null);
    while (this.#item === undefined) {
      if (this.#isEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#onItem = resolve));
    }
    const { value, onDone } = this.#item;
    this.#item = undefined;
    this.#onDone = onDone;
    return { done: false, value };
  }

  #finish(error: Error | null): void {
    const onDone = this.#onDone;
    this.#onDone = undefined;
    onDone?.(error);
  }
}
