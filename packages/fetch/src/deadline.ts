// So many milliseconds of work → a signal when they are used up; time spent waiting for a turn does not count.

/** The time an exchange may take, and what it does with it. */
export interface Deadline {
  /** Lets the time stand still while `wait` is pending, and gives what it gives. */
  pauseFor<T>(wait: Promise<T>): Promise<T>;
  clear(): void;
}

/** Calls `onEnd` after `ms` of time that was not paused. */
export function createDeadline(ms: number, onEnd: () => void): Deadline {
  let leftMs = ms;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(onEnd, ms);
  let isOver = false;

  return {
    async pauseFor(wait) {
      clearTimeout(timer);
      leftMs -= performance.now() - startedAt;
      try {
        return await wait;
      } finally {
        startedAt = performance.now();
        if (!isOver) timer = setTimeout(onEnd, Math.max(0, leftMs));
      }
    },
    clear() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
