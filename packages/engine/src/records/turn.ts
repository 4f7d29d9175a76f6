// Measures the time of decisions in one turn of the event loop, so that signals and timers run while decisions are made.

/** Approximate limit of the time that decisions take before signals and timers run. */
const mostTurnMs = 50;

/** Maximum number of quick decisions between two readings of the clock. */
const mostUnseen = 64;

/** Measures the time spent on decisions in one turn of the event loop. */
export class Turn {
  /** Whether to yield to the event loop before the next decision. */
  isOver = false;
  #endsAt = Infinity;
  #left = mostUnseen;
  readonly #now: () => number;

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Starts the time limit again. Call at the beginning of a turn of the event loop. */
  begin(): void {
    this.isOver = false;
    this.#endsAt = this.#now() + mostTurnMs;
  }

  /**
   * Counts a decision, and sets `isOver` when the time limit has passed. Reads the clock after a decision that may have been slow
   * (`isSlow`), and after every `mostUnseen` decisions.
   */
  count(isSlow: boolean): void {
    if (--this.#left > 0 && !isSlow) return;
    this.#left = mostUnseen;
    if (this.#now() >= this.#endsAt) this.isOver = true;
  }
}
