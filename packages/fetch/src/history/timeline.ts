// Computes, from the dated observations of one origin, its intervals, its outages and the versions that may have been in force at each
// second.
import { type Interval, type Outage, secondsPerDay } from "./types.ts";

/**
 * Two observations of the same version, at most this far apart, prove that the version was in force between them. During an outage, a
 * crawler may use its last copy for this long (RFC 9309 §2.4).
 */
const maxGapSeconds: number = 30 * secondsPerDay;

/** The time and the version of an observation, under one access policy. */
export interface Sight {
  readonly atSeconds: number;
  /** A version, or undefined for an outage. */
  readonly version: string | undefined;
}

/** A range of seconds in which the same versions may have been in force. The segments cover -Infinity to Infinity without gaps. */
export interface Segment {
  readonly fromSeconds: number;
  /** Inclusive. */
  readonly toSeconds: number;
  /** Positions of the intervals whose version may have been in force, or was the last good copy; oldest first. */
  readonly intervals: readonly number[];
  readonly proven: boolean;
  /** The interval that was certainly in force; -1 during outages and when several intervals are possible. */
  readonly settled: number;
}

/** An interval under one access policy. */
export type Span = Omit<Interval, "policies">;

/** The observations of an origin as one access policy interprets them. */
export interface Timeline {
  readonly intervals: readonly Span[];
  readonly outages: readonly Outage[];
  readonly segments: readonly Segment[];
}

/** An observation and its interval. */
interface Placed {
  readonly atSeconds: number;
  readonly isOutage: boolean;
  /** The observation's own interval; during an outage the interval of the last good copy, or -1 without a copy. */
  readonly interval: number;
  /** When the version of `interval` was last observed; -Infinity when `interval` is -1. */
  readonly goodSeconds: number;
}

/** Makes the timeline of `sights`, which must be sorted by time and not empty. */
export function timelineOf(sights: readonly Sight[]): Timeline {
  const intervals: { version: string; fromSeconds: number; seenSeconds: number }[] = [];
  const outages: { fromSeconds: number; seenSeconds: number; endSeconds: number | null }[] = [];
  const placed: Placed[] = [];
  let isInOutage = false;
  for (const { atSeconds, version } of sights) {
    const last = intervals.at(-1);
    if (version === undefined) {
      if (isInOutage) outages.at(-1)!.seenSeconds = atSeconds;
      else outages.push({ fromSeconds: atSeconds, seenSeconds: atSeconds, endSeconds: null });
      isInOutage = true;
    } else {
      if (isInOutage) outages.at(-1)!.endSeconds = atSeconds;
      isInOutage = false;
      if (last?.version === version) last.seenSeconds = atSeconds;
      else intervals.push({ version, fromSeconds: atSeconds, seenSeconds: atSeconds });
    }
    placed.push({
      atSeconds,
      isOutage: version === undefined,
      interval: intervals.length - 1,
      goodSeconds: intervals.at(-1)?.seenSeconds ?? -Infinity,
    });
  }
  return { intervals, outages, segments: segmentsOf(placed) };
}

function segmentsOf(placed: readonly Placed[]): readonly Segment[] {
  const writer = new SegmentWriter();
  const first = placed[0]!;
  writer.add(first.atSeconds - 1, first.isOutage ? [] : [first.interval], false, first.isOutage ? -1 : first.interval);
  for (const [at, sight] of placed.entries()) {
    const next = placed[at + 1];
    // Several observations of one second: each of their versions may have been in force.
    const together = sameSecond(placed, at);
    if (together.length > 1) writer.add(sight.atSeconds, together, true, -1);
    else addHeld(writer, sight, sight.atSeconds, true);
    if (next !== undefined) addBetween(writer, sight, next);
    else addHeld(writer, sight, Infinity, false);
  }
  return writer.segments;
}

/** The intervals of all observations of the same second as `placed[at]`. */
function sameSecond(placed: readonly Placed[], at: number): readonly number[] {
  const { atSeconds } = placed[at]!;
  let start = at;
  while (start > 0 && placed[start - 1]!.atSeconds === atSeconds) start--;
  const found: number[] = [];
  for (let index = start; placed[index]?.atSeconds === atSeconds; index++) {
    const { interval } = placed[index]!;
    if (interval >= 0 && !found.includes(interval)) found.push(interval);
  }
  return found;
}

/** Adds the version in force up to `toSeconds`: the version of `sight`, or in an outage the last good copy until it is too old. */
function addHeld(writer: SegmentWriter, sight: Placed, toSeconds: number, proven: boolean): void {
  if (!sight.isOutage) {
    writer.add(toSeconds, [sight.interval], proven, sight.interval);
    return;
  }
  if (sight.interval >= 0) {
    writer.add(Math.min(toSeconds, sight.goodSeconds + maxGapSeconds), [sight.interval], proven, -1);
  }
  writer.add(toSeconds, [], false, -1);
}

/** Adds the versions that may have been in force between the observations `sight` and `next`. */
function addBetween(writer: SegmentWriter, sight: Placed, next: Placed): void {
  const toSeconds = next.atSeconds - 1;
  const proven = next.atSeconds - sight.atSeconds <= maxGapSeconds;
  if (next.isOutage) {
    // The outage may already have begun. Its last good copy is the observed version, so that version is in force in both cases.
    if (sight.isOutage) addHeld(writer, sight, toSeconds, proven);
    else writer.add(toSeconds, [sight.interval], proven, -1);
    return;
  }
  if (!sight.isOutage && sight.interval === next.interval) {
    writer.add(toSeconds, [next.interval], proven, next.interval);
    return;
  }
  if (!sight.isOutage) {
    writer.add(toSeconds, [sight.interval, next.interval], proven, -1);
    return;
  }
  if (sight.interval >= 0) {
    const copy = sight.interval === next.interval ? [next.interval] : [sight.interval, next.interval];
    writer.add(Math.min(toSeconds, sight.goodSeconds + maxGapSeconds), copy, proven, -1);
  }
  // Either the outage lasted, without a usable copy, or the next version was already in force.
  writer.add(toSeconds, [next.interval], false, -1);
}

/** Appends segments; each starts after the end of the previous one. Skips empty segments and joins equal neighbours. */
class SegmentWriter {
  readonly segments: Segment[] = [];
  #from = -Infinity;

  add(toSeconds: number, intervals: readonly number[], proven: boolean, settled: number): void {
    if (toSeconds < this.#from || toSeconds === -Infinity) return;
    const last = this.segments.at(-1);
    const isSame =
      last !== undefined &&
      last.proven === proven &&
      last.settled === settled &&
      last.intervals.join() === intervals.join();
    if (isSame) this.segments.pop();
    const fromSeconds = isSame ? last.fromSeconds : this.#from;
    this.segments.push({ fromSeconds, toSeconds, intervals, proven, settled });
    this.#from = toSeconds + 1;
  }
}
