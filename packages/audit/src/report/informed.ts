// The minutes in grace and the first fetches of an origin in, the requests out that came after the crawler's own fetch of the newer file.
import type { DocumentOrigin } from "../document/types.ts";
import { secondsPerMinute } from "../time.ts";

/** Requests in grace of one crawler after one change. */
export interface GraceUse {
  readonly origin: string;
  readonly interval: number;
  readonly crawler: string;
  readonly verification: string;
  /** Proven and not disputed requests in grace. */
  readonly proven: number;
  /** All requests in a minute after the fetch. */
  readonly informed: number;
  /** The part of `informed` that is proven and not disputed. */
  readonly provenInformed: number;
  /** The earliest successful fetch of the newer file; undefined without one. */
  readonly fetched: number | undefined;
}

/** Grace after tightenings, by crawler and interval. `informed`: in a later minute than the first fetch of that interval. */
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
      informed: (known?.informed ?? 0) + (isInformed ? requests : 0),
      provenInformed: (known?.provenInformed ?? 0) + (isInformed ? counted : 0),
    });
  }
  return [...uses.values()];
}

function minuteOf(atSeconds: number): number {
  return Math.floor(atSeconds / secondsPerMinute);
}
