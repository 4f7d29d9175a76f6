// Finds, in a timeline, the versions that a crawler may have used at an instant (RFC 9309 §2.4).
import type { Timeline } from "./timeline.ts";
import { secondsPerDay, type Window } from "./types.ts";

/** Largest assumed difference between two clocks. */
export const skewSeconds: number = 5 * 60;
/** The greatest age of a copy that a crawler still uses. */
export const holdSeconds: number = secondsPerDay;

/** The windows of one timeline. All seconds for which a window is valid share one object. */
export class Windows {
  readonly timeline: Timeline;
  readonly #byPair = new Map<number, Window>();
  /** The last requested window: most lines of a log need the same window as the line before. */
  #last: Window | undefined;
  #timeless: Window | undefined;

  constructor(timeline: Timeline) {
    this.timeline = timeline;
  }

  /** The window of a request: the versions that may have been in force from 24 h and 5 min before the request to 5 min after it. */
  at(atSeconds: number): Window {
    const last = this.#last;
    if (last !== undefined && atSeconds >= last.fromSeconds && atSeconds <= last.toSeconds) return last;
    const { segments } = this.timeline;
    const first = this.#segmentAt(atSeconds - holdSeconds - skewSeconds);
    const end = this.#segmentAt(atSeconds + skewSeconds);
    const pair = first * segments.length + end;
    let found = this.#byPair.get(pair);
    if (found === undefined) this.#byPair.set(pair, (found = this.#windowOf(first, end)));
    this.#last = found;
    return found;
  }

  /** The window of a request without a time: every version. */
  timeless(): Window {
    this.#timeless ??= { ...this.#windowOf(0, this.timeline.segments.length - 1), proven: false, timeless: true };
    return this.#timeless;
  }

  /**
   * The interval whose version a fetch at `atSeconds` certainly received, even if the clocks differ by 5 minutes; -1 in outages and
   * when several intervals are possible.
   */
  fetchedAt(atSeconds: number): number {
    const { segments } = this.timeline;
    const end = this.#segmentAt(atSeconds + skewSeconds);
    const { settled } = segments[end]!;
    for (let at = this.#segmentAt(atSeconds - skewSeconds); at < end; at++) {
      if (segments[at]!.settled !== settled) return -1;
    }
    return settled;
  }

  #segmentAt(atSeconds: number): number {
    const { segments } = this.timeline;
    let low = 0;
    let high = segments.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (segments[middle]!.toSeconds < atSeconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #windowOf(first: number, end: number): Window {
    const { segments, intervals } = this.timeline;
    const within = segments.slice(first, end + 1);
    const held = [...new Set(within.flatMap((segment) => segment.intervals))].toSorted((a, b) => a - b);
    // Each version once, at the position of its newest interval.
    const byVersion = new Map(held.map((interval) => [intervals[interval]!.version, interval]));
    const newest = [...byVersion.values()].toSorted((a, b) => a - b);
    const head = segments[first]!;
    const tail = segments[end]!;
    const before = holdSeconds + skewSeconds;
    return {
      versions: newest.map((interval) => intervals[interval]!.version),
      intervals: newest,
      interval: newest.at(-1) ?? -1,
      proven: held.length > 0 && within.every(({ proven }) => proven),
      timeless: false,
      gap: held.length > 0 ? undefined : "outage",
      fromSeconds: Math.max(head.fromSeconds + before, tail.fromSeconds - skewSeconds),
      toSeconds: Math.min(head.toSeconds + before, tail.toSeconds - skewSeconds),
    };
  }
}
