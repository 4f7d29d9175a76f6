// So many milliseconds of work → a call when they are used up; time spent waiting for a turn does not count.
import { MonotonicTimer, processTimeMs } from "./monotonic-timer.ts";

/** The time an exchange may take, and what it does with it. It runs from the start. */
export class Deadline {
  readonly #timer: MonotonicTimer;
  readonly #totalMs: number;
  #leftMs: number;
  #startedAt: number;
  #waits = 0;
  #isOver = false;

  /** Calls `onEnd` after `ms` of time that was not paused. */
  constructor(ms: number, onEnd: () => void) {
    this.#totalMs = ms;
    this.#leftMs = ms;
    this.#startedAt = processTimeMs();
    this.#timer = new MonotonicTimer(onEnd);
    this.#timer.start(ms);
  }

  /** Milliseconds used up, pauses not included. */
  get usedMs(): number {
    const runningMs = this.#waits === 0 ? processTimeMs() - this.#startedAt : 0;
    return this.#totalMs - this.#leftMs + runningMs;
  }

  /** Lets the time stand still while `wait` is pending, and gives what it gives. */
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
