// Builds the matchers of origins within a memory limit: evicts the least recently used matchers, and builds them again when a record needs
// them.
import { chosenTokenOf } from "@robots-stream/core/internal";
import { Answers, type Decided } from "./answers.ts";
import type { RowForm } from "../formats/types.ts";
import type { Crawlers, Question } from "../questions/questions.ts";
import { type RobotsSource, type SourcedRobots, codeOf } from "../robots/in-force.ts";
import { CrawlerStates, type OriginState } from "./origin-state.ts";
import { KnownRobots } from "./known-robots.ts";
import { matchersOf } from "./matchers.ts";

/**
 * The decisions about an origin: for each state of the origin (several with `agentField`), the index of its first question and the
 * decisions that were counted for it.
 */
export type DecidedByParts = readonly { readonly first: number; readonly decided: readonly Decided[] }[];

export interface MatcherCacheOptions {
  readonly source: RobotsSource;
  /** Aborts the loads in progress. */
  readonly signal: AbortSignal;
  readonly questions: readonly Question[];
  /**
   * Set with `agentField`, when each record names its crawler. The questions of a state are then `questionsAt(first)`, not `questions`.
   */
  readonly crawlers?: Pick<Crawlers, "questionsAt"> | undefined;
  /** The form of rows: by default one row for each question about a record. */
  readonly rows?: RowForm | undefined;
  /** Memory limit for matchers, row tails and names of origins, in bytes. Default: no limit. */
  readonly matcherBytes?: number | undefined;
  /** Called with the decisions about an origin before its matchers are freed. */
  readonly onForget?: ((origin: string, decided: DecidedByParts) => void) | undefined;
  /** The number of earlier tables of origins in this run. */
  readonly generation?: number | undefined;
  /**
   * Called with a state that the caller must drop, because its matchers were evicted or are not built yet. The caller passes a new state to
   * `rebuild` when a record needs the matchers.
   */
  readonly onEvicted: (state: OriginState) => void;
}

/** An origin whose result is to be replaced. */
interface ReplacedOrigin {
  readonly number: number;
  readonly state: OriginState | undefined;
  /** Makes a new state for the origin. Called when the matchers cannot be rebuilt later, and so have to be built now. */
  readonly createState: () => OriginState;
}

/**
 * The share of the matcher memory that is reserved for downloaded files and for exchanges. Most of it is garbage of exchanges, which V8
 * collects late. A matcher that does not fit is rebuilt from the downloaded file, which takes a fraction of the time of its exchange.
 */
const shareOfNetwork = 3 / 4;

/**
 * When there are more questions than this, the matchers of an origin are built when its first record is decided, not when its robots.txt is
 * loaded: building them takes milliseconds, and the records of one batch may have thousands of origins.
 */
const mostQuestionsAtOnce = 64;

/**
 * If a robots.txt has more bytes than this, and no record waited for its load, its matchers are also built when its first record is
 * decided.
 */
const mostBytesAtOnce = 64 * 1_024;

/**
 * Factor for the memory of row tails when there are more than `mostQuestionsAtOnce` questions: building a tail makes garbage, which V8
 * collects late.
 */
const tailWeightOfMany = 2;

/**
 * Bytes of a state without matchers and tails: about 350 for the object, its name and its elements in arrays. The rest allows for garbage:
 * V8 collects evicted states late.
 */
const stateBytes = 800;

/**
 * Bytes that may be added after a call of `evict` until the next call is due. Calls should be rare, because each call visits many entries.
 */
const slackBytes = 512 * 1_024;

/** Bytes of memory per byte of a robots.txt that is kept for later crawlers: the parsed file takes more memory than its bytes. */
const weightOfKeptFile = 3;

/**
 * The matchers of origins. It is a clock cache (second-chance replacement): the hand visits the states of origins in a circle, and evicts
 * the matchers of each state that was not used since the hand's last visit.
 */
export class MatcherCache {
  /** Estimated memory of matchers and row tails, in bytes. */
  bytes = 0;
  #maxBytes: number;
  readonly #leastBytes: number;
  /** `evict` is due when `bytes` is above this number. */
  #dueAt: number;
  /** The states that the hand visits, again and again in this order. */
  readonly #round = new Set<OriginState>();
  /** The hand: the rest of the current round. */
  #hand: Iterator<OriginState, undefined> = new Set<OriginState>().values();
  /** The matchers of origins, and the row tails of their decisions. */
  readonly answers: Answers;
  /** The results of origins, and when they expire. */
  readonly known: KnownRobots;
  readonly #options: MatcherCacheOptions;
  readonly #generation: number;
  /** By origin number, how often its robots.txt was replaced. */
  readonly #editions = new Map<number, number>();

