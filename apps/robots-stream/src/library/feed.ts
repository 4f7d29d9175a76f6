// Items given one by one in, the same out for one loop: the next is asked for when the loop is done with the last.

/** A queue with one place. */
export class Feed implements AsyncIterable<unknown> {
  #item: { readonly value: unknown; readonly onDone: () => void } | undefined;
  #onDone: (() => void) | undefined;
  #isEnded = false;
  #onItem: (() => void) | undefined;

  /** Gives an item; `onDone` is called when the loop asks for another or is left: the item may change then, the next be given. */
  give(value: unknown, onDone: () => void): void {
    this.#item = { value, onDone };
    this.#onItem?.();
  }

  /** Nothing will follow. */
  end(): void {
    this.#isEnded = true;
    this.#onItem?.();
  }

  /** No generator: that would wait for items that have a member `then`. */
  [Symbol.asyncIterator](): AsyncIterator<unknown, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.#finish();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  async #next(): Promise<IteratorResult<unknown, undefined>> {
    this.#finish();
    while (this.#item === undefined) {
      if (this.#isEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#onItem = resolve));
    }
    const { value, onDone } = this.#item;
    this.#item = undefined;
    this.#onDone = onDone;
    return { done: false, value };
  }

  #finish(): void {
    const onDone = this.#onDone;
    this.#onDone = undefined;
    onDone?.();
  }
}
