// Finds or creates the state of an origin, by URL bytes, by origin or by key. A table loads each of its origins once, and again when the
// result has expired.
import { CrawlerStates, nameOfVersion, OriginState, partsOfKey, versionIn } from "./origin-state.ts";
import { CountedOrigins, OriginNames } from "./origin-names.ts";
import { isRefreshing, neverDue } from "./known-robots.ts";
import { type ExpiredOrigin, LoadQueue } from "./load-queue.ts";
import { type DecidedByParts, MatcherCache, type MatcherCacheOptions } from "./matcher-cache.ts";
import type { RecordVersions } from "../robots/history/as-of.ts";
import type { RobotsSource, SourcedRobots } from "../robots/in-force.ts";
import { type Shard, isInShard } from "../common/shard.ts";
import type { Tally } from "./tally.ts";

export interface OriginTableOptions extends Omit<MatcherCacheOptions, "generation" | "onEvicted"> {
  readonly tally: Tally;
  /** Limit of concurrent loads, not counting loads that wait for a server. Further loads are queued in the order of the origins. */
  readonly concurrency: number;
  /** The part of the origins that this run decides. */
  readonly shard?: Shard | undefined;
  /**
   * Set when records are decided by their time. Nothing is then loaded from `source`; `versionOf` gets the rules of each version from
   * `asOf`.
   */
  readonly asOf?: Pick<RecordVersions, "rulesOf"> | undefined;
  /** Returns the current time, with which expiry times are compared, in milliseconds since the epoch. Default: Date.now. */
  readonly now?: (() => number) | undefined;
  /** The previous table of the run. The new table takes results from it, and does not count its origins again. */
  readonly earlier?: OriginTable | undefined;
  /** Number of origins at which the table is full, see `isFull`. Default: as many as fit into `matcherBytes`. */
  readonly mostOrigins?: number | undefined;
  /**
   * Called for each origin with its result, and again with each later result from the network. With `asOf`: for each version of an origin.
   */
  readonly onLoaded?: ((origin: string, robots: SourcedRobots) => void) | undefined;
  /**
   * Called for each state whose load was not immediate, when its result is known. Its matchers may still have to be built, see `currentOf`.
   */
  readonly onReady?: (state: OriginState) => void;
  /** Called when a load throws or rejects. A failed exchange or a missing file is a result and not an error. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Bytes that an origin costs even when it is evicted: its name, some numbers, and fragmentation. They are charged for each origin after the
 * first `originsWithRoom` origins, because the rules of fewer origins mostly fit into the memory limit.
 */
const originBytes = 400;
const originsWithRoom = 100_000;

/**
 * Used in place of `originBytes` to compute how many origins fill a table whose source is local. Such a table is replaced earlier, so that
 * V8's heap with its garbage stays smaller: the next table can read the files again. With a remote source, it would have to fetch them.
 */
const localOriginBytes = 3_000;

/** The share of `matcherBytes` that names of origins may use up; the rest is left for matchers. */
const shareOfNames = 3 / 4;

/** The table is full when stored files that a later result replaced take more bytes than this. */
const mostDeadBytes = 256 * 1_048_576;

/** Minimum time between two loads of an origin, whatever its freshness. */
const leastRefreshSeconds = 60;

/** The state that all origins of other shards share. */
export const elsewhere: OriginState = new OriginState({ originOf: () => "" }, -1);

/** The table of all origins seen. */
export class OriginTable {
  /** Builds and evicts the matchers of origins. */
  readonly matchers: MatcherCache;
  readonly #options: Omit<OriginTableOptions, "earlier">;
  readonly #loads: LoadQueue;
  readonly #names = new OriginNames();
  /** Whether states are `CrawlerStates`. */
  readonly #hasParts: boolean;
  readonly #now: () => number;
  readonly #startedMs: number;
  /** Seconds since the table was made, as of the last `tick`. */
  #nowSeconds = 0;
  /** Whether a result may have expired at `#nowSeconds`. Updated only by `tick`: a new result stays fresh for longer than a batch takes. */
  #hasExpired = false;
  /** The number of origins in the table, plus the number of versions with `asOf`. */
  #count = 0;
  #isClosed = false;
  readonly #mostOrigins: number;
  #earlier: OriginTable | undefined;
  /** The origins and versions that earlier tables have counted. All tables of a run after the first share this set. */
  readonly #counted: CountedOrigins | undefined;
  /** The numbers of origins that an earlier table has counted, while this table loads them again. */
  readonly #returned = new Set<number>();
  /** The number of earlier tables in this run. */
  readonly #generation: number;
  /** States by number; undefined when evicted. */
  readonly #states: (OriginState | undefined)[] = [];
  /** With `asOf`: by origin number, the number of the state for each version. */
  readonly #versions = new Map<number, Map<string, number>>();

