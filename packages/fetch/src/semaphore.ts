// Tasks asked for at once → at most so many running, altogether or at each of many keys, first come first served.
import { Ordered } from "./ordered.ts";

/** The slot a task runs in. */
export interface Slot {
  /** Gives the slot back until `wait` settles, and takes one again then, before tasks that never had one. */
  lend<T>(wait: Promise<T>): Promise<T>;
}

/** The right to hold a key until `end`, which does nothing the second time. */
export interface Turn {
  end(): void;
}

/** Tasks that wait: first come, first served. Giving up in the middle takes constant time, too. */
type Queue = Ordered<() => void>;

/** Gives out slots. A task that waits costs a closure and a place in a list, nothing else. */
export class Semaphore {
  readonly #onLent: ((lent: number) => void) | undefined;
  #slots: number;
  #running = 0;
  #lent = 0;
  #queue: Queue | undefined;
  #returning: Queue | undefined;
  #slot: Slot | undefined;

  /** `onLent` is called with the number of lent slots when it changes. */
  constructor(slots: number, onLent?: (lent: number) => void) {
    this.#slots = slots;
    this.#onLent = onLent;
  }

  /** The slot of a task that has entered; the same object for all of them. */
  get slot(): Slot {
    return (this.#slot ??= { lend: (wait) => this.#lend(wait) });
  }

  /** Tasks running. */
  get running(): number {
    return this.#running;
  }

  /** Tasks waiting for their first slot. */
  get waiting(): number {
    return this.#queue?.size ?? 0;
  }

  /** Undefined where a slot is free, else a promise of one, rejected with the signal's reason. A task that has a slot calls `leave`. */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    return this.#takeFree() ? undefined : this.#wait((this.#queue ??= new Ordered()), signal);
  }

  /** Gives the slot to the next task that waits, unless it was dropped. */
  leave(): void {
    if (this.#running <= this.#slots) {
      const start = this.#returning?.shift() ?? this.#queue?.shift();
      if (start !== undefined) return start(); // The slot passes on: #running stays.
    }
    this.#running--;
  }

  /** Runs `task` when a slot is free. When `signal` aborts before that, rejects with its reason and never runs it. */
  async run<T>(task: (slot: Slot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.enter(signal);
    try {
      return await task(this.slot);
    } finally {
      this.leave();
    }
  }

  /** Removes slots for good, except one. A slot in use is removed when it is returned. Returns the number of remaining slots. */
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
      // Without a signal: a task that comes back has little left to do, and gives the slot back itself.
      if (!this.#takeFree()) await this.#wait((this.#returning ??= new Ordered()));
    }
  }
}

/** A semaphore for each key (an origin, an address) that is taken. */
export class KeyedSemaphore {
  readonly #semaphores = new Map<string, Semaphore>();

  /** Keys that are taken. */
  get keys(): number {
    return this.#semaphores.size;
  }

  /** Whether a task waits for a turn at `key`. */
  isAwaited(key: string): boolean {
    return (this.#semaphores.get(key)?.waiting ?? 0) > 0;
  }

  /** A turn at once where fewer than `max` tasks hold `key`, else a promise of one, rejected with the signal's reason when it aborts. */
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
