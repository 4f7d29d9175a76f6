// Origins in, their states out: every origin is loaded once a run, and its state is found by the bytes of a URL, by name or by key.
import { CrawlerStates } from "./crawler-states.ts";
import type { Crawlers } from "../locate/crawlers.ts";
import { LoadQueue } from "./load-queue.ts";
import { type DecidedByParts, MatcherCache } from "./matcher-cache.ts";
import { OriginNames } from "./origin-names.ts";
import { OriginState, partsOfKey } from "./origin-state.ts";
import type { Question } from "../questions.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import { type Shard, isInShard } from "../shard.ts";
import type { Tally } from "../tally.ts";

/** What an origin table needs. */
export interface OriginTableOptions {
  readonly source: RobotsSource;
  readonly questions: readonly Question[];
  readonly tally: Tally;
  /** Loads under way at once, those apart that wait for a server; the others wait in the order they came. */
  readonly concurrency: number;
  /** Ends the loads under way. */
  readonly signal: AbortSignal;
  /** The part of the origins that the run is about. */
  readonly shard?: Shard | undefined;
  /** Memory for matchers, what was made of them, and names of origins. Default: no bound. */
  readonly matcherBytes?: number | undefined;
  /** Where each record names its crawler; then `questions` are not about all records. */
  readonly crawlers?: Pick<Crawlers, "questionsAt"> | undefined;
  /** Is told of each origin when what holds for it is known. */
  readonly onLoaded?: ((origin: string, robots: SourcedRobots) => void) | undefined;
  /** Is told what was decided about an origin before its matchers are freed. */
  readonly onForget?: ((origin: string, decided: DecidedByParts) => void) | undefined;
  /** Is told of each state that was not ready at once when it is; its matchers may still have to be built, see `currentOf`. */
  readonly onReady?: (state: OriginState) => void;
  /** Is told when a load fails, which no state of the world makes it do. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Bytes an origin costs, evicted or not: its name, some numbers, and fragmentation. Counted from the first origin on with which the
 * rules of all need not fit.
 */
const originBytes = 400;
const originsWithRoom = 100_000;

/** Stands for all origins that belong to another part of a divided run. */
export const elsewhere: OriginState = new OriginState("", -1);

/** Every origin seen. */
export class OriginTable {
  /** What decides about origins. */
  readonly matchers: MatcherCache;
  readonly #options: OriginTableOptions;
  readonly #loads: LoadQueue;
  readonly #names = new OriginNames();
  /** By the origin's number: its state, unless it is evicted. */
  readonly #states: (OriginState | undefined)[] = [];
  /** Numbers that `prepare` makes. */
  #guesses = new Int32Array(1_024);

  constructor(options: OriginTableOptions) {
    this.#options = options;
    const { source, concurrency, signal, onError = (): void => undefined } = options;
    this.matchers = new MatcherCache({
      ...options,
      onEvicted: ({ number }) => (this.#states[number] = undefined),
    });
    this.#loads = new LoadQueue({
      source,
      concurrency,
      signal,
      onError,
      onLoaded: (state, robots, hadToWait) => this.#take(state, robots, hadToWait),
    });
  }

  /** Loads under way, those included that wait for a server. */
  get underWay(): number {
    return this.#loads.underWay;
  }

  /** Whether so many origins wait for their load that reading should wait, too. */
  get isCrowded(): boolean {
    return this.#loads.isCrowded;
  }

  /** What was decided about the origins that are not evicted. */
  *decided(): Iterable<{ readonly origin: string; readonly decided: DecidedByParts }> {
    for (const state of this.#states) {
      if (state !== undefined) yield { origin: state.origin, decided: this.matchers.decidedBy(state) };
    }
  }

  /** A number by which the beginning of a URL is found. */
  hashOf(bytes: Uint8Array, start: number, end: number): number {
    return this.#names.hashOf(bytes, start, end);
  }

