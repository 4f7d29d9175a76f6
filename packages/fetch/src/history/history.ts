// Makes the history of origins from observations. A history returns the versions that may have been in force at a time, by access policy.
import { FetchError } from "../common/errors.ts";
import { hasRedirects, robotsTargetsOf, showsRedirects } from "./robots-targets.ts";
import { type Period, type Segment, type Sight, type Span, type Timeline, timelineOf } from "./timeline.ts";
import {
  type Access,
  type Interval,
  type Observation,
  type Outage,
  type PolicyName,
  type RobotsTarget,
  type Window,
  policyNames,
  unavailableVersion,
} from "./types.ts";
import { Windows } from "./windows.ts";

/** The versions and outages of one origin's robots.txt over time. */
export interface OriginHistory {
  readonly origin: string;
  /** The intervals of all access policies, sorted by start. `Window.interval` is a position in this list. */
  readonly intervals: readonly Interval[];
  /** The outages under the policy `google`. */
  readonly outages: readonly Outage[];
  /** Whether at least one observation has a date. */
  readonly isDated: boolean;
  /** The versions that a crawler may have used for a request at `atSeconds` (whole seconds since 1970; undefined: time unknown). */
  windowAt(atSeconds: number | undefined, policy: PolicyName): Window;
  /** Position in `intervals` of the version that a successful fetch at `atSeconds` certainly received; -1 when it is uncertain. */
  fetchedAt(atSeconds: number, policy: PolicyName): number;
}

/** All observations, by origin. */
export interface RobotsTimeline {
  /** A digest of the observations. It does not depend on their order, and ignores repeated observations. */
  readonly digest: string;
  /** Origins with an observation, sorted. */
  readonly origins: readonly string[];
  /**
   * The history of an origin; undefined when nothing is known. Throws a {@link FetchError} (`ERR_INVALID_OBSERVATION`) for an origin with
   * more than 16,384 intervals.
   */
  of(origin: string): OriginHistory | undefined;
  /** The targets on an origin to which a robots.txt redirected; empty for most origins. */
  robotsTargetsOf(origin: string): readonly RobotsTarget[];
}

/**
 * Largest number of intervals of one origin. Programs that count requests by interval store the position of an interval in a limited number
 * of bits.
 */
const maxIntervals = 16_384;

/**
 * Makes the history from observations in any order. Throws a {@link FetchError} (`ERR_INVALID_OBSERVATION`) for a time that is not whole
 * seconds, and for a successful observation without a hash in lower-case hex.
 */
export function createHistory(observations: Iterable<Observation>): RobotsTimeline {
  if (typeof (observations as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] !== "function") {
    throw new FetchError("ERR_INVALID_OBSERVATION", "observations are not a list");
  }
  const byOrigin = new Map<string, Observation[]>();
  for (const observation of observations) {
    checkObservation(observation);
    const known = byOrigin.get(observation.origin);
    if (known === undefined) byOrigin.set(observation.origin, [observation]);
    else known.push(observation);
  }
  const origins = [...byOrigin.keys()].toSorted();
  const made = new Map<string, OriginHistory>();
  const digest = digestOf(
    origins.flatMap((origin) => [...new Set(keysOf(byOrigin.get(origin)!))].toSorted()).join("\n"),
  );
  let targets: ReadonlyMap<string, readonly RobotsTarget[]> | undefined;
  return {
    digest,
    origins,
    robotsTargetsOf: (origin) => (targets ??= robotsTargetsOf(byOrigin)).get(origin) ?? [],
    of: (origin) => {
      const known = byOrigin.get(origin);
      if (known === undefined || known.every(({ access }) => access === "unknown")) return undefined;
      let history = made.get(origin);
      if (history === undefined) made.set(origin, (history = new KnownOrigin(origin, known)));
      return history;
    },
  };
}

function checkObservation({ origin, atSeconds, toSeconds, access, sha256 }: Observation): void {
  if (atSeconds !== undefined && !Number.isSafeInteger(atSeconds)) {
    throw new FetchError("ERR_INVALID_OBSERVATION", `${origin}: atSeconds is ${atSeconds}, not whole seconds`);
  }
  if (toSeconds !== undefined && !(Number.isSafeInteger(toSeconds) && toSeconds >= (atSeconds ?? Infinity))) {
    throw new FetchError(
      "ERR_INVALID_OBSERVATION",
      `${origin}: toSeconds is ${toSeconds}, not a second after atSeconds`,
    );
  }
  const isSuccessful = policyNames.some((policy) => accessOf(access, policy) === "successful");
  if (isSuccessful && !/^[0-9a-f]{1,128}$/u.test(sha256 ?? "")) {
    throw new FetchError("ERR_INVALID_OBSERVATION", `${origin}: a successful observation has no sha256 in hex`);
  }
}

function accessOf(access: Observation["access"], policy: PolicyName): Access | "unknown" {
  return typeof access === "string" ? access : access[policy];
}

/** What observations of one origin contribute to the digest. Whether an observation shows redirects matters only beside a redirect. */
function keysOf(observations: readonly Observation[]): readonly string[] {
  if (!observations.some(hasRedirects)) return observations.map(keyOf);
  return observations.map((each) => keyOf(each) + (showsRedirects(each) ? "" : " ?"));
}

function keyOf({ origin, atSeconds, toSeconds = atSeconds, access, sha256, redirects = [] }: Observation): string {
  const results = policyNames.map((policy) => accessOf(access, policy)).join(",");
  const time = atSeconds === toSeconds ? `${atSeconds ?? "undated"}` : `${atSeconds}-${toSeconds}`;
  return [
    origin,
    time,
    results,
    sha256 ?? "",
    ...redirects.map(({ origin: to, target }) => to + target).toSorted(),
  ].join(" ");
}