  constructor({ earlier, ...options }: OriginTableOptions) {
    // `#options` must not refer to the earlier table, which has to be freed when the next table replaces this one.
    this.#options = options;
    this.#hasParts = options.crawlers !== undefined;
    const { concurrency, signal, asOf, onError = (): void => undefined } = options;
    const source = asOf === undefined ? options.source : sourceOfVersions(asOf);
    const { matcherBytes = Infinity, now = Date.now } = options;
    this.#now = now;
    this.#startedMs = now();
    this.#earlier = earlier;
    this.#counted = earlier?.countedSoFar();
    this.#generation = earlier === undefined ? 0 : earlier.#generation + 1;
    const bytesEach = source.isRemote ? originBytes : localOriginBytes;
    this.#mostOrigins = options.mostOrigins ?? originsWithRoom + (matcherBytes * shareOfNames) / bytesEach;
    this.matchers = new MatcherCache({
      ...options,
      source,
      generation: this.#generation,
      onEvicted: ({ number }) => (this.#states[number] = undefined),
    });
    // The results of the earlier table stay in memory until the next table replaces this one.
    if (source.isRemote && earlier !== undefined) this.matchers.reserve(earlier.#count * originBytes);
    this.#loads = new LoadQueue({
      source,
      concurrency,
      signal,
      onError,
      onLoaded: (state, robots, hadToWait) => this.#take(state, robots, hadToWait),
      onRefreshed: (origin, robots) => this.#takeAgain(origin, robots),
    });
  }

  /** Loads in progress, including loads that wait for a server. */
  get underWay(): number {
    return this.#loads.underWay;
  }

  /** Whether reading should pause because too many origins wait for their load. */
  get isCrowded(): boolean {
    return this.#loads.isCrowded;
  }

  /**
   * Whether a new table should replace this one: it has too many origins, or too many bytes of replaced files. The memory of a table only
   * grows.
   */
  get isFull(): boolean {
    return this.#count >= this.#mostOrigins || this.matchers.known.deadBytes > mostDeadBytes;
  }

  /** Reads the clock. Call before each batch. */
  tick(): void {
    this.#nowSeconds = Math.floor((this.#now() - this.#startedMs) / 1_000);
    this.#hasExpired = this.matchers.known.firstDue <= this.#nowSeconds;
  }

  /** Drops the reference to the earlier table. Call when another table replaces this one: this table then gets no new origins. */
  forgetEarlier(): void {
    this.#earlier = undefined;
  }

