// Counts requests that are given as numbers and ranges of bytes. The counts depend neither on the order of the requests nor on how the log
// is split into parts.
import { AuditError } from "../errors.ts";
import { Hash64, hashTextOf } from "../hash.ts";
import { type AuditHistory, type Window, noFileWindow } from "../history.ts";
import { type AuditCrawler, type AuditDecision, type Bound, judge } from "../states/judge.ts";
import {
  countedStatusOf,
  isMissed,
  isSuccessfulFetch,
  stateNumberOf,
  statusClassOf,
  verifications,
} from "../states/states.ts";
import {
  type CountLimits,
  type CounterOptions,
  type LocatedRequest,
  type TotalName,
  checkLimits,
  limitsFor,
  totalNames,
} from "./counter-input.ts";
import { lastSecond, verificationRoom } from "./keys.ts";
import type { NamedTable } from "./named-tables.ts";
import { foldedName } from "./names.ts";
import { OriginCounts, nameHashOf } from "./origin-counts.ts";
import { KnownOutcomes, firstOutcome } from "./outcomes.ts";
import { PageCounts } from "./pages.ts";
import { addToSketch, registers } from "./sketch.ts";
import { SmallestCounts, SmallestKeys } from "./smallest.ts";
import { RobotsTargets, isAsterisk, isRobotsTxt, queryStartOf } from "./targets.ts";

const requestsAt = totalNames.indexOf("requests");
const bytesAt = totalNames.indexOf("bytes");
const notACrawlerAt = totalNames.indexOf("notACrawler");
const notACrawlerBytesAt = totalNames.indexOf("notACrawlerBytes");
const notACrawlerRobotsTxtAt = totalNames.indexOf("notACrawlerRobotsTxt");
const withoutTimeAt = totalNames.indexOf("withoutTime");
const withoutZoneAt = totalNames.indexOf("withoutZone");
const ofServerPathAt = totalNames.indexOf("ofServerPath");
const robotsTxt = stateNumberOf("robots-txt");
const noUrl = stateNumberOf("undecidable:no-url");
const noFile = stateNumberOf("undecidable:no-file");
const asterisk = stateNumberOf("undecidable:asterisk");
const connect = stateNumberOf("undecidable:connect");
const violation = stateNumberOf("violation");
const grace = stateNumberOf("grace");
const wouldViolate = stateNumberOf("not-bound:violation");
const connectMethod = 4;
const falseVerification = verifications.indexOf("false");
const tightened = 1;
const maxCrawlers = 4_095;

/** An origin whose requests are counted without its name. */
interface FoldedOrigin {
  readonly name: string;
  readonly hashHigh: number;
  readonly hashLow: number;
  readonly robotsTargets: RobotsTargets | undefined;
}

/** Throws an {@link AuditError} (`ERR_INVALID_OPTION`) for more crawlers than a counter has numbers for. */
export function checkCrawlers({ length }: readonly AuditCrawler[]): void {
  if (length > maxCrawlers) {
    throw new AuditError("ERR_INVALID_OPTION", `crawlers: ${length}, at most ${maxCrawlers}`);
  }
}

/** Counts requests. Memory is bounded by the limits, the crawlers and the rules that decided. */
export class AuditCounter {
  readonly history: AuditHistory;
  readonly crawlers: readonly AuditCrawler[];
  readonly queryValues: boolean;
  readonly limits: CountLimits;
  /** The totals, by the positions of their names in `totalNames`. */
  readonly totals: Float64Array = new Float64Array(totalNames.length);
  /** The sketch of the distinct URLs that each actor requested. An actor is a crawler with a result of verification (see `actorRoom`). */
  readonly sketches: Map<number, Uint8Array> = new Map();
  /** User-Agent headers that look like headers of unknown crawlers, with their numbers of requests. */
  readonly otherAgents: SmallestCounts;
  /** Pages that were examined in addition to the log. */
  readonly pages: PageCounts;
  /** The times of the earliest and the latest line, in seconds since 1970; ±Infinity while no line has a time. */
  firstSeconds: number = Infinity;
  lastSeconds: number = -Infinity;

  readonly #origins: OriginCounts[] = [];
  readonly #numbers = new Map<string, number>();
  /** Origins without a history, by name. */
  readonly #others: SmallestKeys<OriginCounts>;
  readonly #rest: OriginCounts;
  readonly #hash = new Hash64();
  /** What is known of the last counted origin that is not kept by name. */
  #folded: FoldedOrigin = { name: "", ...nameHashOf(""), robotsTargets: undefined };
  readonly #outcomes = new KnownOutcomes();

