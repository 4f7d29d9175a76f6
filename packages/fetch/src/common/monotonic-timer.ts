// Implements timers, and the deadline of an exchange, that do not count the time in which this process stalled: suspended, on a sleeping machine, or blocked by a long
// computation. Responses that arrived during a stall are read before a timer ends.

/** Interval of the clock's ticks, which detect stalls. */
const tickMs = 50;
/** A tick that is late by more than this is a stall; a smaller delay is normal in an event loop. */
const slackMs = 200;

/** A clock that does not count the process's stalls. Its interval ticks only while a timer runs. */
class ProcessClock {
  #stalledMs = 0;
  #lastTickAt = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  /** Number of running timers. */
  #timers = 0;

  /** Called when a timer starts. */
  watch(): void {
    if (this.#timers++ > 0) return;
    this.#lastTickAt = performance.now();
    this.#ticking = backgroundTimerOf(setInterval(() => this.#tick(), tickMs));
  }

  /** Called when a timer ends or is cancelled. */
  unwatch(): void {
    if (--this.#timers === 0) clearInterval(this.#ticking);
  }

  /**
   * Milliseconds in which this process ran, from an arbitrary start. Stalls are detected only while a timer runs. Also leaves out a stall
   * that no tick has recorded yet, because the next tick may be late.
   */
  now(): number {
    const now = performance.now();
    return now - this.#stalledMs - (this.#timers === 0 ? 0 : stallBetween(this.#lastTickAt, now));
  }

  #tick(): void {
    const now = performance.now();
    this.#stalledMs += stallBetween(this.#lastTickAt, now);
    this.#lastTickAt = now;
  }
}

function stallBetween(from: number, to: number): number {
  const lateMs = to - from - tickMs;
  return lateMs > slackMs ? lateMs : 0;
}

/** The clock of all timers: one interval serves any number of exchanges. */
const processClock = new ProcessClock();

/** A timer that ends after this process has run for a given time, without stalls. It can be restarted for further periods. */
export class MonotonicTimer {
  readonly #onEnd: () => void;
  #endsAt = 0;
  /** The time, by the process clock, at which the pending timeout fires. */
  #checksAt = 0;
  #timeout: ReturnType<typeof setTimeout> | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Starts or restarts the timer, which then ends in `ms` milliseconds. */
  start(ms: number): void {
    if (this.#timeout === undefined) processClock.watch();
    this.#endsAt = processClock.now() + ms;
    // A pending timeout is kept if it fires before the new end: `check` then sets another timeout.
    if (this.#timeout !== undefined && this.#checksAt <= this.#endsAt) return;
    clearTimeout(this.#timeout);
    this.#checkIn(ms);
  }

  /** Stops the timer without calling `onEnd`; `start` can start it again. Idempotent. */
  cancel(): void {
    if (this.#timeout === undefined) return;
    clearTimeout(this.#timeout);
    this.#timeout = undefined;
    processClock.unwatch();
  }

  #checkIn(ms: number): void {
    this.#checksAt = this.#endsAt;
    this.#timeout = setTimeout(checkTimer, ms, this);
  }

  /** Called by the timer's own timeout only. */
  check(): void {
    const leftMs = this.#endsAt - processClock.now();
    // Timeouts may come a millisecond early.
    if (leftMs > 2) return this.#checkIn(leftMs);
    this.cancel();
    this.#onEnd();
  }
}

/** A shared callback, so that a timeout needs no closure of its own. */
function checkTimer(timer: MonotonicTimer): void {
  timer.check();
}

/** Calls `onEnd` once this process has run for `ms` milliseconds. */
export function startMonotonicTimer(ms: number, onEnd: () => void): MonotonicTimer {
  const timer = new MonotonicTimer(onEnd);
  timer.start(ms);
  return timer;
}

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
    this.#startedAt = processClock.now();
    this.#timer = new MonotonicTimer(onEnd);
    this.#timer.start(ms);
  }

  /** Milliseconds since the start, not counting pauses. */
  get usedMs(): number {
    const runningMs = this.#waits === 0 ? processClock.now() - this.#startedAt : 0;
    return this.#totalMs - this.#leftMs + runningMs;
  }

  /** Pauses the deadline while `wait` is pending. The returned promise settles as `wait` does. Pauses may overlap. */
  async pauseFor<T>(wait: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) {
      this.#timer.cancel();
      this.#leftMs -= processClock.now() - this.#startedAt;
    }
    try {
      return await wait;
    } finally {
      if (--this.#waits === 0) {
        this.#startedAt = processClock.now();
        if (!this.#isOver) this.#timer.start(Math.max(0, this.#leftMs));
      }
    }
  }

  clear(): void {
    this.#isOver = true;
    this.#timer.cancel();
  }
}

/**
 * Lets a process end while a timer is pending, and returns the timer, the result of `setTimeout` or `setInterval`. On platforms other than
 * Node, a timer does not keep the process alive anyway.
 */
export function backgroundTimerOf<Timer extends object | number>(timer: Timer): Timer {
  if (typeof timer === "object" && "unref" in timer && typeof timer.unref === "function") timer.unref();
  return timer;
}
