// Implements a deadline: calls a function after a number of milliseconds. Pauses, such as the time in which an exchange waits for its turn,
// are not counted.
import { MonotonicTimer, processTimeMs } from "./monotonic-timer.ts";

/** The time limit of an exchange. The deadline runs from its construction. */
export class Deadline {
  readonly #timer: MonotonicTimer;
  readonly #totalMs: number;
  #leftMs: number;
  #startedAt: number;
  #waits = 0;
  #isOver = false;

  /** Calls `onEnd` after `ms` milliseconds, not counting pauses. */
  constructor(ms: number, onEnd: () => void) {
    this.#totalMs = ms;
    this.#leftMs = ms;
    this.#startedAt = processTimeMs();
    this.#timer = new MonotonicTimer(onEnd);
    this.#timer.start(ms);
  }

  /** Milliseconds since the start, not counting pauses. */
  get usedMs(): number {
    const runningMs = this.#waits === 0 ? processTimeMs() - this.#startedAt : 0;
    return this.#totalMs - this.#leftMs + runningMs;
  }

  /** Pauses the deadline while `wait` is pending. The returned promise settles as `wait` does. Pauses may overlap. */
  async pauseFor<T>(wait: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) {
      this.#timer.cancel();
      this.#leftMs -= processTimeMs() - this.#startedAt;
    }
    try {
      return await wait;
    } finally {
      if (--this.#waits === 0) {
        this.#startedAt = processTimeMs();
        if (!this.#isOver) this.#timer.start(Math.max(0, this.#leftMs));
      }
    }
  }

  clear(): void {
    this.#isOver = true;
    this.#timer.cancel();
  }
}
