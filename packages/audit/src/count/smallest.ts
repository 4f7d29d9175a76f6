// Keeps the keys with the smallest hashes and their values: a sample that does not depend on the order of the keys.

/** A value with the hash of its key. The hash is a text that sorts like the number. */
type Hashed<Value> = { readonly hash: string; value: Value };

/**
 * The `limit` keys with the smallest hashes. A key is dropped only when `limit` keys have smaller hashes, and a dropped key is never added
 * again. The value of a kept key is therefore complete, whatever the order of the keys.
 */
export class SmallestKeys<Value> {
  readonly #limit: number;
  readonly #hashOf: (key: string) => string;
  readonly #drop: (key: string, value: Value) => void;
  readonly #kept = new Map<string, Hashed<Value>>();
  /** Keys with this hash or a larger hash are not kept; undefined while every key is kept. */
  #threshold: string | undefined;

  /** @param drop is called with each dropped key and its value, but not for a key for which `get` made no value */
  constructor(limit: number, hashOf: (key: string) => string, drop: (key: string, value: Value) => void) {
    this.#limit = limit;
    this.#hashOf = hashOf;
    this.#drop = drop;
  }

  /** The smallest hash of the keys that are not kept; undefined while every key is kept. */
  get threshold(): string | undefined {
    return this.#threshold;
  }

  /** Drops the keys with this hash or a larger one, and keeps no such key from now on. */
  dropFrom(threshold: string): void {
    if (this.#threshold !== undefined && this.#threshold <= threshold) return;
    this.#threshold = threshold;
    this.#dropAll([...this.#kept].filter(([, { hash }]) => hash >= threshold));
  }

  /** Returns the value of a key, which `make` makes for a new key; undefined if the key is not kept. */
  get(key: string, make: () => Value): Value | undefined {
    const known = this.#kept.get(key);
    if (known !== undefined) return known.value;
    const hash = this.#hashOf(key);
    if (this.#threshold !== undefined && hash >= this.#threshold) return undefined;
    const value = make();
    this.#kept.set(key, { hash, value });
    if (this.#kept.size > this.#limit * 2) {
      this.#prune();
      if (!this.#kept.has(key)) return undefined;
    }
    return value;
  }

  /** Replaces the value of a key, if the key is kept. */
  set(key: string, value: Value): void {
    const known = this.#kept.get(key);
    if (known !== undefined) known.value = value;
  }

  /** The kept keys with their values, sorted by key. */
  entries(): readonly (readonly [key: string, value: Value])[] {
    this.#prune();
    return [...this.#kept]
      .map(([key, { value }]) => [key, value] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
  }

  #prune(): void {
    if (this.#kept.size <= this.#limit) return;
    const sorted = [...this.#kept].toSorted(([, one], [, other]) => (one.hash < other.hash ? -1 : 1));
    this.#threshold = sorted[this.#limit]![1].hash;
    this.#dropAll(sorted.slice(this.#limit));
  }

  #dropAll(dropped: readonly (readonly [key: string, hashed: Hashed<Value>])[]): void {
    for (const [key, { value }] of dropped) {
      this.#kept.delete(key);
      this.#drop(key, value);
    }
  }
}
