// A clock cache: entries in, those to evict out, so that all together take no more memory than they may (second-chance
// replacement: the hand goes round, and an entry that was not used since it came by last is evicted).

/** An entry. */
export interface CacheEntry {
  /** Its memory in bytes, as far as it is known. */
  bytes: number;
  /** Whether the hand comes to it. */
  isInRound: boolean;
  /** Whether it was used since the hand came by. */
  isUsed: boolean;
}

/** What the cache tells its owner. */
interface EvictionListener<T> {
  /** The hand came by, and the entry stays; what was added at about the same time is evicted or told of after it. */
  keep(entry: T): void;
  /** The entry has to go; gives the bytes of what cannot. */
  evict(entry: T): number;
  /** The parts of a needed entry that can be made again have to go; gives the bytes of what stays. */
  shrink(entry: T): number;
}

/** What may be added beyond the limit before `evict` is due again: it goes over many entries. */
const slackBytes = 512 * 1_024;

/** Entries by when they were used. */
export class ClockCache<T extends CacheEntry> {
  /** Bytes of all entries. */
  bytes = 0;
  #maxBytes: number;
  readonly #leastBytes: number;
  readonly #listener: EvictionListener<T>;
  /** Bytes beyond which `evict` is due again. */
  #dueAt: number;
  /** In the order in which the hand comes to them, from #at on. */
  #round: T[] = [];
  #at = 0;

  /** All entries together take about `maxBytes`. */
  constructor(maxBytes: number, listener: EvictionListener<T>) {
    this.#maxBytes = maxBytes;
    this.#leastBytes = maxBytes / 4;
    this.#listener = listener;
    this.#dueAt = maxBytes + slackBytes;
  }

  /** Whether `evict` is due: the entries take more than they may, and have grown since it was last called. */
  get isEvictionDue(): boolean {
    return this.bytes > this.#dueAt;
  }

  /** Lowers the limit, but never below a quarter of what it was. */
  reserve(bytes: number): void {
    this.#maxBytes = Math.max(this.#leastBytes, this.#maxBytes - bytes);
  }

  /** Adds an entry. */
  add(entry: T): void {
    entry.isUsed = false;
    this.#push(entry);
    this.bytes += entry.bytes;
  }

  /** Says that an entry takes more than it said; an evicted one is an entry again. */
  grow(entry: T, bytes: number): void {
    entry.bytes += bytes;
    this.bytes += bytes;
    if (!entry.isInRound) this.#push(entry);
  }

  /** Evicts what there is no memory for, but never `needed`, of which parts go when it is the only one left. */
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
      if (entry.isUsed || entry === needed) {
        entry.isUsed = false;
        this.#round.push(entry);
        this.#listener.keep(entry);
      } else {
        entry.isInRound = false;
        this.#resize(entry, this.#listener.evict(entry));
      }
    }
  }
}
