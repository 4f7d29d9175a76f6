// Keys with counts in, the keys with most of them out, in bounded memory however many keys there are (Space-Saving, in batches).

/** Keys that are kept at least; when there are twice as many, the smaller half goes. */
const defaultCapacity = 10_000;

/** A key among those with most. */
export interface Hitter {
  readonly key: string;
  /** At least so often. */
  readonly count: number;
  /** At most so often: more than `count` only where something of the key may have been dropped. */
  readonly atMost: number;
}

/** What is known about a key. */
interface Kept {
  /** At least so often. */
  count: number;
  /** At most so often more, from before it was kept. */
  missed: number;
  readonly comesOnce: boolean;
}

/** What is known about all keys. Plain data. */
export interface HittersData {
  readonly kept: ReadonlyMap<string, Readonly<Kept>>;
  /** No key that may come again, and is not kept, has come more often. */
  readonly mostForgotten: number;
}

/** The keys with the largest counts. */
export class HeavyHitters {
  readonly #capacity: number;
  #kept = new Map<string, Kept>();
  #mostForgotten = 0;
  /** As many keys as are kept at least have come at least so often. */
  #leastKept = 0;

  constructor(capacity: number = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** Everything, to be merged elsewhere. */
  get data(): HittersData {
    return { kept: this.#kept, mostForgotten: this.#mostForgotten };
  }

  /**
   * Counts a key. `comesOnce` says that this is its whole count, which is exact then; of a key that comes so seldom that it
   * would be dropped not even the text is made.
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

  /** Adds the counts of another run. A key that comes once must not be in both. */
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

  /** Those with most, the most first; equal ones by their names. */
  top(length: number): readonly Hitter[] {
    return [...this.#kept]
      .sort(([one, { count: a }], [other, { count: b }]) => b - a || (one < other ? -1 : 1))
      .slice(0, length)
      .map(([key, { count, missed }]) => ({ key, count, atMost: count + missed }));
  }

  /** Keeps the larger half when there are too many. */
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
