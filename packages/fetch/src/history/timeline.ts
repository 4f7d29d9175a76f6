// Computes, from the dated observations of one origin, its intervals, its outages and the versions that may have been in force at each
// second.
import { type Interval, type Outage, secondsPerDay } from "./types.ts";

/**
 * Two observations of the same version, at most this far apart, prove that the version was in force between them. During an outage, a
 * crawler may use its last copy for this long (RFC 9309 §2.4).
 */
const maxGapSeconds: number = 30 * secondsPerDay;

/** The time of an observation, which was made at an unknown second of its period. */
export interface Period {
  readonly fromSeconds: number;
  /** Inclusive; equal to `fromSeconds` for an observation whose time is known. */
  readonly toSeconds: number;
}

/** The time and the version of an observation, under one access policy. */
export interface Sight extends Period {
  /** A version, or undefined for an outage. */
  readonly version: string | undefined;
  /** The reason of an outage. */
  readonly code?: string | undefined;
}

/** A range of seconds in which the same versions may have been in force. The segments cover -Infinity to Infinity without gaps. */
export interface Segment {
  readonly fromSeconds: number;
  /** Inclusive. */
  readonly toSeconds: number;
  /** Positions of the intervals whose version may have been in force, or was the last good copy; oldest first. */
  readonly intervals: readonly number[];
  readonly proven: boolean;
  /** The interval that was certainly in force; -1 during outages and when several versions are possible. */
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

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** An observation and its interval; -1 for an outage. */
interface Placed {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly interval: number;
}

/**
 * Makes the timeline of `sights`, which must be sorted by `fromSeconds` and not empty. `unknown`: observations whose file is not known;
 * nothing is proven from the sight before one of them to the sight after it.
 */
export function timelineOf(sights: readonly Sight[], unknown: readonly Period[] = []): Timeline {
  const intervals: Writable<Omit<Span, "fromSeconds"> & { fromSeconds: number }>[] = [];
  const outages: Writable<Outage>[] = [];
  const placed: Placed[] = [];
  let isInOutage = false;
  for (const { fromSeconds, toSeconds, version, code } of sights) {
    const last = intervals.at(-1);
    const first = fromSeconds === toSeconds ? { fromSeconds } : { fromSeconds, fromLatestSeconds: toSeconds };
    if (version === undefined) {
      if (isInOutage) outages.at(-1)!.seenSeconds = fromSeconds;
      else outages.push({ ...first, seenSeconds: fromSeconds, endSeconds: null });
      if (code !== undefined) outages.at(-1)!.code = code;
      isInOutage = true;
    } else {
      if (isInOutage) outages.at(-1)!.endSeconds = fromSeconds;
      isInOutage = false;
      if (last?.version === version) last.seenSeconds = fromSeconds;
      else intervals.push({ version, ...first, seenSeconds: fromSeconds });
    }
    placed.push({ fromSeconds, toSeconds, interval: version === undefined ? -1 : intervals.length - 1 });
  }
  return { intervals, outages, segments: new Segments(placed, intervals, unknown).list };
}

/** The observations that certainly were made before a time, in the order of their ends. */
class Earlier {
  readonly #sorted: readonly Placed[];
  /** For each number of observations: the latest beginning among the first of them. */
  readonly #latest: readonly number[];
  #count = 0;

  constructor(placed: readonly Placed[]) {
    this.#sorted = placed.toSorted((a, b) => a.toSeconds - b.toSeconds);
    let latest = -Infinity;
    this.#latest = [latest, ...this.#sorted.map(({ fromSeconds }) => (latest = Math.max(latest, fromSeconds)))];
  }

