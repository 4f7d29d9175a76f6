// Keys with counts in, the keys with the largest counts out, in bounded memory for any number of keys (Space-Saving, in batches).

/** Number of keys that remain after a drop. When there are twice as many keys, the half with the smaller upper bounds is dropped. */
const defaultCapacity = 10_000;

/** A key among those with the largest counts. */
export interface Hitter {
  readonly key: string;
  /** Lower bound of the key's count. */
  readonly count: number;
  /** Upper bound of the key's count. It is greater than `count` only when an earlier count of the key may have been dropped. */
  readonly atMost: number;
}

/** The state of a key that was not dropped. */
interface Kept {
  /** Lower bound of the key's count. */
  count: number;
  /** Upper bound minus lower bound of the key's count: the count that the key may have had when it was dropped earlier. */
  missed: number;
  readonly comesOnce: boolean;
}

/** The keys with the largest counts. */
export class HeavyHitters {
  readonly #capacity: number;
  #kept = new Map<string, Kept>();
  /** Upper bound of the count of every dropped key without `comesOnce`. */
  #mostForgotten = 0;
  /** Lower bound of each of the `capacity` largest counts. */
  #leastKept = 0;

  constructor(capacity: number = defaultCapacity) {
    this.#capacity = capacity;
  }

  /**
   * Adds `count` to a key. `comesOnce`: this is the only call for the key, so its count is exact. `keyOf` returns the key; it is not called
   * when the key would be dropped at once.
   */
  add(keyOf: () => string, count: number, comesOnce: boolean): void {
    if (comesOnce && count <= this.#leastKept) return;
    const key = keyOf();
    const known = this.#kept.get(key);
    if (known !== undefined) known.count += count;
    else {
      this.#kept.set(key, { count, missed: comesOnce ? 0 : this.#mostForgotten, comesOnce });
      this.#forgetSmall();
    }
  }

  /**
   * The `length` keys with the largest counts, in descending order of the counts. Of keys with equal counts, the smaller key comes first.
   */
  top(length: number): readonly Hitter[] {
    return [...this.#kept]
      .sort(([one, { count: a }], [other, { count: b }]) => b - a || (one < other ? -1 : 1))
      .slice(0, length)
      .map(([key, { count, missed }]) => ({ key, count, atMost: count + missed }));
  }

  /** When there are too many keys, drops all but the `capacity` keys with the largest upper bounds. */
  #forgetSmall(): void {
    if (this.#kept.size < this.#capacity * 2) return;
    const byMost = [...this.#kept].sort(([, a], [, b]) => b.count + b.missed - (a.count + a.missed));
    for (const [, { count, missed, comesOnce }] of byMost.slice(this.#capacity)) {
      if (!comesOnce) this.#mostForgotten = Math.max(this.#mostForgotten, count + missed);
    }
    byMost.length = this.#capacity;
    this.#kept = new Map(byMost);
    this.#leastKept = byMost.reduce((least, [, { count }]) => Math.min(least, count), Infinity);
  }
}