  /** To be called before many are looked up: their cache misses overlap. */
  prepare(hashes: Int32Array, count: number): void {
    if (this.#guesses.length < count) this.#guesses = new Int32Array(count * 2);
    const guesses = this.#guesses;
    this.#names.guess(hashes, count, guesses);
    for (let index = 0; index < count; index++) {
      const number = guesses[index]!;
      const state = number < 0 ? undefined : this.#states[number];
      if (state !== undefined) state.isUsed = true;
    }
  }

  /**
   * The state of the origin of a URL that begins with these bytes, whose hash is known; undefined when it has to be parsed. Where each
   * record names its crawler, `first` says which, here and below.
   */
  find(bytes: Uint8Array, start: number, end: number, hash: number, first = 0): OriginState | undefined {
    const number = this.#names.find(bytes, start, end, hash);
    return number < 0 ? undefined : this.#seenAt(number, first);
  }

  /** Tells the origin of a URL that begins with bytes which `find` did not know, and gives its state. */
  findOrigin(bytes: Uint8Array, start: number, end: number, origin: string, first = 0): OriginState {
    const state = this.stateOf(origin, first);
    // Written as the origin itself it is known by now.
    if (this.#names.find(bytes, start, end) < 0) this.#names.addOther(bytes, start, end, this.#names.numberOf(origin));
    return state;
  }

  /** The state of an origin; loading begins when it is new, and may be over on return. Of another part: `elsewhere`. */
  stateOf(origin: string, first = 0): OriginState {
    const known = this.#names.numberOf(origin);
    if (known >= 0) return this.#seenAt(known, first);
    const { shard, tally } = this.#options;
    const number = this.#names.add(origin);
    if (shard !== undefined && !isInShard(origin, shard)) {
      this.#put(number, elsewhere);
      return elsewhere;
    }
    const whole = this.#create(number);
    tally.origins++;
    if (tally.origins > originsWithRoom) this.matchers.reserve(originBytes);
    // Before its load, which may be over on return.
    const state = this.#partOf(whole, first);
    this.#loads.load(whole);
    return state;
  }

  /** The state that has this key now, with its matchers if the robots.txt is known. */
  stateAt(key: number): OriginState {
    const { number, first } = partsOfKey(key);
    const whole = this.#states[number] ?? this.#rebuild(number);
    whole.isUsed = true;
    if (!(whole instanceof CrawlerStates)) return whole;
    const part = whole.partOf(first) ?? this.matchers.addPart(whole, first);
    if (part.isUnbuilt) this.matchers.buildPart(whole, part);
    return part;
  }

  /** The state that stands now for one that may have to be built. */
  currentOf(state: OriginState): OriginState {
    return state.isUnbuilt ? this.stateAt(state.key) : state;
  }

  /** Frees what is kept of files. */
  close(): void {
    this.matchers.close();
  }

  /**
   * The state of an origin that was seen before. Evicted matchers are not built again before a record is decided: a batch would take
   * as long as building them for each of its records, and those built first would be evicted for the others.
   */
  #seenAt(number: number, first: number): OriginState {
    const whole = this.#states[number];
    if (whole !== undefined) {
      whole.isUsed = true;
      return this.#partOf(whole, first);
    }
    const state = new OriginState(this.#names.originOf(number), number, first);
    state.isUnbuilt = true;
    return state;
  }

  #create(number: number): OriginState {
    const State = this.#options.crawlers === undefined ? OriginState : CrawlerStates;
    const state = new State(this.#names.originOf(number), number);
    this.#put(number, state);
    return state;
  }

  #put(number: number, state: OriginState): void {
    while (this.#states.length <= number) this.#states.push(undefined);
    this.#states[number] = state;
  }

  /** The state itself, or where each record names its crawler the part of it about one. */
  #partOf(whole: OriginState, first: number): OriginState {
    if (!(whole instanceof CrawlerStates)) return whole;
    return whole.partOf(first) ?? this.matchers.addPart(whole, first);
  }

  #rebuild(number: number): OriginState {
    const state = this.#create(number);
    this.matchers.rebuild(state);
    return state;
  }

  /** Takes what the source says of an origin. What is thrown for one that had to wait goes to `onError`: there is no caller. */
  #take(state: OriginState, robots: SourcedRobots, hadToWait: boolean): void {
    const { onReady, onError } = this.#options;
    try {
      this.#count(state, robots);
      const ready = this.matchers.take(state, robots, hadToWait);
      if (hadToWait) for (const each of ready) onReady?.(each);
    } catch (error) {
      if (!hadToWait) throw error;
      onError?.(error);
    }
  }

  #count({ origin }: OriginState, robots: SourcedRobots): void {
    const { tally, onLoaded } = this.#options;
    onLoaded?.(origin, robots);
    if (robots.fetched) tally.fetches++;
    if (robots.isDowngraded === true) tally.downgraded++;
    if (robots.access === "unavailable") tally.unavailable++;
    if (robots.access === "unreachable") tally.unreachable++;
  }
}
