// Keeps samples of what has the smallest hashes, which do not depend on the order of adding: of keys with their values, and of minutes with
// their requests.
import { mix32, hashTextOf } from "../hash.ts";
import { CellTable } from "./cell-table.ts";

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

/** Counts by key, for the `limit` keys with the smallest hashes. Their counts are exact in any order of additions. */
export class SmallestCounts {
  /** The sum of the counts of all other keys. It and `below` are those of the kept keys after a call of `entries`. */
  other = 0;
  readonly #keys: SmallestKeys<number>;

  constructor(limit: number) {
    this.#keys = new SmallestKeys<number>(limit, hashTextOf, (_key, count) => (this.other += count));
  }

  add(key: string, count: number): void {
    const known = this.#keys.get(key, () => 0);
    if (known === undefined) this.other += count;
    else this.#keys.set(key, known + count);
  }

  /** Keys with this hash or a larger one are not kept; null while every key is kept. */
  get below(): string | null {
    return this.#keys.threshold ?? null;
  }

  /** Keeps no key with this hash or a larger one from now on. */
  dropFrom(below: string): void {
    this.#keys.dropFrom(below);
  }

  /** The kept keys with their counts, sorted by key. */
  entries(): readonly (readonly [key: string, count: number])[] {
    return this.#keys.entries();
  }
}

/**
 * A sample of the minutes in which a crawler sent requests to an origin: the `limit` minutes with the smallest hashes. A minute is dropped
 * only when `limit` minutes have smaller hashes, and a dropped minute is never added again. The count of a kept minute is therefore
 * complete, whatever the order of adding.
 */
export class PaceMinutes {
  readonly #limit: number;
  #requests = new CellTable(["sum"]);
  #threshold = Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds requests of a minute. `minute` is the number of minutes since 1970. */
  add(minute: number, requests: number): void {
    if (mix32(minute) >= this.#threshold) return;
    this.#requests.add(this.#requests.cellOf(minute), 0, requests);
    if (this.#requests.count > this.#limit * 2) this.#prune();
  }

  /** Adds the minutes of another sample. */
  addAll(other: PaceMinutes): void {
    for (const [minute, requests] of other.entries()) this.add(minute, requests);
  }

  /** The kept minutes with their requests, sorted by minute. */
  entries(): readonly (readonly [minute: number, requests: number])[] {
    this.#prune();
    return this.#all().toSorted(([one], [other]) => one - other);
  }

  #all(): (readonly [minute: number, requests: number])[] {
    const { count } = this.#requests;
    return Array.from({ length: count }, (_, at) => [this.#requests.keyOf(at), this.#requests.valueOf(at, 0)] as const);
  }

  #prune(): void {
    if (this.#requests.count <= this.#limit) return;
    const sorted = this.#all().toSorted(([one], [other]) => mix32(one) - mix32(other));
    this.#threshold = mix32(sorted[this.#limit]![0]);
    this.#requests = new CellTable(["sum"]);
    for (const [minute, requests] of sorted.slice(0, this.#limit)) {
      this.#requests.add(this.#requests.cellOf(minute), 0, requests);
    }
  }
}