  /** Frees all matchers. Call when no record waits for this table any more. The results stay, for the next table. */
  retire(): void {
    this.matchers.evictAll(this.#states.filter((state) => state !== undefined && state !== elsewhere) as OriginState[]);
  }

  /** The origins and versions that this table and the earlier ones have counted, for the next table. */
  countedSoFar(): CountedOrigins {
    const counted = this.#counted ?? new CountedOrigins();
    for (let number = 0; number < this.#names.end; number++) {
      if (this.#states[number] !== elsewhere) counted.add(this.#names.originOf(number));
    }
    return counted;
  }

  /** The result of an origin, for the next table; undefined when the next table has to load the origin. */
  knownOf(origin: string): SourcedRobots | undefined {
    const number = this.#names.numberOf(origin);
    if (number < 0) return undefined;
    const due = this.matchers.known.dueOf(number);
    const robots = this.matchers.knownOf(number, origin);
    if (robots === undefined || due === neverDue) return robots;
    // When this table is loading the origin again, the result is returned as expired, so that the next table loads the origin too.
    const freshUntil = this.#startedMs + (due === isRefreshing ? 0 : due * 1_000);
    return { ...robots, freshUntil };
  }

  /** The decisions about all origins whose states are not evicted. */
  *decided(): Iterable<{ readonly origin: string; readonly decided: DecidedByParts }> {
    for (const state of this.#states) {
      if (state !== undefined) yield { origin: state.origin, decided: this.matchers.decidedBy(state) };
    }
  }

  /**
   * The state of the origin of a URL that begins with `bytes[start, end)`; undefined when these bytes are new, and the URL has to be
   * parsed. With `agentField`, `first` is the index of the crawler's first question, here and below; otherwise 0.
   */
  find(bytes: Uint8Array, start: number, end: number, first = 0): OriginState | undefined {
    const number = this.#names.find(bytes, start, end);
    return number < 0 ? undefined : this.seenAt(number, first);
  }

  /**
   * The state of the origin with this number, without matchers when they are evicted: `currentOf` rebuilds them when a record is decided.
   * If they were rebuilt here, for all records of a batch, the batch would be delayed, and the last rebuilt matchers would evict the first.
   */
  seenAt(number: number, first = 0): OriginState {
    if (this.#hasExpired && this.matchers.known.dueOf(number) <= this.#nowSeconds) this.#refresh(number);
    const whole = this.#states[number];
    if (whole !== undefined) {
      whole.isUsed = true;
      return this.#hasParts ? this.#partOf(whole, first) : whole;
    }
    const state = new OriginState(this.#names, number, first);
    state.isUnbuilt = true;
    return state;
  }

  /**
   * The state of `origin`, which the caller parsed from a URL that begins with `bytes[start, end)`, after `find` returned undefined. Adds
   * these bytes as a spelling of the origin.
   */
  findOrigin(bytes: Uint8Array, start: number, end: number, origin: string, first = 0): OriginState {
    const state = this.stateOf(origin, first);
    // When the bytes are the origin itself, `stateOf` has added them.
    if (this.#names.find(bytes, start, end) < 0) this.#names.addOther(bytes, start, end, this.#names.numberOf(origin));
    return state;
  }

  /**
   * The state of an origin. Starts loading a new origin; the load may end before the method returns. Returns `elsewhere` for an origin of
   * another shard.
   */
  stateOf(origin: string, first = 0): OriginState {
    const numbered = this.#names.numberOf(origin);
    if (numbered >= 0) return this.seenAt(numbered, first);
    const { shard, source, tally } = this.#options;
    const number = this.#names.add(origin);
    this.#charge();
    if (shard !== undefined && !isInShard(origin, shard)) {
      this.#put(number, elsewhere);
      return elsewhere;
    }
    const whole = this.#create(number);
    const known = source.isRemote ? this.#earlier?.knownOf(origin) : undefined;
    const isCounted = this.#isCounted(origin);
    if (!isCounted) tally.origins++;
    // The crawler's state is created before the load, because the load may end before `load` returns.
    const state = this.#partOf(whole, first);
    if (known !== undefined) this.matchers.take(whole, known, true, this.#dueOf(known));
    else if (this.#options.asOf === undefined) {
      if (isCounted) this.#returned.add(number);
      this.#loads.load(whole);
    }
    return state;
  }

  /**
   * With `asOf`: the state for the records of an origin that this version of its robots.txt decides. The first argument is any state of the
   * origin.
   */
  versionOf({ number: origin, origin: name }: OriginState, version: string, first = 0): OriginState {
    let numbers = this.#versions.get(origin);
    if (numbers === undefined) this.#versions.set(origin, (numbers = new Map()));
    const known = numbers.get(version);
    if (known !== undefined) return this.seenAt(known, first);
    const number = this.#names.add(nameOfVersion(name, version));
    numbers.set(version, number);
    const whole = this.#create(number);
    this.#charge();
    const state = this.#partOf(whole, first);
    const rules = this.#options.asOf!.rulesOf(version);
    if (!this.#isCounted(whole.name)) this.#options.onLoaded?.(name, rules);
    this.matchers.take(whole, rules, false);
    return state;
  }

  /** The current state for a key (`OriginState.key`). When its robots.txt is known, the state has matchers. */
  stateAt(key: number): OriginState {
    const { number, first } = partsOfKey(key);
    const whole = this.#states[number] ?? this.#rebuild(number);
    whole.isUsed = true;
    if (!(whole instanceof CrawlerStates)) return whole;
    const part = whole.partOf(first) ?? this.matchers.addPart(whole, first);
    if (part.isUnbuilt) this.matchers.buildPart(whole, part);
    return part;
  }

  /** The current state in place of `state`, whose matchers may have been evicted or not built yet. */
  currentOf(state: OriginState): OriginState {
    return state.isUnbuilt ? this.stateAt(state.key) : state;
  }

  /** Frees the stored files; results that come later are ignored. */
  close(): void {
    this.#isClosed = true;
    this.matchers.close();
  }

  #create(number: number): OriginState {
    const State = this.#hasParts ? CrawlerStates : OriginState;
    const state = new State(this.#names, number);
    this.#put(number, state);
    return state;
  }

  #put(number: number, state: OriginState): void {
    while (this.#states.length <= number) this.#states.push(undefined);
    this.#states[number] = state;
  }

  /** The state `whole` itself; with `agentField`, its part for the crawler. */
  #partOf(whole: OriginState, first: number): OriginState {
    if (!(whole instanceof CrawlerStates)) return whole;
    return whole.partOf(first) ?? this.matchers.addPart(whole, first);
  }

  #rebuild(number: number): OriginState {
    const state = this.#create(number);
    this.matchers.rebuild(state);
    return state;
  }

  /** Handles the source's result for an origin. Errors after a wait go to `onError`, because no caller can catch them. */
  #take(state: OriginState, robots: SourcedRobots, hadToWait: boolean): void {
    const { onReady, onError } = this.#options;
    if (this.#isClosed) return;
    try {
      this.#countResult(state, robots);
      const ready = this.matchers.take(state, robots, hadToWait, this.#dueOf(robots));
      if (hadToWait) for (const each of ready) onReady?.(each);
    } catch (error) {
      if (!hadToWait) throw error;
      onError?.(error);
    }
  }

  /** Loads an expired origin again. Until the new result arrives, records of the origin are decided by the current result. */
  #refresh(number: number): void {
    this.matchers.known.setDue(number, isRefreshing);
    this.#loads.refresh({ origin: this.#names.originOf(number), number });
  }

  /**
   * Takes a later result of an origin. When `robots` is undefined, the current result stays in force, and the origin is loaded again after
   * `leastRefreshSeconds`.
   */
  #takeAgain({ origin, number }: ExpiredOrigin, robots: SourcedRobots | undefined): void {
    if (this.#isClosed) return;
    try {
      this.tick();
      if (robots === undefined) {
        this.matchers.known.setDue(number, this.#nowSeconds + leastRefreshSeconds);
        return;
      }
      const { tally, onLoaded } = this.#options;
      if (robots.fetched) {
        onLoaded?.(origin, robots);
        tally.fetches++;
      }
      const createState = (): OriginState => this.#create(number);
      this.matchers.replace({ number, state: this.#states[number], createState }, robots, this.#dueOf(robots));
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  /** The second in which a result expires, on the scale of `#nowSeconds`. */
  #dueOf({ freshUntil }: SourcedRobots): number {
    if (freshUntil === undefined) return neverDue;
    const now = this.#now() - this.#startedMs;
    const due = Math.max(
      Math.ceil((freshUntil - this.#startedMs) / 1_000),
      Math.floor(now / 1_000) + leastRefreshSeconds,
    );
    return Math.min(due, isRefreshing - 1);
  }

  /** Whether an earlier table has counted the origin or version with this name. */
  #isCounted(name: string): boolean {
    return this.#counted?.has(name) === true;
  }

  /** Counts a new state and charges its memory. */
  #charge(): void {
    this.#count++;
    if (this.#count > originsWithRoom) this.matchers.reserve(originBytes);
  }

  /** Counts a result: every fetch, and the access result of an origin that no earlier table has counted. */
  #countResult({ origin, number }: OriginState, robots: SourcedRobots): void {
    const { tally, onLoaded } = this.#options;
    const isNew = !this.#returned.delete(number);
    if (isNew || robots.fetched) onLoaded?.(origin, robots);
    if (robots.fetched) tally.fetches++;
    if (!isNew) return;
    if (robots.isDowngraded === true) tally.downgraded++;
    if (robots.access === "unavailable") tally.unavailable++;
    if (robots.access === "unreachable") tally.unreachable++;
  }
}

/** A source of versions: `load` takes the name of a state for one version, and returns the robots.txt of this version. */
function sourceOfVersions(asOf: Pick<RecordVersions, "rulesOf">): RobotsSource {
  return { isRemote: false, load: (name) => asOf.rulesOf(versionIn(name)), close: () => undefined };
}