  /** Moves to a time, which must not be earlier than the last one. */
  moveTo(seconds: number): void {
    while ((this.#sorted[this.#count]?.toSeconds ?? Infinity) < seconds) this.#count++;
  }

  /** At least one of the observations was made at this time or later; -Infinity without observations. */
  get latestSeconds(): number {
    return this.#latest[this.#count]!;
  }

  /** The observations that may be the last one. */
  last(): readonly Placed[] {
    return this.#sorted.slice(this.#lastStart(), this.#count);
  }

  /** The observations that certainly are not the last one, newest first. */
  *beforeLast(): Generator<Placed> {
    for (let at = this.#lastStart() - 1; at >= 0; at--) yield this.#sorted[at]!;
  }

  #lastStart(): number {
    let at = this.#count;
    while (at > 0 && this.#sorted[at - 1]!.toSeconds >= this.latestSeconds) at--;
    return at;
  }
}

/** The observations that certainly were made after a time, in the order of their beginnings. */
class Later {
  readonly #sorted: readonly Placed[];
  /** For each position: the earliest end among the observations from there on. */
  readonly #earliest: readonly number[];
  #start = 0;

  constructor(placed: readonly Placed[]) {
    this.#sorted = placed;
    let earliest = Infinity;
    const ends = placed.toReversed().map(({ toSeconds }) => (earliest = Math.min(earliest, toSeconds)));
    this.#earliest = [...ends.toReversed(), Infinity];
  }

  /** Moves to a time, which must not be earlier than the last one; returns the observations that have begun since. */
  moveTo(seconds: number): readonly Placed[] {
    const from = this.#start;
    while ((this.#sorted[this.#start]?.fromSeconds ?? Infinity) <= seconds) this.#start++;
    return this.#sorted.slice(from, this.#start);
  }

  /** At least one of the observations was made at this time or earlier; Infinity without observations. */
  get earliestSeconds(): number {
    return this.#earliest[this.#start]!;
  }

  /** The observations that may be the first one. */
  first(): readonly Placed[] {
    let end = this.#start;
    while (end < this.#sorted.length && this.#sorted[end]!.fromSeconds <= this.earliestSeconds) end++;
    return this.#sorted.slice(this.#start, end);
  }
}

/** The observations whose file is not known. */
class Unknown {
  /** In the order of their ends. */
  readonly #sorted: readonly Period[];
  /** For each position: the earliest beginning among the observations from there on. */
  readonly #earliest: readonly number[];
  #start = 0;

  constructor(periods: readonly Period[]) {
    this.#sorted = periods.toSorted((a, b) => a.toSeconds - b.toSeconds);
    let earliest = Infinity;
    this.#earliest = this.#sorted
      .toReversed()
      .map(({ fromSeconds }) => (earliest = Math.min(earliest, fromSeconds)))
      .toReversed();
  }

  /** Whether one may have been made between two times; neither may be earlier than in the last call. */
  isBetween(fromSeconds: number, toSeconds: number): boolean {
    while ((this.#sorted[this.#start]?.toSeconds ?? Infinity) <= fromSeconds) this.#start++;
    return (this.#earliest[this.#start] ?? Infinity) < toSeconds;
  }
}

/**
 * The maximum number of older versions of which a crawler may have a copy in an outage. With more, as in a file that differs at each request,
 * nothing is proven.
 */
const mostOlder = 100;

/**
 * For each good observation, the last second at which a crawler that does not reach the robots.txt may use a copy of its version: 30 days
 * after the first good observation that certainly was made later, before which the version may have been in force.
 */
function endsOfUse(good: readonly Placed[]): ReadonlyMap<Placed, number> {
  const after = new Later(good);
  const ends = new Map<Placed, number>();
  for (const each of good.toSorted((a, b) => a.toSeconds - b.toSeconds)) {
    after.moveTo(each.toSeconds);
    ends.set(each, after.earliestSeconds + maxGapSeconds);
  }
  return ends;
}

/** Makes the segments of an origin, by moving through all beginnings and ends of its observations. */
class Segments {
  readonly list: Segment[] = [];
  readonly #intervals: readonly Span[];
  readonly #before: Earlier;
  readonly #goodBefore: Earlier;
  readonly #after: Later;
  /** For each good observation, the end of the use of its version. */
  readonly #endsOfUse: ReadonlyMap<Placed, number>;
  /** The observations whose period contains the current time. */
  #around: readonly Placed[] = [];

  /** The observations whose file is not known. */
  readonly #unknown: Unknown;

  /** `placed` must be sorted by `fromSeconds`. */
  constructor(placed: readonly Placed[], intervals: readonly Span[], unknown: readonly Period[]) {
    this.#intervals = intervals;
    this.#unknown = new Unknown(unknown);
    this.#before = new Earlier(placed);
    const good = placed.filter(({ interval }) => interval >= 0);
    this.#goodBefore = new Earlier(good);
    this.#endsOfUse = endsOfUse(good);
    this.#after = new Later(placed);
    const edges = new Set(placed.flatMap(({ fromSeconds, toSeconds }) => [fromSeconds, toSeconds + 1]));
    const starts = [-Infinity, ...[...edges].toSorted((a, b) => a - b)];
    for (const [at, start] of starts.entries()) {
      this.#before.moveTo(start);
      this.#goodBefore.moveTo(start);
      const begun = this.#after.moveTo(start);
      this.#around = [...this.#around.filter(({ toSeconds }) => toSeconds >= start), ...begun];
      const end = (starts[at + 1] ?? Infinity) - 1;
      const exact = this.#around.filter(({ fromSeconds, toSeconds }) => fromSeconds === toSeconds);
      if (exact.length > 0) this.#addSeen(end, exact);
      else this.#addBetween(end);
    }
  }

  /** Adds the second of observations whose time is known: each of their versions was in force in this second. */
  #addSeen(toSeconds: number, exact: readonly Placed[]): void {
    const hasOutage = exact.some(({ interval }) => interval < 0);
    if (hasOutage) this.#addOutage(toSeconds, exact, true);
    else this.#add(toSeconds, exact, true, true);
  }

  /** Adds the time between the observations that may be the last before it and the first after it, and those that may be made in it. */
  #addBetween(toSeconds: number): void {
    const before = this.#before.last();
    const possible = [...before, ...this.#around, ...this.#after.first()];
    const isUnknown = this.#unknown.isBetween(this.#before.latestSeconds, this.#after.earliestSeconds);
    const proven = this.#isProven() && !isUnknown;
    if (before.some(({ interval }) => interval < 0)) {
      this.#addOutage(toSeconds, possible, proven);
      return;
    }
    // If an outage may already have begun, the version before it is in force in both cases, or is the last good copy.
    const hasOutage = possible.some(({ interval }) => interval < 0);
    if (hasOutage) this.#addWithOlder(toSeconds, possible, proven);
    else this.#add(toSeconds, possible, proven, !isUnknown);
  }

  /**
   * Adds a time in which an outage may keep crawlers from fetching the file: a crawler that seldom comes may have no newer copy than one of an
   * older version.
   */
  #addWithOlder(toSeconds: number, possible: readonly Placed[], proven: boolean): void {
    const older = this.#olderCopies((this.list.at(-1)?.toSeconds ?? -Infinity) + 1);
    if (older.length > mostOlder) {
      this.#add(toSeconds, possible, false, false);
      return;
    }
    while (older.length > 0 && older.at(-1)!.end < toSeconds) {
      this.#add(older.at(-1)!.end, [...older, ...possible], proven, false);
      older.pop();
    }
    this.#add(toSeconds, [...older, ...possible], proven, false);
  }

  /**
   * The newest interval of each version before the last good copies that crawlers may still use at a time, and the end of this use; the latest
   * end first.
   */
  #olderCopies(seconds: number): { readonly interval: number; readonly end: number }[] {
    const found = new Map<string, { readonly interval: number; readonly end: number }>();
    for (const copy of this.#goodBefore.beforeLast()) {
      const end = this.#endsOfUse.get(copy)!;
      if (end < seconds || found.size > mostOlder) break;
      const { version } = this.#intervals[copy.interval]!;
      if (!found.has(version)) found.set(version, { interval: copy.interval, end });
    }
    return [...found.values()];
  }

  /** Whether one observation before, and one after, are close enough; or each of them to one that was made in between. */
  #isProven(): boolean {
    const from = this.#before.latestSeconds;
    const to = this.#after.earliestSeconds;
    if (to - from <= maxGapSeconds) return true;
    return this.#around.some(
      ({ fromSeconds, toSeconds }) => toSeconds - from <= maxGapSeconds && to - fromSeconds <= maxGapSeconds,
    );
  }

  /** Adds a time in an outage: the last good copies, each while it may be used, and the versions of `possible`. */
  #addOutage(toSeconds: number, possible: readonly Placed[], proven: boolean): void {
    const before = this.#goodBefore.last();
    const copies = [...before, ...this.#around.filter(({ interval }) => interval >= 0)];
    // A copy that may be from a later moment than this one, or may be too old, proves nothing: the crawler may have seen only the outage.
    const certain = Math.max(...before.map(({ fromSeconds }) => fromSeconds)) + maxGapSeconds;
    const ends = new Set([certain, ...copies.map((copy) => copy.toSeconds + maxGapSeconds)]);
    for (const end of [...ends].toSorted((a, b) => a - b)) {
      const usable = copies.filter((copy) => copy.toSeconds + maxGapSeconds >= end);
      this.#addWithOlder(Math.min(toSeconds, end), [...usable, ...possible], proven && end <= certain);
    }
    // Either the outage lasted, without a usable copy, or another version was in force.
    this.#add(toSeconds, possible, false, false);
  }

  /** Appends a segment after the end of the previous one. Skips empty segments and joins equal neighbours. */
  #add(toSeconds: number, possible: readonly Pick<Placed, "interval">[], proven: boolean, maySettle: boolean): void {
    const last = this.list.at(-1);
    if (toSeconds <= (last?.toSeconds ?? -Infinity)) return;
    const good = possible.map(({ interval }) => interval).filter((interval) => interval >= 0);
    const intervals = [...new Set(good)].toSorted((a, b) => a - b);
    const versions = new Set(intervals.map((interval) => this.#intervals[interval]!.version));
    const settled = maySettle && versions.size === 1 ? intervals.at(-1)! : -1;
    const isSame =
      last !== undefined &&
      last.proven === proven &&
      last.settled === settled &&
      last.intervals.join() === intervals.join();
    if (isSame) this.list.pop();
    const fromSeconds = isSame ? last.fromSeconds : last === undefined ? -Infinity : last.toSeconds + 1;
    this.list.push({ fromSeconds, toSeconds, intervals, proven, settled });
  }
}
