// What is held of origins in, which of them to forget out, so that all together take no more than they may: those not asked
// for lately.

/** Something held of an origin. */
export interface Held {
  /** Its memory in bytes, as far as it is known. */
  bytes: number;
  /** Whether it was asked for since this was last set to false. */
  isUsed: boolean;
}

/** Is told what becomes of what the hand comes to. */
interface HeldListener<T> {
  /** It stays, and what was taken in at about the same time goes or comes after it. */
  keep(held: T): void;
  /** It has to go. */
  forget(held: T): void;
}

/** Holds what was asked for lately: a clock's hand goes round, and who was not asked for since it came last has to go. */
export class MatcherRoom<T extends Held> {
  /** Bytes of all. */
  bytes = 0;
  #maxBytes: number;
  readonly #leastBytes: number;
  readonly #told: HeldListener<T>;
  /** In the order in which the hand comes to them, from #at on. */
  #round: T[] = [];
  #at = 0;

  /** Everything together takes about `maxBytes`. */
  constructor(maxBytes: number, told: HeldListener<T>) {
    this.#maxBytes = maxBytes;
    this.#leastBytes = maxBytes / 4;
    this.#told = told;
  }

  /** Leaves less room, but always a quarter of it. */
  reserve(bytes: number): void {
    this.#maxBytes = Math.max(this.#leastBytes, this.#maxBytes - bytes);
  }

  /** Takes something in. */
  add(held: T): void {
    held.isUsed = false;
    this.#round.push(held);
    this.bytes += held.bytes;
  }

  /** Says that something takes more than it said. */
  grow(held: T, bytes: number): void {
    held.bytes += bytes;
    this.bytes += bytes;
  }

  /** Forgets what there is no room for, but never `needed`, and never all. */
  trim(needed?: T): void {
    while (this.bytes > this.#maxBytes && this.#round.length - this.#at > 1) {
      const held = this.#round[this.#at++]!;
      if (this.#at > 1_024 && this.#at * 2 > this.#round.length) {
        this.#round = this.#round.slice(this.#at);
        this.#at = 0;
      }
      if (held.isUsed || held === needed) {
        held.isUsed = false;
        this.#round.push(held);
        this.#told.keep(held);
      } else {
        this.bytes -= held.bytes;
        this.#told.forget(held);
      }
    }
  }
}
