// Items given one by one in, the same out for one loop: the next is asked for when the last was taken.

/** A queue with one place. */
export class Feed implements AsyncIterable<unknown> {
  #item: { readonly value: unknown; readonly onTaken: () => void } | undefined;
  #isEnded = false;
  #onItem: (() => void) | undefined;

  /** Gives an item; `onTaken` is called when it is taken, and the next may be given. */
  give(value: unknown, onTaken: () => void): void {
    this.#item = { value, onTaken };
    this.#onItem?.();
  }

  /** Nothing will follow. */
  end(): void {
    this.#isEnded = true;
    this.#onItem?.();
  }

  /** No generator: that would wait for items that have a member `then`. */
  [Symbol.asyncIterator](): AsyncIterator<unknown, undefined> {
    return { next: () => this.#next() };
  }

  async #next(): Promise<IteratorResult<unknown, undefined>> {
    while (this.#item === undefined) {
      if (this.#isEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#onItem = resolve));
    }
    const { value, onTaken } = this.#item;
    this.#item = undefined;
    onTaken();
    return { done: false, value };
  }
}