  constructor(options: MatcherCacheOptions) {
    const { source, signal, matcherBytes = Infinity, generation = 0 } = options;
    this.#options = options;
    this.#maxBytes = matcherBytes * (source.isRemote ? 1 - shareOfNetwork : 1);
    this.#leastBytes = this.#maxBytes / 4;
    this.#dueAt = this.#maxBytes + slackBytes;
    this.#generation = generation;
    this.answers = new Answers(options.rows === "record");
    this.known = new KnownRobots(source, signal);
  }

  /** Whether `evict` is due: the memory is over the limit, and has grown by `slackBytes` since the last call of `evict`. */
  get isEvictionDue(): boolean {
    return this.bytes > this.#dueAt;
  }

  /** Lowers the memory limit by `bytes`, which are used elsewhere, but never below a quarter of the original one. */
  reserve(bytes: number): void {
    this.#maxBytes = Math.max(this.#leastBytes, this.#maxBytes - bytes);
  }

  /**
   * Evicts matchers until the limit is met. Batches that were located earlier may still refer to evicted states. The state `needed` is not
   * evicted, but its blocks may have been moved, and its row tails are freed when that is not enough.
   */
  evict(needed?: OriginState): void {
    const kept = needed?.whole ?? needed;
    this.#evictOthers(kept);
    if (this.bytes > this.#maxBytes && kept !== undefined) this.#resize(kept, this.#shrink(kept));
    this.#dueAt = Math.max(this.bytes, this.#maxBytes) + slackBytes;
  }

  /**
   * Takes the source's result for an origin. Builds the matchers now, or leaves building to `rebuild` or `buildPart`. Returns the states
   * for which records may wait. `hadToWait`, `dueSeconds`: see `KnownRobots.remember`. Throws an `IoError` when the robots.txt cannot be
   * stored.
   */
  take(state: OriginState, robots: SourcedRobots, hadToWait: boolean, dueSeconds?: number): readonly OriginState[] {
    const canBeRebuilt = this.known.remember(state.number, robots, hadToWait, dueSeconds);
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
    this.#build(state, this.known.again(state.number, state.name), true);
  }

  /**
   * Replaces the result of an origin by a later one. `state` is the origin's state, undefined when it is evicted. Returns whether the new
   * robots.txt differs from the previous one. If so, `state` must not be used any more. When the new matchers cannot be rebuilt, they are
   * built at once for the state that `createState` makes; otherwise the caller makes a new state and calls `rebuild`.
   */
  replace({ number, state, createState }: ReplacedOrigin, robots: SourcedRobots, dueSeconds: number): boolean {
    if (this.known.isSame(number, robots)) {
      this.known.setDue(number, dueSeconds);
      return false;
    }
    if (state !== undefined) this.#drop(state);
    this.#editions.set(number, (this.#editions.get(number) ?? 0) + 1);
    if (this.known.remember(number, robots, true, dueSeconds)) return true;
    this.#build(createState(), robots, false);
    return true;
  }

  /** Identifies which robots.txt of the origin the state uses, if several were in force during this run; "" for the first. */
  versionOf({ version, number }: OriginState): string {
    const edition = this.#editions.get(number);
    if (version !== "" || (edition === undefined && this.#generation === 0)) return version;
    return `${this.#generation}.${edition ?? 0}`;
  }

  /** The result of an origin, for another cache; undefined when only a new load can get it. */
  knownOf(number: number, origin: string): SourcedRobots | undefined {
    return this.known.has(number) ? this.known.again(number, origin) : undefined;
  }

  /** Frees the matchers of the given states; the results of their origins stay. */
  evictAll(states: Iterable<OriginState>): void {
    for (const state of states) this.#drop(state);
  }

  /** Adds the state of a crawler that is new to the origin `whole`. `first`: the index of the crawler's first question. */
  addPart(whole: CrawlerStates, first: number): OriginState {
    // Memory that cannot be freed is not counted.
    if (whole.canBeRebuilt) this.#grow(whole, stateBytes);
    return whole.addPart(first);
  }

  /** Builds the matchers of `part`, the state of one crawler of the origin `whole`. */
  buildPart(whole: CrawlerStates, part: OriginState): void {
    const matchers = whole.matchersFor(part, this.#options.crawlers!.questionsAt(part.first));
    const bytes = this.answers.settle(part, matchers);
    if (whole.canBeRebuilt) this.#grow(whole, bytes);
  }

  /** Counts the memory of new row tails of a state. */
  growTails(state: OriginState, bytes: number): void {
    const entry = state.whole ?? state;
    const counted = this.#asksMany ? bytes * tailWeightOfMany : bytes;
    entry.tailBytes += counted;
    this.#grow(entry, counted);
  }

  /** The decisions about an origin that at least one record had since the matchers or tails were last built. */
  decidedBy(state: OriginState): DecidedByParts {
    // The count of a decision is 0 when it was withdrawn for all of its records.
    const decidedOf = (part: OriginState): Decided[] => this.answers.decidedOf(part).filter(({ hits }) => hits > 0);
    return partsOf(state).map((part) => ({ first: part.first, decided: decidedOf(part) }));
  }

  /** The robots.txt in force for an origin that is loaded; undefined when neither this cache nor the source can return it again. */
  robotsOf(state: OriginState): SourcedRobots | undefined {
    const { number, name, whole = state } = state;
    if (whole instanceof CrawlerStates) return whole.robots;
    return this.known.has(number) ? this.known.again(number, name) : undefined;
  }

  /** Frees the stored files. */
  close(): void {
    this.known.close();
  }

  get #asksMany(): boolean {
    return this.#options.questions.length > mostQuestionsAtOnce && this.#options.crawlers === undefined;
  }

  #build(state: OriginState, robots: SourcedRobots, canBeRebuilt: boolean): void {
    let bytes = stateBytes;
    if (state instanceof CrawlerStates) {
      state.code = codeOf(robots);
      state.take(robots);
      bytes += (robots.body?.length ?? 0) * weightOfKeptFile + state.parts.length * stateBytes;
    } else {
      const matchers = matchersOf(robots, this.#options.questions);
      // Only answers without a group have the code of a file.
      const haveGroups = matchers.every((matcher) => chosenTokenOf(matcher) !== undefined);
      state.code = haveGroups ? "" : codeOf(robots);
      bytes += this.answers.settle(state, matchers);
    }
    if (!canBeRebuilt) return;
    state.canBeRebuilt = true;
    state.bytes = bytes;
    state.isUsed = false;
    this.#round.add(state);
    this.bytes += state.bytes;
    this.evict(state);
  }

  /** Adds `bytes` to the memory of a state. An evicted state returns to the list that the hand goes through. */
  #grow(state: OriginState, bytes: number): void {
    state.bytes += bytes;
    this.bytes += bytes;
    this.#round.add(state);
  }

  #resize(state: OriginState, bytes: number): void {
    this.bytes += bytes - state.bytes;
    state.bytes = bytes;
  }

  #evictOthers(needed: OriginState | undefined): void {
    while (this.bytes > this.#maxBytes && this.#round.size > 1) {
      const state = this.#nextOfRound();
      if (state.isUsed || state === needed) {
        state.isUsed = false;
        // The next state is mostly one that was added at about the same time.
        this.#move(state);
      } else {
        this.#round.delete(state);
        this.#resize(state, this.#free(state));
      }
    }
  }