  /** Throws an {@link AuditError} (`ERR_INVALID_OPTION`) for more than 4,095 crawlers and for a limit that is out of range. */
  constructor(options: CounterOptions) {
    checkCrawlers(options.crawlers);
    this.history = options.history;
    this.crawlers = options.crawlers;
    this.queryValues = options.queryValues ?? false;
    this.pages = new PageCounts(this.queryValues);
    this.limits = { ...limitsFor(options.history.origins.length), ...options.limits };
    checkLimits(this.limits);
    this.#rest = new OriginCounts(foldedName, undefined, this.limits, this.queryValues);
    this.#rest.foldAll();
    this.#origins.push(this.#rest);
    this.#others = new SmallestKeys(
      this.limits.otherOrigins,
      (name) => hashTextOf(name),
      (name, counts) => this.#dropOrigin(name, counts),
    );
    this.otherAgents = new SmallestCounts(this.limits.otherAgents);
  }

  /**
   * Returns the number of the origin `name`; "" is the name for requests whose origin is not known. Returns 0, the number of the sum of
   * folded origins, for an origin that is not kept by name. Also returns 0 if `crawler` is 0 (no known crawler), so that an origin that
   * only browsers requested takes no memory. A number stays valid when its origin is folded.
   */
  originOf(name: string, crawler: number): number {
    if (crawler === 0) return 0;
    return this.#numbers.get(name) ?? this.#addOrigin(name);
  }

  /** A method of its own, because V8 allocates a context in every call of a method whose parameters a closure uses. */
  #addOrigin(name: string): number {
    const history = this.history.of(name);
    const targets = this.#robotsTargetsOf(name);
    const make = (): OriginCounts => new OriginCounts(name, history, this.limits, this.queryValues, targets);
    const isKept = history !== undefined || name === "";
    const counts = isKept ? make() : this.#others.get(name, make);
    if (counts === undefined) return 0;
    const number = this.#origins.push(counts) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  /** The counts of an origin by its number. */
  countsOf(origin: number): OriginCounts {
    return this.#origins[origin]!;
  }

  /** The counts of all origins with at least one counted request or visit, sorted by name. */
  origins(): readonly OriginCounts[] {
    this.#others.entries();
    return [...new Set(this.#origins)]
      .filter((counts) => counts.times.cells.count > 0 || counts.referrals.size > 0)
      .toSorted((one, other) => (one.origin < other.origin ? -1 : 1));
  }

  /** The approximate number of cells of all origins. */
  get cellCount(): number {
    return this.#origins.reduce((sum, counts) => sum + counts.cellCount, 0);
  }

  /**
   * Returns the window of the versions that the crawler may have used for a request at `atSeconds`, which is -1 without a time. All seconds
   * to which a window applies share one object.
   */
  windowOf(origin: number, crawler: number, atSeconds: number): Window {
    const { history } = this.#origins[origin]!;
    if (history === undefined) return noFileWindow;
    const policy = this.crawlers[crawler - 1]?.accessPolicy ?? "rfc9309";
    return history.windowAt(atSeconds < 0 ? undefined : atSeconds, policy);
  }

  /**
   * Returns the number of the outcome of a request whose window has at most one version. `decision` is the decision by that version;
   * undefined if the window has none. The cache of outcomes compares decisions by object identity.
   */
  outcomeOf(origin: number, crawler: number, window: Window, decision: AuditDecision | undefined): number {
    if (window.versions.length === 0 || decision === undefined) return this.#judge(origin, crawler, window, []);
    const known = this.#outcomes.after(this.#outcomes.of(window, this.#boundOf(crawler)), decision);
    if (known.number < 0) known.number = this.#judge(origin, crawler, window, [decision]);
    return known.number;
  }

  /** Returns the number of the outcome of a request. `decisions` has the decision by each of the window's versions, in their order. */
  outcomeOfMany(origin: number, crawler: number, window: Window, decisions: readonly AuditDecision[]): number {
    let known = this.#outcomes.of(window, this.#boundOf(crawler));
    for (let at = 0; at < decisions.length; at++) known = this.#outcomes.after(known, decisions[at]!);
    if (known.number < 0) known.number = this.#judge(origin, crawler, window, decisions);
    return known.number;
  }

  #judge(origin: number, crawler: number, window: Window, decisions: readonly AuditDecision[]): number {
    return this.#origins[origin]!.outcomes.numberOf(judge(window, decisions, this.#boundOf(crawler)));
  }

  /**
   * Counts a request. Allocates no string if an equal request was counted before. `origin` is the number that `originOf` returned.
   * `judged` is the result of `outcomeOf` or `outcomeOfMany`; it is not used for /robots.txt, `*`, CONNECT and requests without an origin.
   * `flip` is the change of the decision by a candidate file: 0 none, 1 newly disallowed, 2 newly allowed.
   */
  count(request: LocatedRequest, origin: number, judged: number, flip: number): void {
    const { crawler, method, buffer, targetStart, targetEnd } = request;
    const atSeconds = request.atSeconds >= 0 && request.atSeconds <= lastSecond ? request.atSeconds : -1;
    const bytes = request.bytes > 0 ? request.bytes : 0;
    this.#countTotals(atSeconds, bytes);
    if (request.isZoneless === true) this.totals[withoutZoneAt]!++;
    if (request.hasServerPath === true) this.totals[ofServerPathAt]!++;
    const isFetch = isRobotsTxt(buffer, targetStart, targetEnd);
    if (crawler === 0) {
      this.totals[notACrawlerAt]!++;
      this.totals[notACrawlerBytesAt]! += bytes;
      if (isFetch) this.totals[notACrawlerRobotsTxtAt]!++;
      return;
    }
    const known = this.crawlers[crawler - 1]!;
    const verification = known.kind === "control-token" ? falseVerification : request.verification;
    const actor = crawler * verificationRoom + verification;
    const counts = this.#origins[origin]!;
    const status = countedStatusOf(request.status);
    const statusClass = statusClassOf(status);
    const named = counts === this.#rest ? this.#foldedOf(request.origin) : counts;
    const redirected = named.robotsTargets?.kindOf(buffer, targetStart, targetEnd, atSeconds);
    const outcome = this.#outcomeNumberOf(request, counts, judged, isFetch || redirected !== undefined);
    const hasOutcome = outcome >= firstOutcome;
    const state = hasOutcome ? counts.outcomes.of(outcome).state : outcome;
    counts.addTime(atSeconds, actor, state, statusClass, bytes);
    counts.addAnswer(actor, method, state, status);
    if (hasOutcome) counts.addDecision(outcome, actor, status, atSeconds);
    if (outcome === robotsTxt) this.#countFetch(request, counts, actor, atSeconds, redirected !== "other");
    const isPage = outcome !== robotsTxt && outcome !== asterisk && outcome !== connect;
    if (!isPage || counts.origin === "") return;
    const { directories } = counts;
    const directory = directories.directoryOf(buffer, targetStart, targetEnd);
    directories.addRequest(directory, actor, state, statusClass);
    const query = queryStartOf(buffer, targetStart, targetEnd);
    if (query < targetEnd) counts.parameters.addQuery(buffer, query, targetEnd, state, statusClass);
    this.#hash.start(named.hashHigh, named.hashLow);
    this.#hash.add(buffer, targetStart, targetEnd);
    this.#hash.finish();
    addToSketch(this.sketchOf(actor), this.#hash.high, this.#hash.low);
    if (isMissed(statusClass)) {
      this.#addExample(directories.tables.misses, directories.addMiss(directory, statusClass), request);
    }
    if (judged >= firstOutcome) this.#countOutcome(request, counts, judged, flip, actor, directory, atSeconds);
    if (known.honoursCrawlDelay && atSeconds >= 0 && counts !== this.#rest) counts.addPace(atSeconds, actor, 1);
    directories.keepWithinLimits();
  }

  /** Adds `count` to the total `name`. */
  addTotal(name: TotalName, count: number): void {
    this.totals[totalNames.indexOf(name)]! += count;
  }

  /** Counts requests with the User-Agent header `header`, which looks like the header of an unknown crawler. */
  addOtherAgent(header: string, requests: number = 1): void {
    this.addTotal("otherAgents", requests);
    this.otherAgents.add(header, requests);
  }

  /**
   * Adds visits whose Referer header names a service of `operator`. The visits are added to the counts of `origin` if its history is known,
   * and otherwise to the sum of folded origins (`…`).
   */
  addReferral(origin: string, operator: string, visits: number = 1): void {
    const isKnown = this.history.of(origin) !== undefined;
    const counts = isKnown ? this.#origins[this.originOf(origin, 1)]! : this.#rest;
    counts.addReferral(operator, visits);
  }

  /** Returns the sketch of the distinct URLs that an actor requested; adds it if it is missing. */
  sketchOf(actor: number): Uint8Array {
    let sketch = this.sketches.get(actor);
    if (sketch === undefined) this.sketches.set(actor, (sketch = new Uint8Array(registers)));
    return sketch;
  }

  /**
   * What is known of a folded origin. URLs are hashed with the origin's own name, so that a URL that is requested both before and after the
   * origin is folded is counted once. A fetch of a robots.txt to which another origin redirected is recognized after folding, too.
   */
  #foldedOf(name: string): FoldedOrigin {
    if (name !== this.#folded.name) {
      this.#folded = { name, ...nameHashOf(name), robotsTargets: this.#robotsTargetsOf(name) };
    }
    return this.#folded;
  }

  #robotsTargetsOf(name: string): RobotsTargets | undefined {
    const targets = this.history.robotsTargetsOf?.(name) ?? [];
    return targets.length === 0 ? undefined : new RobotsTargets(targets);
  }

  #boundOf(crawler: number): Bound {
    return this.crawlers[crawler - 1]?.bound ?? "yes";
  }

  #countTotals(atSeconds: number, bytes: number): void {
    this.totals[requestsAt]!++;
    this.totals[bytesAt]! += bytes;
    if (atSeconds < 0) {
      this.totals[withoutTimeAt]!++;
      return;
    }
    if (atSeconds < this.firstSeconds) this.firstSeconds = atSeconds;
    if (atSeconds > this.lastSeconds) this.lastSeconds = atSeconds;
  }

  /** The number of the outcome of a request, or of its state if it has no outcome. */
  #outcomeNumberOf(request: LocatedRequest, counts: OriginCounts, judged: number, isFetch: boolean): number {
    if (isFetch) return robotsTxt;
    if (request.method === connectMethod) return connect;
    if (isAsterisk(request.buffer, request.targetStart, request.targetEnd)) return asterisk;
    if (counts.origin === "") return noUrl;
    return judged < firstOutcome && counts.history === undefined ? noFile : judged;
  }

  /** `isOwn`: whether the fetched file is the robots.txt of the request's own origin. */
  #countFetch(request: LocatedRequest, counts: OriginCounts, actor: number, atSeconds: number, isOwn: boolean): void {
    const { method, status, crawler, bytes } = request;
    counts.addFetch(atSeconds, actor, method, countedStatusOf(status));
    if (atSeconds < 0 || counts.history === undefined || !isOwn) return;
    if (method === 0 && status === 200 && bytes >= 0) counts.addSize(atSeconds, bytes);
    if (!isSuccessfulFetch(method, status) || request.isZoneless === true) return;
    const interval = counts.history.fetchedAt(atSeconds, this.crawlers[crawler - 1]!.accessPolicy);
    if (interval >= 0) counts.addFirstFetch(interval, actor, atSeconds);
  }

  #countOutcome(
    request: LocatedRequest,
    counts: OriginCounts,
    outcome: number,
    flip: number,
    actor: number,
    directory: number,
    atSeconds: number,
  ): void {
    const { state, direction, interval, proven, disputed } = counts.outcomes.of(outcome);
    const { directories } = counts;
    if (state === violation || state === grace || state === wouldViolate) {
      const cell = directories.addCrossing(directory, outcome, actor, atSeconds);
      this.#addExample(directories.tables.crossings, cell, request);
    }
    if (state === grace && direction === tightened && atSeconds >= 0) {
      counts.addGraceMinute(atSeconds, actor, interval, (proven ? 2 : 0) + (disputed ? 1 : 0), 1);
    }
    if (flip > 0) {
      this.#addExample(directories.tables.flips, directories.addFlip(directory, actor, flip - 1), request);
    }
  }

  /** Adds the request, whose hash was computed last, to the examples of a cell. */
  #addExample({ examples }: NamedTable, cell: number, { buffer, targetStart, targetEnd }: LocatedRequest): void {
    examples?.add(cell, this.#hash.high, this.#hash.low, buffer, targetStart, targetEnd);
  }

  #dropOrigin(name: string, counts: OriginCounts): void {
    const number = this.#numbers.get(name);
    this.#numbers.delete(name);
    if (number !== undefined) this.#origins[number] = this.#rest;
    this.#rest.addNameless(counts);
  }
}