function versionOf({ access, sha256 }: Observation, policy: PolicyName): string | undefined {
  const result = accessOf(access, policy);
  return result === "unreachable" ? undefined : result === "unavailable" ? unavailableVersion : sha256;
}

class KnownOrigin implements OriginHistory {
  readonly origin: string;
  readonly intervals: readonly Interval[];
  readonly outages: readonly Outage[];
  readonly isDated: boolean;
  readonly #windows: Readonly<Record<PolicyName, Windows>>;

  constructor(origin: string, observations: readonly Observation[]) {
    this.origin = origin;
    this.isDated = observations.some(({ atSeconds }) => atSeconds !== undefined);
    const timelines = mapOf((policy) => timelineUnder(policy, observations));
    this.intervals = unionOf(
      policyNames.flatMap((policy) => timelines[policy].intervals.map((span) => ({ ...span, policies: [policy] }))),
    );
    if (this.intervals.length > maxIntervals) {
      throw new FetchError("ERR_INVALID_OBSERVATION", `${origin}: has ${this.intervals.length} intervals`);
    }
    this.outages = timelines.google.outages;
    this.#windows = mapOf((policy) => new Windows(renumbered(timelines[policy], this.intervals)));
  }

  windowAt(atSeconds: number | undefined, policy: PolicyName): Window {
    const windows = this.#windows[policy];
    return atSeconds === undefined ? windows.timeless() : windows.at(atSeconds);
  }

  fetchedAt(atSeconds: number, policy: PolicyName): number {
    return this.#windows[policy].fetchedAt(atSeconds);
  }
}

/** Calls `make` for each policy and returns the results by policy. */
function mapOf<Value>(make: (policy: PolicyName) => Value): Readonly<Record<PolicyName, Value>> {
  return { google: make("google"), rfc9309: make("rfc9309"), yandex: make("yandex") };
}

/** The timeline of the observations under one policy. Observations without a date are used only if none has a date. */
function timelineUnder(policy: PolicyName, observations: readonly Observation[]): Timeline {
  const sights: Sight[] = [];
  const unknown: Period[] = [];
  for (const observation of observations) {
    const { access, atSeconds: fromSeconds } = observation;
    if (fromSeconds === undefined) continue;
    const period = { fromSeconds, toSeconds: observation.toSeconds ?? fromSeconds };
    if (access === "unknown") unknown.push(period);
    else sights.push({ ...period, version: versionOf(observation, policy), code: observation.code });
  }
  if (sights.length === 0) return undatedTimeline(observations, policy);
  // Observations of the same time are sorted by version, so that the result does not depend on the order of the input.
  return timelineOf(
    sights.toSorted(
      (a, b) =>
        a.fromSeconds - b.fromSeconds ||
        a.toSeconds - b.toSeconds ||
        ((a.version ?? "") + (a.code ?? "") < (b.version ?? "") + (b.code ?? "") ? -1 : 1),
    ),
    unknown,
  );
}

function undatedTimeline(observations: readonly Observation[], policy: PolicyName): Timeline {
  const versions = observations.flatMap((observation) => versionOf(observation, policy) ?? []);
  const intervals = [...new Set(versions)]
    .toSorted()
    .map((version) => ({ version, fromSeconds: null, seenSeconds: null }));
  const segment: Segment = {
    fromSeconds: -Infinity,
    toSeconds: Infinity,
    intervals: intervals.map((_, at) => at),
    proven: false,
    settled: intervals.length === 1 ? 0 : -1,
  };
  return { intervals, outages: [], segments: [segment] };
}

const idOf = ({ version, fromSeconds }: Span): string => `${fromSeconds} ${version}`;

function unionOf(all: readonly Interval[]): readonly Interval[] {
  const byId = new Map<string, Interval>();
  for (const interval of all) {
    const known = byId.get(idOf(interval));
    const isLonger = known === undefined || (interval.seenSeconds ?? 0) > (known.seenSeconds ?? 0);
    const policies = [...(known?.policies ?? []), ...interval.policies];
    byId.set(idOf(interval), { ...(isLonger ? interval : known), policies });
  }
  return [...byId.values()].toSorted(
    (a, b) => (a.fromSeconds ?? 0) - (b.fromSeconds ?? 0) || (a.version < b.version ? -1 : 1),
  );
}

/** The timeline with `all` as its intervals: each segment refers to positions in `all`. */
function renumbered(timeline: Timeline, all: readonly Span[]): Timeline {
  const positions = new Map(all.map((interval, at) => [idOf(interval), at]));
  const positionOf = (interval: number): number =>
    interval < 0 ? -1 : positions.get(idOf(timeline.intervals[interval]!))!;
  return {
    intervals: all,
    outages: timeline.outages,
    segments: timeline.segments.map((segment) => ({
      ...segment,
      intervals: segment.intervals.map(positionOf),
      settled: positionOf(segment.settled),
    })),
  };
}

/** The seeds of four hashes of 32 bits. */
const seeds = [0x811c9dc5, 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;
const factors = [0x01000193, 0x27d4eb2f, 0x165667b1, 0x9e3779b1] as const;

/** The digest of a text as 32 hex digits. */
function digestOf(text: string): string {
  return seeds.map((seed, at) => hashOf(text, seed, factors[at]!).toString(16).padStart(8, "0")).join("");
}

/** FNV-1a over UTF-16 code units, with the finalizer of MurmurHash3. */
function hashOf(text: string, seed: number, factor: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), factor);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
