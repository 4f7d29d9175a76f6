// Counts the requests in grace that a crawler sent after its own fetch of the newer file, from the tables `graceMinutes` and
// `firstFetches`.
import type { DocumentOrigin } from "../document/types.ts";
import { secondsPerMinute } from "../time.ts";

/** The requests in grace of one crawler after one change of robots.txt. */
export interface GraceUse {
  readonly origin: string;
  readonly interval: number;
  readonly crawler: string;
  readonly verification: string;
  /** The number of requests in grace that are proven and not disputed. */
  readonly proven: number;
  /** The number of undisputed requests in grace that came in a later minute than the fetch of the newer file. */
  readonly informed: number;
  /** The part of `informed` that is proven. */
  readonly provenInformed: number;
  /** The time of the earliest successful fetch of the newer file, in seconds since 1970; undefined without a fetch. */
  readonly fetched: number | undefined;
}

/**
 * The requests in grace after tightenings, by crawler and interval. Requests and fetches are compared by minute, because requests in grace
 * are counted by minute.
 */
export function graceUsesOf(origin: DocumentOrigin): readonly GraceUse[] {
  const fetches = new Map(
    origin.firstFetches.map(([interval, crawler, verification, time]) => [
      JSON.stringify([interval, crawler, verification]),
      time!,
    ]),
  );
  const uses = new Map<string, GraceUse>();
  for (const [time, crawler, verification, interval, isProven, disputed, requests] of origin.graceMinutes) {
    const key = JSON.stringify([interval, crawler, verification]);
    const fetched = fetches.get(key);
    const isInformed = fetched !== undefined && minuteOf(fetched) < minuteOf(time!);
    const known = uses.get(key);
    const counted = isProven && !disputed ? requests : 0;
    uses.set(key, {
      origin: origin.origin,
      interval,
      crawler,
      verification,
      fetched,
      proven: (known?.proven ?? 0) + counted,
      informed: (known?.informed ?? 0) + (isInformed && !disputed ? requests : 0),
      provenInformed: (known?.provenInformed ?? 0) + (isInformed ? counted : 0),
    });
  }
  return [...uses.values()];
}

function minuteOf(atSeconds: number): number {
  return Math.floor(atSeconds / secondsPerMinute);
}
