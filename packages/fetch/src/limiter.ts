// Tasks asked for at once → at most so many running, first come first served.

/** The slot a task runs in. */
export interface Slot {
  /** Gives the slot back until `wait` settles, and takes one again then, before those who never had one. */
  lend<T>(wait: Promise<T>): Promise<T>;
}

/** Gives out slots. */
export interface Limiter {
  /** Runs `task` when a slot is free. When `signal` aborts before that, rejects with its reason and never runs it. */
  run<T>(task: (slot: Slot) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The same in two steps: undefined where a slot is free, else a promise of one. Whoever has it leaves it. */
  enter(signal?: AbortSignal): Promise<void> | undefined;
  leave(): void;
  /** What everybody who has entered has. */
  readonly slot: Slot;
  /** So many slots less, for good; one always stays. A slot in use goes when it is given back. Gives how many are left. */
  drop(count: number): number;
  /** Tasks running, and tasks waiting for their first slot. */
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  start(): void;
}

/**
 * A limiter of `max` slots. A waiting task costs a closure and a place in a set, nothing else. `onLent` hears how many tasks
 * wait for something else than a slot, whenever that changes.
 */
export function createLimiter(max: number, onLent?: (lent: number) => void): Limiter {
  // A Set keeps the order of insertion and gives up a waiter from the middle in constant time.
  const queue = new Set<Waiter>();
  const returning = new Set<Waiter>();
  let slots = max;
  let running = 0;
  let lentCount = 0;

  function release(): void {
    if (running <= slots) {
      for (const waiters of [returning, queue]) {
        for (const waiter of waiters) {
          waiters.delete(waiter);
          waiter.start(); // The slot passes on: `running` stays.
          return;
        }
      }
    }
    running--;
  }

  function slot(waiters: Set<Waiter>, signal?: AbortSignal): Promise<void> | undefined {
    if (running < slots) {
      running++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiters.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        start() {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      waiters.add(waiter);
      signal?.addEventListener("abort", onAbort);
    });
  }

  const lent: Slot = {
    async lend(wait) {
      release();
      onLent?.(++lentCount);
      try {
        return await wait;
      } finally {
        onLent?.(--lentCount);
        // Without a signal: whoever comes back has little left to do, and gives the slot back itself.
        await slot(returning);
      }
    },
  };

  return {
    slot: lent,
    enter: (signal) => slot(queue, signal),
    leave: release,
    async run(task, signal) {
      if (signal?.aborted === true) throw signal.reason;
      await slot(queue, signal);
      try {
        return await task(lent);
      } finally {
        release();
      }
    },
    drop(count) {
      slots = Math.max(1, slots - count);
      return slots;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}
