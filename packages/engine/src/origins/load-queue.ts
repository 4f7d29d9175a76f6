// Origins in, the results of their robots.txt source out: loaded in the order they were added, with limited concurrency.
import { IoError } from "../errors.ts";
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
  /** Called with a later result of an origin that was loaded before; undefined if it could not be requested now. */
  readonly onRefreshed: (origin: ExpiredOrigin, robots: SourcedRobots | undefined) => void;
  /** Called when a load rejects, which never happens because of the network or a file. */
  readonly onError: (error: unknown) => void;
}

/** An origin whose result has expired. */
export interface ExpiredOrigin {
  readonly origin: string;
  readonly number: number;
}

/** Loads that may wait for a server in addition to the concurrency. */
const mostWaiting = 1_024;

/**
 * Limit of origins that wait for their load while reading continues: seconds or minutes of work. They and their records cannot
 * be evicted, and knowing more of them does not make loading faster.
 */
const mostQueued = 32_768;

/** The part of the concurrency that refreshing may use: records wait for other loads. */
const shareOfRefreshing = 1 / 2;

/** A queue without holes at its beginning. */
class Queue<Item> {
  #items: Item[] = [];
  #at = 0;

  get length(): number {
    return this.#items.length - this.#at;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#at];
    if (item !== undefined) this.#at++;
    if (this.#at > 1_024 && this.#at * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    return item;
  }
}

/** Loads each origin once, and those whose results expired again. */
export class LoadQueue {
  /** Loads in progress, including loads that wait for a server. */
  underWay = 0;
  /** Loads in progress that wait for a server. */
  #waiting = 0;
  /** Loads in progress of origins whose result has expired. */
  #refreshing = 0;
  readonly #options: LoadQueueOptions;
  /** Origins whose load has not begun. */
  readonly #queue = new Queue<OriginState>();
  readonly #expired = new Queue<ExpiredOrigin>();

  constructor(options: LoadQueueOptions) {
    this.#options = options;
    options.source.onWaiting?.((loads) => {
      this.#waiting = loads;
      this.#loadNext();
    });
  }

  /** Whether reading should pause because too many origins wait for their load. */
  get isCrowded(): boolean {
    return this.#queue.length > mostQueued;
  }

  /** Loads a new origin, now or in its turn; on return, its result may already have been reported. */
  load(state: OriginState): void {
    if (this.#isFull && this.#options.source.isRemote) this.#queue.push(state);
    else this.#load(state, false);
  }

  /** Loads an origin again, in its turn after all new origins. Its records do not wait. */
  refresh(origin: ExpiredOrigin): void {
    this.#expired.push(origin);
    this.#loadNext();
  }

  /** Loads that wait for a server do not count towards the concurrency, up to a limit of such loads. */
  get #isFull(): boolean {
    return this.underWay - Math.min(this.#waiting, mostWaiting) >= this.#options.concurrency;
  }

  get #mayRefresh(): boolean {
    return this.#refreshing < Math.max(1, this.#options.concurrency * shareOfRefreshing);
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

  /** Like `#load`, but a shortage on this machine (descriptors, network) does not end the run: the earlier result stays in force. */
  async #refresh(origin: ExpiredOrigin): Promise<void> {
    const { source, signal, onRefreshed, onError } = this.#options;
    if (signal.aborted) return;
    this.underWay++;
    this.#refreshing++;
    let robots: SourcedRobots | undefined;
    let failure: unknown;
    try {
      robots = await source.load(origin.origin, signal);
    } catch (error) {
      failure = error;
    }
    this.underWay--;
    this.#refreshing--;
    if (signal.aborted) return;
    if (failure === undefined || failure instanceof IoError) onRefreshed(origin, robots);
    else onError(failure);
    this.#loadNext();
  }

  #loadNext(): void {
    while (!this.#isFull && this.#queue.length > 0) this.#load(this.#queue.shift()!, true);
    while (!this.#isFull && this.#mayRefresh && this.#expired.length > 0) void this.#refresh(this.#expired.shift()!);
  }
}
