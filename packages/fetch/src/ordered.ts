// Values in the order in which they were added, each removed in constant time wherever it stands. An iterator of a Map or Set
// that is kept between calls would do the same, but it keeps every table alive that V8 has replaced since its last step.

/** A value and its place; the handle to remove it by. */
export interface Entry<T> {
  readonly value: T;
}

interface Link<T> extends Entry<T> {
  previous: Link<T> | undefined;
  next: Link<T> | undefined;
  isIn: boolean;
}

/** A doubly linked list. */
export class Ordered<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The entry added before all others that are in. */
  get first(): Entry<T> | undefined {
    return this.#first;
  }

  /** Adds a value behind all others. */
  add(value: T): Entry<T> {
    const link: Link<T> = { value, previous: this.#last, next: undefined, isIn: true };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#size++;
    return link;
  }

  /** Does nothing for an entry that was removed before. `entry` is one that this list's `add` gave. */
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

  /** Removes and gives the first value; undefined when there is none. */
  shift(): T | undefined {
    const link = this.#first;
    if (link === undefined) return undefined;
    this.remove(link);
    return link.value;
  }
}
