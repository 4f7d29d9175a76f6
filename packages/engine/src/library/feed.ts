// A queue with room for one item, between a writer that gives items and a loop that takes them. The writer's callback is called when the
// loop requests the next item.

/** Called when the writer may change the item and give the next one; receives the error that ended the loop, if any. */
type OnDone = (error?: Error | null) => void;

/** A queue with room for one item. */
export class Feed implements AsyncIterable<unknown> {
  #item: { readonly value: unknown; readonly onDone: OnDone } | undefined;
  #onDone: OnDone | undefined;
  #isEnded = false;
  #isLeft = false;
  #onItem: (() => void) | undefined;

  /** Gives an item. `onDone` is called when the loop requests another item, or by `leave`, or at once after `leave`. */
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

  /** Ends the queue with the error that ended the loop, if any: calls `onDone` of all items, and drops the waiting item. */
  leave(error: Error | null): void {
    this.#isLeft = true;
    this.#finish(error);
    const item = this.#item;
    this.#item = undefined;
    item?.onDone(error);
  }

  /** The iterator is not a generator, because a generator would await items that have a member `then`. */
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
