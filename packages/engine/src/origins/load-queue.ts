// Loads origins from a `RobotsSource`, in the order in which they were added and with limited concurrency, and passes the results to
// callbacks. Several tables of origins share one source: an origin that two tables need at the same time is loaded once.
import { IoError } from "../common/errors.ts";
import { Fifo } from "../common/fifo.ts";
import type { OriginState } from "./origin-state.ts";
import type { RobotsSource, SourcedRobots } from "../robots/in-force.ts";

interface LoadQueueOptions {
  readonly source: RobotsSource;
  /** Limit of concurrent loads, not counting loads that wait for a server. */
  readonly concurrency: number;
  /** Aborts the loads in progress. */
  readonly signal: AbortSignal;
  /** Called with the result of an origin. `hadToWait` is false only when the method `load` of the queue has not returned yet. */
  readonly onLoaded: (state: OriginState, robots: SourcedRobots, hadToWait: boolean) => void;
  /** Called with a later result of an origin whose earlier result has expired; undefined if this machine could not request the origin. */
  readonly onRefreshed: (origin: ExpiredOrigin, robots: SourcedRobots | undefined) => void;
  /**
   * Called when a load throws or rejects. A failed exchange or a missing file is a result and not an error. A shortage on this machine
   * (descriptors, network) is an `IoError`. For an `IoError` while an expired origin is loaded again, `onRefreshed` is called instead,
   * without a result.
   */
  readonly onError: (error: unknown) => void;
}

/** An origin whose result has expired. */
export interface ExpiredOrigin {
  readonly origin: string;
  readonly number: number;
}

/** Maximum number of loads that may wait for a server in addition to the concurrency. */
const mostWaiting = 1_024;

/**
 * Reading should pause when the queue has more than `queuedPerLoad` origins for each load that may be in progress. The limit is at least
 * `leastQueued` and at most `mostQueued` origins. A longer queue does not make loading faster. These origins and their records cannot be
 * evicted. Both outlive V8's young generation, so a longer queue also lets V8's old generation grow.
 */
const queuedPerLoad = 16;
const leastQueued = 1_024;
const mostQueued = 32_768;

/** The share of the concurrency that loads of expired origins may use. No record waits for these loads. */
const shareOfRefreshing = 1 / 2;

/** Loads each origin once, and again when its result has expired. */
export class LoadQueue {
  /** Loads in progress, including loads that wait for a server. */
  underWay = 0;
  /** Loads in progress that wait for a server. */
  #waiting = 0;
  /** Loads in progress of origins whose earlier result has expired. */
  #refreshing = 0;
  readonly #options: LoadQueueOptions;
  /** Origins whose load has not begun. */
  readonly #queue = new Fifo<OriginState>();
  readonly #expired = new Fifo<ExpiredOrigin>();
  readonly #queuedAtMost: number;

  constructor(options: LoadQueueOptions) {
    this.#options = options;
    this.#queuedAtMost = Math.min(mostQueued, Math.max(leastQueued, options.concurrency * queuedPerLoad));
    options.source.onWaiting?.((loads) => {
      this.#waiting = loads;
      this.#loadNext();
    });
  }

  /** Whether reading should pause because too many origins wait for their load. */
  get isCrowded(): boolean {
    return this.#queue.length > this.#queuedAtMost;
  }

  /** Loads a new origin, now or in its turn. `onLoaded` may be called before the method returns. */
  load(state: OriginState): void {
    if (this.#isFull && this.#options.source.isRemote) this.#queue.push(state);
    else this.#load(state, false);
  }

  /** Loads an origin again, in its turn after all new origins. The earlier result decides its records until the new result arrives. */
  refresh(origin: ExpiredOrigin): void {
    this.#expired.push(origin);
    this.#loadNext();
  }

  /** Whether the loads in progress reach the concurrency. Up to `mostWaiting` loads that wait for a server are not counted. */
  get #isFull(): boolean {
    return this.underWay - Math.min(this.#waiting, mostWaiting) >= this.#options.concurrency;
  }

  get #mayRefresh(): boolean {
    return this.#refreshing < Math.max(1, this.#options.concurrency * shareOfRefreshing);
  }

  #load(state: OriginState, wasQueued: boolean): void {
    const { onLoaded, onError } = this.#options;
    this.#request(state.origin, (robots, hadToWait) => onLoaded(state, robots, hadToWait || wasQueued), onError);
  }

  /**
   * Like `#load`, for an expired origin. A shortage on this machine (descriptors, network) does not end the run: the earlier result stays
   * in force.
   */
  #refresh(origin: ExpiredOrigin): void {
    const { signal, onRefreshed, onError } = this.#options;
    this.#refreshing++;
    const end = (robots: SourcedRobots | undefined): void => {
      this.#refreshing--;
      if (!signal.aborted) onRefreshed(origin, robots);
    };
    this.#request(origin.origin, end, (error) => (error instanceof IoError ? end(undefined) : onError(error)));
  }

  /** Loads an origin. Calls `fail` with the error of the source, but not after the signal aborted. */
  #request(
    origin: string,
    take: (robots: SourcedRobots, hadToWait: boolean) => void,
    fail: (error: unknown) => void,
  ): void {
    const { source, signal } = this.#options;
    if (signal.aborted) return;
    let robots: ReturnType<RobotsSource["load"]>;
    try {
      robots = source.load(origin, signal);
    } catch (error) {
      fail(error);
      return;
    }
    if (!(robots instanceof Promise)) {
      take(robots, false);
      return;
    }
    this.underWay++;
    robots.then(
      (loaded) => {
        this.underWay--;
        take(loaded, true);
        this.#loadNext();
      },
      (error: unknown) => {
        this.underWay--;
        if (signal.aborted) return;
        fail(error);
        this.#loadNext();
      },
    );
  }

  #loadNext(): void {
    while (!this.#isFull && this.#queue.length > 0) this.#load(this.#queue.shift()!, true);
    while (!this.#isFull && this.#mayRefresh && this.#expired.length > 0) this.#refresh(this.#expired.shift()!);
  }
}

/**
 * Maximum number of tables that are notified when the number of loads that wait for a server changes. Earlier tables are not notified,
 * because they have few loads left.
 */
const mostTables = 2;

/** Creates the source that tables share. The caller closes the source itself. */
export function createSharedSource(source: RobotsSource): RobotsSource {
  if (!source.isRemote) return source;
  const loading = new Map<string, Promise<SourcedRobots>>();
  const listeners: ((loads: number) => void)[] = [];
  return {
    isRemote: true,
    onWaiting(listener) {
      if (source.onWaiting === undefined) return;
      if (listeners.length === 0) source.onWaiting((loads) => listeners.forEach((each) => each(loads)));
      // A listener keeps its table in memory.
      if (listeners.length === mostTables) listeners.shift();
      listeners.push(listener);
    },
    load(origin, signal) {
      const known = loading.get(origin);
      if (known !== undefined) return known;
      const loaded = source.load(origin, signal);
      if (!(loaded instanceof Promise)) return loaded;
      loading.set(origin, loaded);
      const end = (): void => void loading.delete(origin);
      loaded.then(end, end);
      return loaded;
    },
    close: () => undefined,
  };
}
