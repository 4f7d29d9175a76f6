// States of origins with their robots.txt in, the same states with matchers out, within a limit of memory: the least recently used matchers
// are evicted, and built again when a record needs them.
import { Answers, type Decided } from "../decide/answers.ts";
import type { RowForm } from "../formats/types.ts";
import type { Crawlers } from "../locate/crawlers.ts";
import type { Question } from "../questions.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import { ClockCache } from "./clock-cache.ts";
import { CrawlerStates } from "./crawler-states.ts";
import { KnownRobots } from "./known-robots.ts";
import { matchersOf } from "./matchers.ts";
import type { OriginState } from "./origin-state.ts";

/** The decisions about an origin: for each part of its state, the index of its first question, and the decisions. */
export type DecidedByParts = readonly { readonly first: number; readonly decided: readonly Decided[] }[];

/** The settings of a matcher cache. */
export interface MatcherCacheOptions {
  readonly source: RobotsSource;
  readonly signal: AbortSignal;
  readonly questions: readonly Question[];
  /** Set when each record names its crawler; then `questions` do not apply to all records. */
  readonly crawlers?: Pick<Crawlers, "questionsAt"> | undefined;
  /** The rows of a record; by default one for each question. */
  readonly rows?: RowForm | undefined;
  /** Memory for matchers, row tails and names of origins. Default: no limit. */
  readonly matcherBytes?: number | undefined;
  /** Called with the decisions about an origin before its matchers are freed. */
  readonly onForget?: ((origin: string, decided: DecidedByParts) => void) | undefined;
  /** The number of tables of origins that this run had before. */
  readonly generation?: number | undefined;
  /** Called with a state that must not be used any more. */
  readonly onEvicted: (state: OriginState) => void;
}

/** An origin whose result is replaced. */
interface ReplacedOrigin {
  readonly number: number;
  readonly state: OriginState | undefined;
  /** Makes the new state of an origin whose matchers cannot be rebuilt. */
  readonly createState: () => OriginState;
}

/** The share of the matcher memory that is reserved for downloaded files and for exchanges in progress. */
const shareOfNetwork = 1 / 4;

/**
 * With more questions than this, an origin's matchers are built when its first record is decided, as after an eviction:
 * building takes milliseconds, and the records of one batch may be of thousands of origins.
 */
const mostQuestionsAtOnce = 64;

/** Likewise for a file longer than this. */
const mostBytesAtOnce = 64 * 1_024;

/** Factor for the memory of row tails with that many questions: building a tail makes garbage, which V8 collects late. */
const tailWeightOfMany = 2;

/** Memory of a state without matchers and tails. */
const stateBytes = 300;

/** Memory per byte of a file that is kept for later crawlers: the parsed file takes more than its bytes. */
const weightOfKeptFile = 3;

/** Builds and evicts matchers. */
export class MatcherCache {
  /** The matchers, and the tails of rows made of their decisions. */
  readonly answers: Answers;
  readonly #options: MatcherCacheOptions;
  readonly #cache: ClockCache<OriginState>;
  readonly #known: KnownRobots;
  readonly #generation: number;
  /** By origin number, how often its robots.txt was replaced. */
  readonly #editions = new Map<number, number>();

