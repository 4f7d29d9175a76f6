// Counts the requests for one origin in tables. A table that exceeds a limit drops detail, but no request.
import { Hash64, bytesOf } from "../hash.ts";
import type { OriginHistory } from "../history.ts";
import { secondsPerDay, secondsPerMinute } from "../time.ts";
import { CellTable, FoldingTable } from "./cell-table.ts";
import type { CountLimits } from "./counter-input.ts";
import { Directories, lastDirectoryLevel } from "./directories.ts";
import {
  actorRoom,
  bucketOf,
  classRoom,
  coarserBucketOf,
  graceRoom,
  methodRoom,
  noTimeLevel,
  stateRoom,
  statusRoom,
} from "./keys.ts";
import { Outcomes } from "./outcomes.ts";
import { Parameters } from "./parameters.ts";
import { PaceMinutes } from "./smallest.ts";
import type { RobotsTargets } from "./targets.ts";

const timeRoom = actorRoom * stateRoom * classRoom;
const fetchRoom = actorRoom * methodRoom * statusRoom;

/**
 * Returns a table whose keys are `bucket * room + rest`: a bucket of time, and the other parts with `room` values together. Folding changes
 * only the bucket.
 */
function timesTable(kinds: readonly "sum"[], limit: number, room: number): FoldingTable {
  const coarser = (key: number, level: number): number => {
    const bucket = Math.floor(key / room);
    return coarserBucketOf(bucket, level) * room + (key - bucket * room);
  };
  return new FoldingTable(kinds, limit, noTimeLevel, coarser);
}

/** The hash of an origin's name. The hashes of the origin's URLs are continued from this hash. */
export function nameHashOf(origin: string): { hashHigh: number; hashLow: number } {
  const hash = new Hash64();
  const name = bytesOf(origin);
  hash.add(name, 0, name.length);
  hash.finish();
  return { hashHigh: hash.high, hashLow: hash.low };
}

/**
 * The tables of one origin. Instants are seconds since 1970; -1 means without a time. A `status` is a status as documents contain it
 * (`countedStatusOf`).
 */
export class OriginCounts {
  readonly origin: string;
  readonly history: OriginHistory | undefined;
  /** The hash of the origin's name. The hashes of the origin's URLs are continued from this hash. */
  readonly hashHigh: number;
  readonly hashLow: number;
  readonly outcomes: Outcomes = new Outcomes();
  /** The targets on this origin to which a robots.txt redirected; undefined if there are none. */
  readonly robotsTargets: RobotsTargets | undefined;
  /** Requests and bytes by bucket, actor, state and class of status. */
  readonly times: FoldingTable;
  /** The number of requests, the first and the last instant, by outcome, actor and status. */
  readonly decisions: CellTable = new CellTable(["sum", "min", "max"]);
  readonly directories: Directories;
  readonly parameters: Parameters;
  /** Requests by actor, method, state and status. */
  readonly answers: CellTable = new CellTable(["sum"]);
  /** Fetches of /robots.txt by bucket, actor, method and status. */
  readonly fetches: FoldingTable;
  /** Answers to GET /robots.txt with status 200 and a known size, by day: their number, the smallest and the largest size in bytes. */
  readonly sizes: CellTable = new CellTable(["sum", "min", "max"]);
  /** The earliest successful fetch of /robots.txt, by interval and actor. */
  readonly firstFetches: CellTable = new CellTable(["min"]);
  /** Requests in grace after a tightening: a table by minute for each combination of interval, actor and flags (see `addGraceMinute`). */
  readonly graceMinutes: Map<number, CellTable> = new Map();
  /** A sample of the minutes with requests, for each actor whose crawler honours Crawl-delay. */
  readonly pace: Map<number, PaceMinutes> = new Map();
  /** Visits by the operator that sent them. */
  readonly referrals: Map<string, number> = new Map();
  readonly #limits: CountLimits;

  constructor(
    origin: string,
    history: OriginHistory | undefined,
    limits: CountLimits,
    withValues: boolean,
    robotsTargets?: RobotsTargets,
  ) {
    this.robotsTargets = robotsTargets;
    this.origin = origin;
    this.history = history;
    this.#limits = limits;
    const { hashHigh, hashLow } = nameHashOf(origin);
    this.hashHigh = hashHigh;
    this.hashLow = hashLow;
    this.times = timesTable(["sum", "sum"], limits.timeCells, timeRoom);
    this.directories = new Directories(limits, withValues);
    this.parameters = new Parameters(limits.parameters);
    this.fetches = timesTable(["sum"], limits.timeCells, fetchRoom);
  }

