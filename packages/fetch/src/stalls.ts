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

/** A timer that runs. */
export interface PatientTimer {
  /** It will not end any more. Idempotent. */
  cancel(): void;
}

/** Calls `onEnd` once this process has run for `ms` milliseconds, short delays included. */
export function startPatientTimer(ms: number, onEnd: () => void): PatientTimer {
  watch();
  const endsAt = ownTimeMs() + ms;
  let isOver = false;
  const end = (): void => {
    const leftMs = endsAt - ownTimeMs();
    // Timers may come a millisecond early.
    if (leftMs > 2) {
      timer = setTimeout(end, leftMs);
      return;
    }
    cancel();
    onEnd();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    if (!isOver) unwatch();
    isOver = true;
  };
  let timer = setTimeout(end, ms);
  return { cancel };
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
