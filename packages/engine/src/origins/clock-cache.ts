// Evicts entries so that all entries together stay within a memory limit. It is a clock cache (second-chance replacement): the hand visits
// the entries in a circle, and evicts each entry that was not used since the hand's last visit.

export interface CacheEntry {
  /** The number of the entry, from 0. Two entries in the cache have different numbers. */
  readonly number: number;
  /** The memory of the entry that its owner has counted, in bytes. */
  bytes: number;
  /** Whether the entry is in the list that the hand goes through; false after eviction. */
  isInRound: boolean;
  /** Whether `remove` was called for the entry. */
  isRemoved: boolean;
}

/**
 * Bytes that may be added after a call of `evict` until the next call is due. Calls should be rare, because each call visits many entries.
 */
const slackBytes = 512 * 1_024;

export abstract class ClockCache<T extends CacheEntry> {
  /** Bytes of all entries. */
  bytes = 0;
  #maxBytes: number;
  readonly #leastBytes: number;
  /** `evict` is due when `bytes` is above this number. */
  #dueAt: number;
  /** Entries in the order of the hand's visits; the next one is at index `#at`. */
  #round: T[] = [];
  #at = 0;
  /** Number of removed entries in `#round`, from index `#at` on. */
  #removed = 0;
  /**
   * By entry number: 1 when the entry was used since the hand's last visit. An array outside the entries, because entries are used far more
   * often than visited.
   */
  #used = new Uint8Array(1_024);

  /** `maxBytes`: approximate limit of the memory of all entries. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#leastBytes = maxBytes / 4;
    this.#dueAt = maxBytes + slackBytes;
  }

  /**
   * Called when the hand has visited an entry without evicting it. The next call is mostly for an entry that was added at about the same
   * time.
   */
  protected abstract keep(entry: T): void;

  /** Frees the memory of an entry that the cache evicts; returns the bytes that cannot be freed. */
  protected abstract free(entry: T): number;

  /** Frees the parts of an entry that can be rebuilt while the entry is in use; returns the bytes that remain. */
  protected abstract shrink(entry: T): number;

  /** Whether `evict` is due: the memory of the entries is over the limit, and has grown by `slackBytes` since the last call of `evict`. */
  get isEvictionDue(): boolean {
    return this.bytes > this.#dueAt;
  }

  /** Lowers the limit by `bytes`, but never below a quarter of the original one. */
  reserve(bytes: number): void {
    this.#maxBytes = Math.max(this.#leastBytes, this.#maxBytes - bytes);
  }

  /** Marks the entry with a number as used. */
  use(number: number): void {
    if (number >= this.#used.length) {
      const used = this.#used;
      (this.#used = new Uint8Array(number * 2)).set(used);
    }
    this.#used[number] = 1;
  }

  protected add(entry: T): void {
    this.#used[entry.number] = 0;
    this.#push(entry);
    this.bytes += entry.bytes;
  }

  /** Removes an entry that its owner has freed. */
  protected remove(entry: T): void {
    this.#resize(entry, 0);
    entry.isRemoved = true;
    if (!entry.isInRound) return;
    this.#removed++;
    if (this.#removed < 1_024 || this.#removed * 2 < this.#round.length - this.#at) return;
    this.#round = this.#round.slice(this.#at).filter(({ isRemoved }) => !isRemoved);
    this.#at = this.#removed = 0;
  }

  /** Adds `bytes` to the memory of an entry. An evicted entry returns to the list that the hand goes through. */
  protected grow(entry: T, bytes: number): void {
    entry.bytes += bytes;
    this.bytes += bytes;
    if (!entry.isInRound) this.#push(entry);
  }

  /**
   * Evicts entries other than `needed` until the limit is met. When no other entry is left, frees the parts of `needed` that can be
   * rebuilt.
   */
  evict(needed?: T): void {
    this.#evictOthers(needed);
    if (this.bytes > this.#maxBytes && needed !== undefined) this.#resize(needed, this.shrink(needed));
    this.#dueAt = Math.max(this.bytes, this.#maxBytes) + slackBytes;
  }

  #push(entry: T): void {
    entry.isInRound = true;
    this.#round.push(entry);
  }

  #resize(entry: T, bytes: number): void {
    this.bytes += bytes - entry.bytes;
    entry.bytes = bytes;
  }

  #evictOthers(needed: T | undefined): void {
    while (this.bytes > this.#maxBytes && this.#round.length - this.#at > 1) {
      const entry = this.#round[this.#at++]!;
      if (this.#at > 1_024 && this.#at * 2 > this.#round.length) {
        this.#round = this.#round.slice(this.#at);
        this.#at = 0;
      }
      if (entry.isRemoved) this.#removed--;
      else if (this.#used[entry.number] === 1 || entry === needed) {
        this.#used[entry.number] = 0;
        this.#round.push(entry);
        this.keep(entry);
      } else {
        entry.isInRound = false;
        this.#resize(entry, this.free(entry));
      }
    }
  }
}
