// A clock cache: entries in, evicted entries out, so that the entries together stay within a limit of memory (second-chance
// replacement: the hand goes round and evicts each entry that was not used since its last visit).

/** An entry. */
export interface CacheEntry {
  /** Its number; entries are numbered from 0. */
  readonly number: number;
  /** Its memory in bytes, as far as counted. */
  bytes: number;
  /** Whether the entry is in the cache, so that the hand visits it. */
  isInRound: boolean;
  /** Whether `remove` took the entry out of the cache. */
  isRemoved: boolean;
}

/** Callbacks to the cache's owner. */
interface EvictionListener<T> {
  /** The hand visited the entry and kept it. Entries that were added at about the same time are visited next. */
  keep(entry: T): void;
  /** Evict the entry; returns the bytes that cannot be freed. */
  evict(entry: T): number;
  /** Free the parts of a needed entry that can be rebuilt; returns the bytes that remain. */
  shrink(entry: T): number;
}

/** Bytes that may be added over the limit before `evict` is due again: each call visits many entries. */
const slackBytes = 512 * 1_024;

/** The cache. */
export class ClockCache<T extends CacheEntry> {
  /** Bytes of all entries. */
  bytes = 0;
  #maxBytes: number;
  readonly #leastBytes: number;
  readonly #listener: EvictionListener<T>;
  /** Number of bytes above which `evict` is due again. */
  #dueAt: number;
  /** Entries in the order of the hand's visits, starting at #at. */
  #round: T[] = [];
  #at = 0;
  /** Entries of #round that were removed. */
  #removed = 0;
  /** By number, whether the entry was used since the hand's last visit. A byte each: entries are used far more often than visited. */
  #used = new Uint8Array(1_024);

  /** The entries together take about `maxBytes`. */
  constructor(maxBytes: number, listener: EvictionListener<T>) {
    this.#maxBytes = maxBytes;
    this.#leastBytes = maxBytes / 4;
    this.#listener = listener;
    this.#dueAt = maxBytes + slackBytes;
  }

  /** Whether `evict` is due: the entries are over the limit, and have grown since its last call. */
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

  /** Adds an entry. */
  add(entry: T): void {
    this.#used[entry.number] = 0;
    this.#push(entry);
    this.bytes += entry.bytes;
  }

  /** Takes an entry out for good: its owner freed it. */
  remove(entry: T): void {
    this.#resize(entry, 0);
    entry.isRemoved = true;
    if (!entry.isInRound) return;
    this.#removed++;
    if (this.#removed < 1_024 || this.#removed * 2 < this.#round.length - this.#at) return;
    this.#round = this.#round.slice(this.#at).filter(({ isRemoved }) => !isRemoved);
    this.#at = this.#removed = 0;
  }

  /** Adds to the bytes of an entry; an evicted entry comes back into the cache. */
  grow(entry: T, bytes: number): void {
    entry.bytes += bytes;
    this.bytes += bytes;
    if (!entry.isInRound) this.#push(entry);
  }

  /**
   * Evicts entries until the limit is met, but never `needed`; when only `needed` is left, its parts that can be rebuilt are
   * freed.
   */
  evict(needed?: T): void {
    this.#evictOthers(needed);
    if (this.bytes > this.#maxBytes && needed !== undefined) this.#resize(needed, this.#listener.shrink(needed));
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
        this.#listener.keep(entry);
      } else {
        entry.isInRound = false;
        this.#resize(entry, this.#listener.evict(entry));
      }
    }
  }
}
