// So many milliseconds of work → a signal when they are used up; time spent waiting for a turn does not count.
import { type PatientTimer, ownTimeMs, startPatientTimer } from "./stalls.ts";

/** The time an exchange may take, and what it does with it. */
export interface Deadline {
  /** Lets the time stand still while `wait` is pending, and gives what it gives. */
  pauseFor<T>(wait: Promise<T>): Promise<T>;
  clear(): void;
}

/** Calls `onEnd` after `ms` of time that was not paused. */
export function createDeadline(ms: number, onEnd: () => void): Deadline {
  let leftMs = ms;
  let startedAt = ownTimeMs();
  let timer: PatientTimer = startPatientTimer(ms, onEnd);
  let isOver = false;

  return {
    async pauseFor(wait) {
      timer.cancel();
      leftMs -= ownTimeMs() - startedAt;
      try {
        return await wait;
      } finally {
        startedAt = ownTimeMs();
        if (!isOver) timer = startPatientTimer(Math.max(0, leftMs), onEnd);
      }
    },
    clear() {
      isOver = true;
      timer.cancel();
    },
  };
}
