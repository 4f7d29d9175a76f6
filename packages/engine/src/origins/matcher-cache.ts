// States of origins whose robots.txt is known in, the same with the matchers that decide out, within a bound of memory: those not
// used lately are evicted, and built again when a record of theirs is decided.
import { Answers, type Decided } from "../decide/answers.ts";
import type { Crawlers } from "../locate/crawlers.ts";
import type { Question } from "../questions.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import { ClockCache } from "./clock-cache.ts";
import { CrawlerStates } from "./crawler-states.ts";
import { KnownRobots } from "./known-robots.ts";
import { matchersOf } from "./matchers.ts";
import type { OriginState } from "./origin-state.ts";

/** What was decided about an origin: for each part of its state where its first question stands among all, and by these. */
export type DecidedByParts = readonly { readonly first: number; readonly decided: readonly Decided[] }[];

/** What a matcher cache needs. */
export interface MatcherCacheOptions {
  readonly source: RobotsSource;
  readonly signal: AbortSignal;
  readonly questions: readonly Question[];
  /** Where each record names its crawler; then `questions` are not about all records. */
  readonly crawlers?: Pick<Crawlers, "questionsAt"> | undefined;
  /** Memory for matchers, what was made of them, and names of origins. Default: no bound. */
  readonly matcherBytes?: number | undefined;
  /** Is told what was decided about an origin before its matchers are freed. */
  readonly onForget?: ((origin: string, decided: DecidedByParts) => void) | undefined;
  /** Is told of a state that is not to be used any more. */
  readonly onEvicted: (state: OriginState) => void;
}

/** The part of the memory for matchers that is left to files that came over the network, and to exchanges under way. */
const shareOfNetwork = 1 / 4;

/**
 * Asked more questions than this, an origin's matchers are built when its first record is decided, as if they had been evicted:
 * it takes milliseconds, and the records of one batch may be of thousands of origins.
 */
const mostQuestionsAtOnce = 64;

/** The same holds for a longer file. */
const mostBytesAtOnce = 64 * 1_024;

/** What the tail of a row counts for with so many questions: making tails leaves as much garbage, which V8 collects late. */
const tailWeightOfMany = 2;

/** What a state takes, its matchers and tails apart. */
const stateBytes = 300;

/** What a file takes that is kept for the crawlers to come, for each of its bytes: it is kept with a row for each line. */
const weightOfKeptFile = 3;

/** Builds and evicts. */
export class MatcherCache {
  /** The matchers, and the tails of rows made of their decisions. */
  readonly answers: Answers = new Answers();
  readonly #options: MatcherCacheOptions;
  readonly #cache: ClockCache<OriginState>;
  readonly #known: KnownRobots;

  constructor(options: MatcherCacheOptions) {
    this.#options = options;
    const { source, signal, matcherBytes = Infinity } = options;
    this.#known = new KnownRobots(source, signal);
    this.#cache = new ClockCache(matcherBytes * (source.isRemote ? 1 - shareOfNetwork : 1), {
      keep: (state) => this.#move(state),
      evict: (state) => this.#evict(state),
      shrink: (state) => this.#shrink(state),
    });
  }

  /** Memory of matchers and what was made of them, as far as it is known. */
  get heldBytes(): number {
    return this.#cache.bytes;
  }

  /** Whether so much was made that `evict` is to be called before more is. */
  get isEvictionDue(): boolean {
    return this.#cache.isEvictionDue;
  }

  /** Lowers the limit by what something else takes. */
  reserve(bytes: number): void {
    this.#cache.reserve(bytes);
  }

  /**
   * Evicts what there is no memory for. Batches that were located before may hold evicted states. What is `needed` stays, but its
   * blocks may be others then, and the tails of its rows may be gone.
   */
  evict(needed?: OriginState): void {
    this.#cache.evict(needed?.whole ?? needed);
  }

  /**
   * Takes what the source says of an origin, and builds its matchers or leaves it to `build`. Gives the states that records may
   * wait for. Throws an `IoError` when there is no room to keep the file.
   */
  take(state: OriginState, robots: SourcedRobots, hadToWait: boolean): readonly OriginState[] {
    const canBeRebuilt = this.#known.remember(state.number, robots, hadToWait);
    const isLong = (robots.body?.length ?? 0) > mostBytesAtOnce && !(state instanceof CrawlerStates);
    if (canBeRebuilt && (this.#asksMany || (isLong && !hadToWait))) {
      state.isUnbuilt = true;
      this.#options.onEvicted(state);
      return [state];
    }
    this.#build(state, robots, canBeRebuilt);
    return state instanceof CrawlerStates ? state.parts : [state];
  }

  /** Builds the matchers of a new state for an origin that was taken before. */
  rebuild(state: OriginState): void {
    this.#build(state, this.#known.again(state.number, state.origin), true);
  }

  /** Adds the state for a crawler that is new to an origin. */
  addPart(whole: CrawlerStates, first: number): OriginState {
    // What can never be evicted does not count.
    if (whole.canBeRebuilt) this.#cache.grow(whole, stateBytes);
    return whole.addPart(first);
  }

  /** Builds the matchers about one crawler. */
  buildPart(whole: CrawlerStates, part: OriginState): void {
    const bytes = whole.build(part, this.#options.crawlers!.questionsAt(part.first), this.answers);
    if (whole.canBeRebuilt) this.#cache.grow(whole, bytes);
  }

  /** Says that an origin has more tails of rows. */
  growTails(state: OriginState, bytes: number): void {
    const entry = state.whole ?? state;
    const counted = this.#asksMany ? bytes * tailWeightOfMany : bytes;
    entry.tailBytes += counted;
    this.#cache.grow(entry, counted);
  }

  /** What was decided about an origin since it was built. */
  decidedBy(state: OriginState): DecidedByParts {
    return partsOf(state).map((part) => ({ first: part.first, decided: this.answers.decidedOf(part) }));
  }

  /** Frees the files that are kept. */
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

  /** Gives the bytes that stay. */
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

  /** Frees the tails of an origin's rows, and nothing else. */
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

  /** Moves what was used lately out of the pages that it shares with what was not. */
  #move(state: OriginState): void {
    for (const part of partsOf(state)) this.answers.move(part);
  }
}

/** A state, and those of it that are about one crawler each. */
function partsOf(state: OriginState): readonly OriginState[] {
  return state instanceof CrawlerStates ? [state, ...state.parts] : [state];
}