  /** Folds the tables by time, directory and parameter completely. Used for `…`, the sum of all origins that are not kept by name. */
  foldAll(): void {
    this.times.foldTo(noTimeLevel);
    this.fetches.foldTo(noTimeLevel);
    this.directories.foldTo(lastDirectoryLevel);
    this.parameters.foldTo(1);
  }

  /** The number of cells in the largest tables. */
  get cellCount(): number {
    const { times, decisions, directories, parameters, answers, fetches } = this;
    const tables = [
      times.cells,
      decisions,
      directories.tables.requests.cells,
      directories.tables.crossings.cells,
      parameters.tables.requests.cells,
      answers,
      fetches.cells,
    ];
    return tables.reduce((sum, { count }) => sum + count, 0);
  }

  addTime(atSeconds: number, actor: number, state: number, statusClass: number, bytes: number): void {
    const { times } = this;
    const bucket = bucketOf(atSeconds, times.level);
    const cell = times.cellOf(((bucket * actorRoom + actor) * stateRoom + state) * classRoom + statusClass);
    times.cells.add(cell, 0, 1);
    times.cells.add(cell, 1, bytes);
  }

  addDecision(outcome: number, actor: number, status: number, atSeconds: number): void {
    const { decisions } = this;
    decisions.addAt(decisions.cellOf((outcome * actorRoom + actor) * statusRoom + status + 1), atSeconds);
  }

  addAnswer(actor: number, method: number, state: number, status: number): void {
    const cell = this.answers.cellOf(((actor * methodRoom + method) * stateRoom + state) * statusRoom + status + 1);
    this.answers.add(cell, 0, 1);
  }

  addFetch(atSeconds: number, actor: number, method: number, status: number): void {
    const { fetches } = this;
    const bucket = bucketOf(atSeconds, fetches.level);
    const cell = fetches.cellOf(((bucket * actorRoom + actor) * methodRoom + method) * statusRoom + status + 1);
    fetches.cells.add(cell, 0, 1);
  }

  addFirstFetch(interval: number, actor: number, atSeconds: number): void {
    const cell = this.firstFetches.cellOf(interval * actorRoom + actor);
    this.firstFetches.lower(cell, 0, atSeconds);
  }

  addSize(atSeconds: number, bytes: number): void {
    const cell = this.sizes.cellOf(Math.floor(atSeconds / secondsPerDay));
    this.sizes.add(cell, 0, 1);
    this.sizes.lower(cell, 1, bytes);
    this.sizes.raise(cell, 2, bytes);
  }

  /** `flags`: 2 if the requests are proven, plus 1 if they are disputed. */
  addGraceMinute(atSeconds: number, actor: number, interval: number, flags: number, requests: number): void {
    const minute = Math.floor(atSeconds / secondsPerMinute);
    const key = (interval * actorRoom + actor) * graceRoom + flags;
    let minutes = this.graceMinutes.get(key);
    if (minutes === undefined) this.graceMinutes.set(key, (minutes = new CellTable(["sum"])));
    const cell = minutes.cellOf(minute);
    minutes.add(cell, 0, requests);
  }

  addPace(atSeconds: number, actor: number, requests: number): void {
    let minutes = this.pace.get(actor);
    if (minutes === undefined) this.pace.set(actor, (minutes = new PaceMinutes(this.#limits.paceMinutes)));
    minutes.add(Math.floor(atSeconds / secondsPerMinute), requests);
  }

  addReferral(operator: string, requests: number): void {
    this.referrals.set(operator, (this.referrals.get(operator) ?? 0) + requests);
  }

  /**
   * Adds the tables of `other`, an origin without a history that is no longer kept by name. The pace is not added, because the minutes of
   * different origins cannot be combined.
   */
  addNameless(other: OriginCounts): void {
    this.times.addAll(other.times);
    this.fetches.addAll(other.fetches);
    this.directories.addAll(other.directories);
    this.parameters.addAll(other.parameters);
    for (let cell = 0; cell < other.answers.count; cell++) {
      this.answers.addFrom(other.answers.keyOf(cell), other.answers, cell);
    }
    for (const [operator, requests] of other.referrals) this.addReferral(operator, requests);
  }
}

/** The actor in a key of `times`. */
export function actorOfTime(key: number): number {
  return Math.floor(key / (stateRoom * classRoom)) % actorRoom;
}
