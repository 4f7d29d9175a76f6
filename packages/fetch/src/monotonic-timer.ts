// Milliseconds in, a timer out that does not count the time in which this process stood still: stopped and continued, on a
// machine that slept, in a long piece of work. What servers answered meanwhile is read before a timer ends.
import { backgroundTimerOf } from "./timers.ts";

/** How often the clock is looked at, to notice that the process stood still. */
const tickMs = 50;
/** A tick that is later than this was held up; less is the ordinary delay of an event loop. */
const slackMs = 200;

/** The process's own clock: it ticks while a timer runs, and knows the time in which the process stood still. */
class ProcessClock {
  #stalledMs = 0;
  #lastTickAt = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  /** Timers that run. */
  #timers = 0;

  /** A timer starts. */
  watch(): void {
    if (this.#timers++ > 0) return;
    this.#lastTickAt = performance.now();
    this.#ticking = backgroundTimerOf(setInterval(() => this.#tick(), tickMs));
  }

  /** A timer ends. */
  unwatch(): void {
    if (--this.#timers === 0) clearInterval(this.#ticking);
  }

  /** Milliseconds in which this process ran. A stall that the next tick will count is counted here already: that tick may come late. */
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

/** One for all timers: one interval runs, however many exchanges do. */
const processClock = new ProcessClock();

/** Milliseconds in which this process ran, from some moment on. */
export function processTimeMs(): number {
  return processClock.now();
}

/** Ends once this process has run for so long, short delays included. One timer serves several periods, one after another. */
export class MonotonicTimer {
  readonly #onEnd: () => void;
  #endsAt = 0;
  /** When the pending timeout fires. */
  #checksAt = 0;
  #timeout: ReturnType<typeof setTimeout> | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** The end comes in `ms` milliseconds; an earlier call does not count any more. */
  start(ms: number): void {
    if (this.#timeout === undefined) processClock.watch();
    this.#endsAt = processClock.now() + ms;
    // A timeout that fires too early is set again.
    if (this.#timeout !== undefined && this.#checksAt <= this.#endsAt) return;
    clearTimeout(this.#timeout);
    this.#checkIn(ms);
  }

  /** It will not end any more, unless it is started. Idempotent. */
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

  /** Called by its own timeout. */
  check(): void {
    const leftMs = this.#endsAt - processClock.now();
    // Timeouts may come a millisecond early.
    if (leftMs > 2) return this.#checkIn(leftMs);
    this.cancel();
    this.#onEnd();
  }
}

/** One function for all timeouts: no closure for each. */
function checkTimer(timer: MonotonicTimer): void {
  timer.check();
}

/** Calls `onEnd` once this process has run for `ms` milliseconds. */
export function startMonotonicTimer(ms: number, onEnd: () => void): MonotonicTimer {
  const timer = new MonotonicTimer(onEnd);
  timer.start(ms);
  return timer;
}
