// Tasks asked for at once → at most so many running, first come first served.

/** Gives out slots. */
export interface Limiter {
  /** Runs `task` when a slot is free. When `signal` aborts before that, rejects with its reason and never runs it. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Tasks running, and tasks waiting. */
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  start(): void;
}

/** A limiter of `max` slots. A waiting task costs a closure and a place in a set, nothing else. */
export function createLimiter(max: number): Limiter {
  // A Set keeps the order of insertion and gives up a waiter from the middle in constant time.
  const queue = new Set<Waiter>();
  let running = 0;

  function release(): void {
    for (const waiter of queue) {
      queue.delete(waiter);
      waiter.start(); // The slot passes on: `running` stays.
      return;
    }
    running--;
  }

  function slot(signal: AbortSignal | undefined): Promise<void> | undefined {
    if (running < max) {
      running++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        queue.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        start() {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      queue.add(waiter);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  return {
    async run(task, signal) {
      signal?.throwIfAborted();
      await slot(signal);
      try {
        return await task();
      } finally {
        release();
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}