  #nextOfRound(): OriginState {
    const { value } = this.#hand.next();
    if (value !== undefined) return value;
    this.#hand = this.#round.values();
    return this.#hand.next().value!;
  }

  /** Frees the matchers of a state, or only its tails when the matchers cannot be rebuilt. Returns the bytes that remain. */
  #free(state: OriginState): number {
    if (!state.canBeRebuilt) return this.#shrink(state);
    this.#unbuild(state);
    return 0;
  }

  /** Frees the matchers of a state, whether they can be rebuilt or not. */
  #drop(state: OriginState): void {
    this.#unbuild(state);
    this.#resize(state, 0);
    this.#round.delete(state);
  }

  #unbuild(state: OriginState): void {
    this.#tellDecided(state);
    this.#options.onEvicted(state);
    for (const part of partsOf(state)) {
      part.isUnbuilt = true;
      this.answers.free(part);
    }
  }

  /** Frees only the row tails of an origin; returns the bytes that remain. */
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

  /** Moves the data of a recently used state out of pages that it shares with unused states. */
  #move(state: OriginState): void {
    for (const part of partsOf(state)) this.answers.move(part);
  }
}

/** The state itself and, with `agentField`, its parts. */
function partsOf(state: OriginState): readonly OriginState[] {
  return state instanceof CrawlerStates ? [state, ...state.parts] : [state];
}
