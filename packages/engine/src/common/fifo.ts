// A queue in an array: items are appended at its end and taken from its front.

/** The array is cut when this many items were taken and at least half of its items are gone, so that taking an item costs constant time. */
const leastCut = 1_024;

/** A queue that refers to no item that was taken. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** The item that was appended first of those in the queue; undefined if the queue is empty. */
  get first(): T | undefined {
    return this.#items[this.#first];
  }

  /** The item that was appended last; undefined if the queue is empty. */
  get last(): T | undefined {
    return this.#items.at(-1);
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the first item; undefined if the queue is empty. */
  shift(): T | undefined {
    const item = this.first;
    if (this.length === 0) return undefined;
    this.#items[this.#first++] = undefined;
    if (this.length === 0) {
      this.#items = [];
      this.#first = 0;
    } else if (this.#first >= leastCut && this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
