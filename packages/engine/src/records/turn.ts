// Decisions counted, one turn of the event loop ended in time: so that signals and timers are heard while decisions are made.

/** Decisions take no longer than about this before signals and timers have their turn. */
const mostTurnMs = 50;

/** Decisions that are quick between two looks at the clock. */
const mostUnseen = 64;

/** The time that decisions take of one turn of the event loop. */
export class Turn {
  /** Whether the event loop is to have its turn before other decisions are made. */
  isOver = false;
  #endsAt = Infinity;
  #left = mostUnseen;
  readonly #now: () => number;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** To be called when the event loop has had its turn. */
  begin(): void {
    this.isOver = false;
    this.#endsAt = this.#now() + mostTurnMs;
  }

  /** Counts a decision that was made; after one that may have been slow it looks at the clock. */
  count(isSlow: boolean): void {
    if (--this.#left > 0 && !isSlow) return;
    this.#left = mostUnseen;
    if (this.#now() >= this.#endsAt) this.isOver = true;
  }
}
