// Keys with counts in, the keys with the largest counts out, in bounded memory for any number of keys (Space-Saving, in batches).

/** The least number of keys kept. At twice as many, the smaller half is dropped. */
const defaultCapacity = 10_000;

/** A key among those with the largest counts. */
export interface Hitter {
  readonly key: string;
  /** Lower bound of the key's count. */
  readonly count: number;
  /** Upper bound of the count; greater than `count` only when a part of the count may have been dropped. */
  readonly atMost: number;
}

/** The state of a kept key. */
interface Kept {
  /** Lower bound of the key's count. */
  count: number;
  /** Upper bound minus lower bound: counts from before the key was kept. */
  missed: number;
  readonly comesOnce: boolean;
}

/** The state of all keys, as plain data. */
export interface HittersData {
  readonly kept: ReadonlyMap<string, Readonly<Kept>>;
  /** Upper bound of the count of every dropped key that may occur again. */
  readonly mostForgotten: number;
}

/** The keys with the largest counts. */
export class HeavyHitters {
  readonly #capacity: number;
  #kept = new Map<string, Kept>();
  #mostForgotten = 0;
  /** A lower bound of the `capacity` largest counts. */
  #leastKept = 0;

  constructor(capacity: number = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** The state, for merging in another thread. */
  get data(): HittersData {
    return { kept: this.#kept, mostForgotten: this.#mostForgotten };
  }

  /**
   * Counts a key. `comesOnce`: the key is counted only this once, so its count is exact. `keyOf` is not called when the key would be
   * dropped at once.
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

  /** Adds the counts of another run. A key with `comesOnce` must not be in both. */
  merge({ kept, mostForgotten }: HittersData): void {
    for (const [key, mine] of this.#kept) {
      if (!mine.comesOnce && !kept.has(key)) mine.missed += mostForgotten;
    }
    const forgotten = this.#mostForgotten;
    this.#mostForgotten += mostForgotten;
    for (const [key, { count, missed, comesOnce }] of kept) {
      const known = this.#kept.get(key);
      if (known === undefined) {
        this.#kept.set(key, { count, missed: comesOnce ? 0 : missed + forgotten, comesOnce });
      } else {
        known.count += count;
        known.missed += missed;
      }
    }
    this.#forgetSmall();
  }

  /** The keys with the largest counts, largest first; equal counts in the order of their names. */
  top(length: number): readonly Hitter[] {
    return [...this.#kept]
      .sort(([one, { count: a }], [other, { count: b }]) => b - a || (one < other ? -1 : 1))
      .slice(0, length)
      .map(([key, { count, missed }]) => ({ key, count, atMost: count + missed }));
  }

  /** Drops the smaller half when there are too many keys. */
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
