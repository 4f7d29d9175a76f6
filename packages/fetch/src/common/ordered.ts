// Implements a list in insertion order from which any value is removed in constant time. A Map or Set with an iterator kept between calls
// would do the same, but the iterator keeps alive every hash table that V8 has replaced since the iterator's last step.

/** A value in the list; also the handle for removing it. */
export interface Entry<T> {
  readonly value: T;
}

interface Link<T> extends Entry<T> {
  previous: Link<T> | undefined;
  next: Link<T> | undefined;
  isIn: boolean;
}

export class Ordered<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The oldest entry in the list. */
  get first(): Entry<T> | undefined {
    return this.#first;
  }

  add(value: T): Entry<T> {
    const link: Link<T> = { value, previous: this.#last, next: undefined, isIn: true };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#size++;
    return link;
  }

  /** Removes an entry that this list's `add` returned; does nothing when it was already removed. */
  remove(entry: Entry<T>): void {
    const link = entry as Link<T>;
    if (!link.isIn) return;
    const { previous, next } = link;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    // A handle that is kept must not keep other entries alive.
    link.previous = link.next = undefined;
    link.isIn = false;
    this.#size--;
  }

  /** Removes and returns the first value; undefined when the list is empty. */
  shift(): T | undefined {
    const link = this.#first;
    if (link === undefined) return undefined;
    this.remove(link);
    return link.value;
  }
}
