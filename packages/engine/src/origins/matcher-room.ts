// What is held of origins in, which of them to forget out, so that all together take no more than they may: those not asked
// for lately.

/** Something held of an origin. */
export interface Held {
  /** Its memory in bytes, as far as it is known. */
  bytes: number;
  /** Whether the hand comes to it. */
  isInRound: boolean;
  /** Whether it was asked for since this was last set to false. */
  isUsed: boolean;
}

/** Is told what becomes of what the hand comes to. */
interface HeldListener<T> {
  /** It stays, and what was taken in at about the same time goes or comes after it. */
  keep(held: T): void;
  /** It has to go; gives the bytes of what cannot. */
  forget(held: T): number;
  /** All of it that can be made again in parts has to go, though it is needed; gives the bytes of what stays. */
  shrink(held: T): number;
}

/** What may be taken beyond the room before it is looked for again: looking goes over much of what is there. */
const slackBytes = 512 * 1_024;

/** Holds what was asked for lately: a clock's hand goes round, and who was not asked for since it came last has to go. */
export class MatcherRoom<T extends Held> {
  /** Bytes of all. */
  bytes = 0;
  #maxBytes: number;
  readonly #leastBytes: number;
  readonly #told: HeldListener<T>;
  /** Bytes beyond which `trim` is due again. */
  #dueAt: number;
  /** In the order in which the hand comes to them, from #at on. */
  #round: T[] = [];
  #at = 0;

  /** Everything together takes about `maxBytes`. */
  constructor(maxBytes: number, told: HeldListener<T>) {
    this.#maxBytes = maxBytes;
    this.#leastBytes = maxBytes / 4;
    this.#told = told;
    this.#dueAt = maxBytes + slackBytes;
  }

  /** Whether `trim` is due: there is more than there is room for, and that has grown since it was last called. */
  get isTrimDue(): boolean {
    return this.bytes > this.#dueAt;
  }

  /** Leaves less room, but always a quarter of it. */
  reserve(bytes: number): void {
    this.#maxBytes = Math.max(this.#leastBytes, this.#maxBytes - bytes);
  }

  /** Takes something in. */
  add(held: T): void {
    held.isUsed = false;
    this.#push(held);
    this.bytes += held.bytes;
  }

  /** Says that something takes more than it said; what nothing was held of is held from now on. */
  grow(held: T, bytes: number): void {
    held.bytes += bytes;
    this.bytes += bytes;
    if (!held.isInRound) this.#push(held);
  }

  /** Forgets what there is no room for, but never `needed`, of which parts go when nothing else is left. */
  trim(needed?: T): void {
    this.#forgetOthers(needed);
    if (this.bytes > this.#maxBytes && needed !== undefined) this.#resize(needed, this.#told.shrink(needed));
    this.#dueAt = Math.max(this.bytes, this.#maxBytes) + slackBytes;
  }

  #push(held: T): void {
    held.isInRound = true;
    this.#round.push(held);
  }

  #resize(held: T, bytes: number): void {
    this.bytes += bytes - held.bytes;
    held.bytes = bytes;
  }

  #forgetOthers(needed: T | undefined): void {
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
        held.isInRound = false;
        this.#resize(held, this.#told.forget(held));
      }
    }
  }
}