  constructor(options: MatcherCacheOptions) {
    this.#options = options;
    const { source, signal, matcherBytes = Infinity, generation = 0 } = options;
    this.#generation = generation;
    this.answers = new Answers(options.rows === "record");
    this.#known = new KnownRobots(source, signal);
    this.#cache = new ClockCache(matcherBytes * (source.isRemote ? 1 - shareOfNetwork : 1), {
      keep: (state) => this.#move(state),
      evict: (state) => this.#evict(state),
      shrink: (state) => this.#shrink(state),
    });
  }

  /** Memory of matchers and row tails, estimated. */
  get heldBytes(): number {
    return this.#cache.bytes;
  }

  /** Whether `evict` is due before more is built. */
  get isEvictionDue(): boolean {
    return this.#cache.isEvictionDue;
  }

  /** Marks an origin as used. */
  use(number: number): void {
    this.#cache.use(number);
  }

  /** Lowers the limit by memory that is used elsewhere. */
  reserve(bytes: number): void {
    this.#cache.reserve(bytes);
  }

  /**
   * Evicts matchers until the limit is met. Batches that were located before may hold evicted states. The state `needed` stays,
   * but its blocks may have changed afterwards, and its row tails may be gone.
   */
  evict(needed?: OriginState): void {
    this.#cache.evict(needed?.whole ?? needed);
  }

  /**
   * Takes the source's result for an origin, and builds its matchers or leaves that to `build`. Returns the states that records
   * may wait for. Throws an `IoError` when the file cannot be stored.
   */
  take(state: OriginState, robots: SourcedRobots, hadToWait: boolean, dueSeconds?: number): readonly OriginState[] {
    const canBeRebuilt = this.#known.remember(state.number, robots, hadToWait, dueSeconds);
    const isLong = (robots.body?.length ?? 0) > mostBytesAtOnce && !(state instanceof CrawlerStates);
    if (canBeRebuilt && (this.#asksMany || (isLong && !hadToWait))) {
      state.isUnbuilt = true;
      this.#options.onEvicted(state);
      return [state];
    }
    this.#build(state, robots, canBeRebuilt);
    return state instanceof CrawlerStates ? state.parts : [state];
  }

  /** Builds the matchers of a new state for an origin whose result was taken before. */
  rebuild(state: OriginState): void {
    this.#build(state, this.#known.again(state.number, state.name), true);
  }

  /**
   * Replaces the result of an origin by a later one; `state` is its state, if it is not evicted. Returns whether another robots.txt is now in
   * force; then the state must not be used any more, and `createState` makes a new one unless that can wait for `rebuild`.
   */
  replace({ number, state, createState }: ReplacedOrigin, robots: SourcedRobots, dueSeconds: number): boolean {
    if (this.#known.isSame(number, robots)) {
      this.#known.setDue(number, dueSeconds);
      return false;
    }
    if (state !== undefined) this.#drop(state);
    this.#editions.set(number, (this.#editions.get(number) ?? 0) + 1);
    if (this.#known.remember(number, robots, true, dueSeconds)) return true;
    this.#build(createState(), robots, false);
    return true;
  }

  /** Identifies a robots.txt among those that were in force for an origin; "" for the first one of a run. */
  versionOf({ version, number }: OriginState): string {
    const edition = this.#editions.get(number);
    if (version !== "" || (edition === undefined && this.#generation === 0)) return version;
    return `${this.#generation}.${edition ?? 0}`;
  }

  /** When the result of an origin expires. */
  dueOf(number: number): number {
    return this.#known.dueOf(number);
  }

  /** A time before which no result expires. */
  get firstDue(): number {
    return this.#known.firstDue;
  }

  /** Sets when the result of an origin expires. */
  setDue(number: number, dueSeconds: number): void {
    this.#known.setDue(number, dueSeconds);
  }

  /** Bytes of files that are stored, and not in force any more. */
  get deadBytes(): number {
    return this.#known.deadBytes;
  }

  /** The result of an origin, to be taken by another cache; undefined when the source has to be asked. */
  knownOf(number: number, origin: string): SourcedRobots | undefined {
    return this.#known.has(number) ? this.#known.again(number, origin) : undefined;
  }

  /** Frees all matchers; the results stay. */
  evictAll(states: Iterable<OriginState>): void {
    for (const state of states) this.#drop(state);
  }

  /** Adds the state for a crawler that is new to an origin. */
  addPart(whole: CrawlerStates, first: number): OriginState {
    // Memory that can never be freed does not count.
    if (whole.canBeRebuilt) this.#cache.grow(whole, stateBytes);
    return whole.addPart(first);
  }

  /** Builds the matchers for one crawler. */
  buildPart(whole: CrawlerStates, part: OriginState): void {
    const bytes = whole.build(part, this.#options.crawlers!.questionsAt(part.first), this.answers);
    if (whole.canBeRebuilt) this.#cache.grow(whole, bytes);
  }

  /** Counts new row tails of an origin. */
  growTails(state: OriginState, bytes: number): void {
    const entry = state.whole ?? state;
    const counted = this.#asksMany ? bytes * tailWeightOfMany : bytes;
    entry.tailBytes += counted;
    this.#cache.grow(entry, counted);
  }

  /** The decisions about an origin since its matchers were built. */
  decidedBy(state: OriginState): DecidedByParts {
    // Records that had no answer after all have left the counts.
    const decidedOf = (part: OriginState): Decided[] => this.answers.decidedOf(part).filter(({ hits }) => hits > 0);
    return partsOf(state).map((part) => ({ first: part.first, decided: decidedOf(part) }));
  }

  /** The robots.txt in force for an origin that is loaded; undefined when the source does not return it again. */
  robotsOf(state: OriginState): SourcedRobots | undefined {
    const { number, name, whole = state } = state;
    if (whole instanceof CrawlerStates) return whole.robots;
    return this.#known.has(number) ? this.#known.again(number, name) : undefined;
  }

  /** Frees the stored files. */
  close(): void {
    this.#known.close();
  }

  get #asksMany(): boolean {
    return this.#options.questions.length > mostQuestionsAtOnce && this.#options.crawlers === undefined;
  }

  #build(state: OriginState, robots: SourcedRobots, canBeRebuilt: boolean): void {
    let bytes = stateBytes;
    state.code = robots.code;
    if (state instanceof CrawlerStates) {
      state.take(robots);
      bytes += (robots.body?.length ?? 0) * weightOfKeptFile + state.parts.length * stateBytes;
    } else bytes += this.answers.settle(state, matchersOf(robots, this.#options.questions));
    if (!canBeRebuilt) return;
    state.canBeRebuilt = true;
    state.bytes = bytes;
    this.#cache.add(state);
    this.#cache.evict(state);
  }

  /** Frees the matchers of a state; returns the bytes that remain. */
  #evict(state: OriginState): number {
    if (!state.canBeRebuilt) return this.#shrink(state);
    this.#tellDecided(state);
    this.#options.onEvicted(state);
    for (const part of partsOf(state)) {
      part.isUnbuilt = true;
      this.answers.free(part);
    }
    return 0;
  }

  /** Frees the matchers of a state, whether they can be rebuilt or not. */
  #drop(state: OriginState): void {
    this.#tellDecided(state);
    this.#options.onEvicted(state);
    for (const part of partsOf(state)) {
      part.isUnbuilt = true;
      this.answers.free(part);
    }
    this.#cache.remove(state);
  }

  /** Frees only the row tails of an origin. */
  #shrink(state: OriginState): number {
    const { bytes, tailBytes } = state;
    if (tailBytes === 0) return bytes;
    this.#tellDecided(state);
    for (const part of partsOf(state)) this.answers.freeTails(part);
    state.tailBytes = 0;
    return bytes - tailBytes;
  }

  #tellDecided(state: OriginState): void {
    this.#options.onForget?.(state.origin, this.decidedBy(state));
  }

  /** Moves a recently used state out of pages that it shares with unused ones. */
  #move(state: OriginState): void {
    for (const part of partsOf(state)) this.answers.move(part);
  }
}

/** A state, and its parts for single crawlers. */
function partsOf(state: OriginState): readonly OriginState[] {
  return state instanceof CrawlerStates ? [state, ...state.parts] : [state];
}
