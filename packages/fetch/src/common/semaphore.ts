// Limits the number of tasks that run at once, in total or per key. Waiting tasks start in the order in which they were added.
import { Ordered } from "./ordered.ts";

/** The slot in which a task runs. */
export interface Slot {
  /** Frees the slot until `wait` settles, then takes a slot again, ahead of tasks that have not started. Settles as `wait` does. */
  lend<T>(wait: Promise<T>): Promise<T>;
}

/** The right to use a key until `end` is called. `end` is idempotent. */
export interface Turn {
  end(): void;
}

/** Waiting tasks in the order in which they were added. Removing a task takes constant time. */
type Queue = Ordered<() => void>;

/** A semaphore with slots. A waiting task costs a closure and a list entry, and the listener of its signal. */
export class Semaphore {
  readonly #onLent: ((lent: number) => void) | undefined;
  #slots: number;
  #running = 0;
  #lent = 0;
  #queue: Queue | undefined;
  #returning: Queue | undefined;
  #slot: Slot | undefined;

  /** Calls `onLent` whenever the number of tasks that have lent their slots changes, with the new number. */
  constructor(slots: number, onLent?: (lent: number) => void) {
    this.#slots = slots;
    this.#onLent = onLent;
  }

  /** The slot of a task that has entered; all tasks share one object. */
  get slot(): Slot {
    return (this.#slot ??= { lend: (wait) => this.#lend(wait) });
  }

  /** The number of running tasks. */
  get running(): number {
    return this.#running;
  }

  /** The number of tasks that wait for their first slot. */
  get waiting(): number {
    return this.#queue?.size ?? 0;
  }

  /**
   * Takes a slot. Returns undefined if a slot was free, else a promise that resolves when the task has a slot, and rejects when `signal`
   * aborts. The caller must free the slot with `leave`.
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    return this.#takeFree() ? undefined : this.#wait((this.#queue ??= new Ordered()), signal);
  }

  /** Passes the slot to the next waiting task, unless `drop` removed the slot. */
  leave(): void {
    if (this.#running <= this.#slots) {
      const start = this.#returning?.shift() ?? this.#queue?.shift();
      if (start !== undefined) return start(); // `#running` does not change: the next task takes over the slot.
    }
    this.#running--;
  }

  /**
   * Runs `task` when a slot is free. When `signal` aborts before a slot is free, rejects with the signal's reason and does not run `task`.
   */
  async run<T>(task: (slot: Slot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.enter(signal);
    try {
      return await task(this.slot);
    } finally {
      this.leave();
    }
  }

  /** Removes `count` slots permanently, but keeps at least one. A slot in use is removed when its task leaves. Returns the number left. */
  drop(count: number): number {
    this.#slots = Math.max(1, this.#slots - count);
    return this.#slots;
  }

  #takeFree(): boolean {
    const isFree = this.#running < this.#slots;
    if (isFree) this.#running++;
    return isFree;
  }

  #wait(queue: Queue, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        queue.remove(entry);
        reject(signal?.reason);
      };
      const start = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const entry = queue.add(start);
      signal?.addEventListener("abort", onAbort);
      if (signal?.aborted === true) onAbort();
    });
  }

  async #lend<T>(wait: Promise<T>): Promise<T> {
    this.leave();
    this.#onLent?.(++this.#lent);
    try {
      return await wait;
    } finally {
      this.#onLent?.(--this.#lent);
      // This wait cannot be aborted: the caller of `enter` frees a slot with `leave`, so the task must hold a slot again. The task has
      // little left to do.
      if (!this.#takeFree()) await this.#wait((this.#returning ??= new Ordered()));
    }
  }
}

/** A semaphore for each key in use (an origin or an address). */
export class KeyedSemaphore {
  readonly #semaphores = new Map<string, Semaphore>();

  /** Number of keys in use. */
  get keys(): number {
    return this.#semaphores.size;
  }

  /** Whether a task waits for a turn at `key`. */
  isAwaited(key: string): boolean {
    return (this.#semaphores.get(key)?.waiting ?? 0) > 0;
  }

  /**
   * Returns a turn if fewer than `max` tasks hold `key`, else a promise of a turn. The promise rejects when `signal` aborts. All calls for
   * one key must pass the same `max`: while a key is in use, only the `max` of its first call applies.
   */
  take(key: string, max: number, signal: AbortSignal): Turn | Promise<Turn> {
    let semaphore = this.#semaphores.get(key);
    if (semaphore === undefined) this.#semaphores.set(key, (semaphore = new Semaphore(max)));
    const at = semaphore;
    const entered = at.enter(signal);
    return entered === undefined ? this.#turnAt(key, at) : entered.then(() => this.#turnAt(key, at));
  }

  #turnAt(key: string, semaphore: Semaphore): Turn {
    let isOver = false;
    return {
      end: () => {
        if (isOver) return;
        isOver = true;
        semaphore.leave();
        if (semaphore.running === 0) this.#semaphores.delete(key);
      },
    };
  }
}
