// Milliseconds in, a timer out that does not count the time in which this process stood still: stopped and continued, on a
// machine that slept, in a long piece of work. Answers that came meanwhile are read before anybody is blamed for silence.

/** How often it is looked whether the process runs. */
const tickMs = 50;
/** A look that is later than this was held up; less is the ordinary bustle of an event loop. */
const slackMs = 200;

let stalledMs = 0;
let lastLookAt = 0;
let looking: NodeJS.Timeout | undefined;
let timers = 0;

/** Ends once this process has run for so long, short delays included. One for everything that is timed one after another. */
export class PatientTimer {
  readonly #onEnd: () => void;
  #endsAt = 0;
  /** When it will be looked whether the time is over. */
  #looksAt = 0;
  #look: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** The end comes in `ms` milliseconds; an earlier call does not count any more. */
  start(ms: number): void {
    if (this.#look === undefined) watch();
    this.#endsAt = ownTimeMs() + ms;
    // A look that comes too early looks again.
    if (this.#look !== undefined && this.#looksAt <= this.#endsAt) return;
    clearTimeout(this.#look);
    this.#lookIn(ms);
  }

  /** It will not end any more, unless it is started. Idempotent. */
  cancel(): void {
    if (this.#look === undefined) return;
    clearTimeout(this.#look);
    this.#look = undefined;
    unwatch();
  }

  #lookIn(ms: number): void {
    this.#looksAt = this.#endsAt;
    this.#look = setTimeout(lookAt, ms, this);
  }

  /** Called by its own timeout. */
  look(): void {
    const leftMs = this.#endsAt - ownTimeMs();
    // Timeouts may come a millisecond early.
    if (leftMs > 2) return this.#lookIn(leftMs);
    this.cancel();
    this.#onEnd();
  }
}

function lookAt(timer: PatientTimer): void {
  timer.look();
}

/** Calls `onEnd` once this process has run for `ms` milliseconds. */
export function startPatientTimer(ms: number, onEnd: () => void): PatientTimer {
  const timer = new PatientTimer(onEnd);
  timer.start(ms);
  return timer;
}

function watch(): void {
  if (timers++ > 0) return;
  lastLookAt = performance.now();
  looking = setInterval(look, tickMs).unref();
}

function unwatch(): void {
  if (--timers === 0) clearInterval(looking);
}

function look(): void {
  const now = performance.now();
  stalledMs += stallBetween(lastLookAt, now);
  lastLookAt = now;
}

/**
 * Milliseconds in which this process ran, from some moment on. What the look that is due will count is counted: it may
 * come after the timers that are due too.
 */
export function ownTimeMs(): number {
  const now = performance.now();
  return now - stalledMs - (timers === 0 ? 0 : stallBetween(lastLookAt, now));
}

function stallBetween(from: number, to: number): number {
  const lateMs = to - from - tickMs;
  return lateMs > slackMs ? lateMs : 0;
}
