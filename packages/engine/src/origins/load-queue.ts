// Origins in, the results of their robots.txt source out: loaded in the order they were added, with limited concurrency.
import type { OriginState } from "./origin-state.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";

/** The settings and callbacks of a load queue. */
export interface LoadQueueOptions {
  readonly source: RobotsSource;
  /** Limit of concurrent loads, not counting loads that wait for a server. */
  readonly concurrency: number;
  /** Aborts the loads in progress. */
  readonly signal: AbortSignal;
  /** Called with an origin's result. `hadToWait` is false when `load` has not returned yet. */
  readonly onLoaded: (state: OriginState, robots: SourcedRobots, hadToWait: boolean) => void;
  /** Called when a load rejects, which never happens because of the network or a file. */
  readonly onError: (error: unknown) => void;
}

/** Loads that may wait for a server in addition to the concurrency. */
const mostWaiting = 1_024;

/**
 * Limit of origins that wait for their load while reading continues: seconds or minutes of work. They and their records cannot
 * be evicted, and knowing more of them does not make loading faster.
 */
const mostQueued = 32_768;

/** Loads each origin once. */
export class LoadQueue {
  /** Loads in progress, including loads that wait for a server. */
  underWay = 0;
  /** Loads in progress that wait for a server. */
  #waiting = 0;
  readonly #options: LoadQueueOptions;
  /** Origins whose load has not begun, from #queueAt on. */
  #queue: OriginState[] = [];
  #queueAt = 0;

  constructor(options: LoadQueueOptions) {
    this.#options = options;
    options.source.onWaiting?.((loads) => {
      this.#waiting = loads;
      this.#loadNext();
    });
  }

  /** Whether reading should pause because too many origins wait for their load. */
  get isCrowded(): boolean {
    return this.#queue.length - this.#queueAt > mostQueued;
  }

  /** Loads a new origin, now or in its turn; on return, its result may already have been reported. */
  load(state: OriginState): void {
    if (this.#isFull && this.#options.source.isRemote) this.#queue.push(state);
    else this.#load(state, false);
  }

  /** Loads that wait for a server do not count towards the concurrency, up to a limit of such loads. */
  get #isFull(): boolean {
    return this.underWay - Math.min(this.#waiting, mostWaiting) >= this.#options.concurrency;
  }

  #load(state: OriginState, wasQueued: boolean): void {
    const { source, signal, onLoaded, onError } = this.#options;
    if (signal.aborted) return;
    let robots: ReturnType<RobotsSource["load"]>;
    try {
      robots = source.load(state.origin, signal);
    } catch (error) {
      onError(error);
      return;
    }
    if (!(robots instanceof Promise)) {
      onLoaded(state, robots, wasQueued);
      return;
    }
    this.underWay++;
    robots.then(
      (loaded) => {
        this.underWay--;
        onLoaded(state, loaded, true);
        this.#loadNext();
      },
      (error: unknown) => {
        this.underWay--;
        if (!signal.aborted) onError(error);
      },
    );
  }

  #loadNext(): void {
    while (!this.#isFull && this.#queueAt < this.#queue.length) {
      const next = this.#queue[this.#queueAt++];
      if (this.#queueAt > 1_024 && this.#queueAt * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#queueAt);
        this.#queueAt = 0;
      }
      if (next !== undefined) this.#load(next, true);
    }
  }
}
