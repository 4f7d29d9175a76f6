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

  async *[Symbol.asyncIterator](): AsyncGenerator {
    for (;;) {
      const item = this.#item;
      if (item === undefined) {
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => (this.#onItem = resolve));
        continue;
      }
      this.#item = undefined;
      item.onTaken();
      yield item.value;
    }
  }
}
