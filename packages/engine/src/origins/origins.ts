// Origins in, their matchers out: every origin is loaded once a run, at most so many at a time. Matchers that there is no
// room for are forgotten, and made again when somebody asks for them.
import { AgentStates } from "./agent-states.ts";
import { matchersOf } from "./matchers.ts";
import { Answers, type Decided } from "../decide/answers.ts";
import { KnownRobots } from "./known-robots.ts";
import { MatcherRoom } from "./matcher-room.ts";
import { OriginNames } from "./origin-names.ts";
import { OriginState } from "./origin-state.ts";
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
  readonly matcherBytes?: number;
  /** Whether each record says whom it is about: then there are no questions about all of them. */
  readonly asksByRecord?: boolean;
  /** Is told of each origin when what holds for it is known. */
  readonly onLoaded?: (origin: string, robots: SourcedRobots) => void;
  /** Is told what was decided about an origin before it is forgotten. */
  readonly onForget?: (origin: string, decided: DecidedByParts) => void;
}

/** Loads that may wait for a server besides those under way. */
const mostWaiting = 1_024;

/**
 * Origins that may wait for their load while reading goes on: seconds or minutes of work. What is known of them and of their
 * records cannot be forgotten, and asking goes no faster for knowing more of them.
 */
const mostQueued = 32_768;

/**
 * What stays of an origin, forgotten or not: its name, some numbers, and holes in memory where its rules were. It counts from
 * the first origin on that is one too many for everybody's rules to stay.
 */
const originBytes = 400;
const originsWithRoom = 100_000;

/** The part of the memory for matchers that is left to files that came over the network, and to exchanges under way. */
const shareOfNetwork = 1 / 4;

/**
 * Asked more questions than this, what decides about an origin is made when its first record has its turn, as if it had been forgotten:
 * it takes milliseconds, and the records of one batch may be of thousands of origins.
 */
const mostQuestionsAtOnce = 64;

/** The same holds for a longer file. */
const mostBytesAtOnce = 64 * 1_024;

/** What the end of a row counts for with so many questions: making them leaves as much garbage, which V8 collects late. */
const tailWeightOfMany = 2;

/** What a state takes, its matchers and tails apart. */
const stateBytes = 300;

/** What was decided about an origin: for each part of its state where its first question stands among all, and by these. */
export type DecidedByParts = readonly { readonly first: number; readonly decided: readonly Decided[] }[];

/** Stands for all origins that belong to another part of a divided run. */
export const elsewhere: OriginState = new OriginState("", -1);

/** Every origin seen. */
export class OriginTable {
  /** Called when an origin that was not ready at once becomes ready. */
  onReady: (state: OriginState) => void = () => undefined;
  /** Called when a load fails, which no state of the world makes it do. */
  onError: (error: unknown) => void = () => undefined;

  /** What decides about origins, and what came of it. */
  readonly answers: Answers = new Answers();

  readonly #options: OriginTableOptions;
  readonly #names = new OriginNames();
  /** By the origin's number: its state, while it is remembered. */
  readonly #states: (OriginState | undefined)[] = [];
  /** Numbers that `prepare` makes. */
  #guesses = new Int32Array(1_024);
  readonly #room: MatcherRoom<OriginState>;
  readonly #known: KnownRobots;
  /** The questions about the crawler whose first question is this one, where each record says whom it is about. */
  readonly #crawlers = new Map<number, { readonly token: string; readonly questions: readonly Question[] }>();
  /** Origins whose load has not begun, from #queueAt on. */
  #queue: OriginState[] = [];
  #queueAt = 0;
  #underWay = 0;

  constructor(options: OriginTableOptions) {
    this.#options = options;
    options.source.onWaiting = () => this.#loadNext();
    this.#known = new KnownRobots(options.source, options.signal);
    const { matcherBytes = Infinity } = options;
    const share = options.source.isRemote ? 1 - shareOfNetwork : 1;
    this.#room = new MatcherRoom(matcherBytes * share, {
      keep: (state) => this.#move(state),
      forget: (state) => this.#forget(state),
      shrink: (state) => this.#shrink(state),
    });
  }

  /** Loads under way, those included that wait for a server. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Whether so many origins wait for their load that reading should wait, too. */
  get isCrowded(): boolean {
    return this.#queue.length - this.#queueAt > mostQueued;
  }

  /** Memory of matchers and what was made of them, as far as it is known. */
  get heldBytes(): number {
    return this.#room.bytes;
  }

  /** What was decided about the origins that were not forgotten so far. */
  *decided(): Iterable<{ readonly origin: string; readonly decided: DecidedByParts }> {
    for (const state of this.#states) {
      if (state !== undefined) yield { origin: state.origin, decided: this.#decidedBy(state) };
    }
  }

  /** A number by which the beginning of a URL is found. */
  hashOf(bytes: Uint8Array, start: number, end: number): number {
    return this.#names.hashOf(bytes, start, end);
  }

  /** To be called before many are to be found: memory is waited for once for all of them. */
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
   * The state of the origin of a URL that begins with these bytes, whose hash is known; undefined when it has to be parsed.
   */
  find(bytes: Uint8Array, start: number, end: number, hash: number): OriginState | undefined {
    const number = this.#names.find(bytes, start, end, hash);
    return number < 0 ? undefined : this.#seenAt(number);
  }

  /** Tells the origin of a URL that begins with bytes which `find` did not know, and gives its state. */
  findOrigin(bytes: Uint8Array, start: number, end: number, origin: string): OriginState {
    const state = this.stateOf(origin);
    // Written as the origin itself it is known by now.
    if (this.#names.find(bytes, start, end) < 0) this.#names.addOther(bytes, start, end, this.#names.numberOf(origin));
    return state;
  }

  /** The state of an origin; loading begins when it is new, and may be over on return. Of another part: `elsewhere`. */
  stateOf(origin: string): OriginState {
    const known = this.#names.numberOf(origin);
    if (known >= 0) return this.#seenAt(known);
    const { shard } = this.#options;
    const number = this.#names.add(origin);
    if (shard !== undefined && !isInShard(origin, shard)) {
      this.#put(number, elsewhere);
      return elsewhere;
    }
    const state = this.#create(number);
    this.#options.tally.origins++;
    if (this.#options.tally.origins > originsWithRoom) this.#room.reserve(originBytes);
    if (this.#isFull && this.#options.source.isRemote) this.#queue.push(state);
    else this.#load(state);
    return state;
  }

  /** The state of an origin for one crawler; the first of the questions about it is the one at `first` of all. */
  stateFor(origin: string, token: string, first: number, questions: readonly Question[]): OriginState {
    if (!this.#crawlers.has(first)) this.#crawlers.set(first, { token, questions });
    return this.#partOf(this.stateOf(origin), first);
  }

  /** The state that has this key now: a forgotten one is made again. */
  stateAt(key: number): OriginState {
    const state = this.#wholeAt(key % 2 ** 32);
    return this.#options.asksByRecord === true ? this.#partOf(state, Math.floor(key / 2 ** 32)) : state;
  }

  /** Says that an origin has more ends of rows. */
  growTails(state: OriginState, bytes: number): void {
    const held = state.whole ?? state;
    const counted = this.#asksMany ? bytes * tailWeightOfMany : bytes;
    held.tailBytes += counted;
    this.#room.grow(held, counted);
  }

  /** Whether so much was made that `trim` is to be called before more is. */
  get isTrimDue(): boolean {
    return this.#room.isTrimDue;
  }

  /** The state that stands now for the origin of one that may have been forgotten since. */
  currentOf(state: OriginState): OriginState {
    return state.isForgotten ? this.stateAt(state.key) : state;
  }

  /**
   * Forgets what there is no room for. Batches that were located before may hold forgotten states. What is `needed` stays, but its
   * blocks may be others then, and the ends of its rows may be gone.
   */
  trim(needed?: OriginState): void {
    this.#room.trim(needed?.whole ?? needed);
  }

  /** Lets go of everything. */
  close(): void {
    this.#known.close();
  }

  get #asksMany(): boolean {
    const { questions, asksByRecord } = this.#options;
    return questions.length > mostQuestionsAtOnce && asksByRecord !== true;
  }

  /** Loads that wait for a server stand in nobody's way, as long as they are not too many to remember. */
  get #isFull(): boolean {
    const { source, concurrency } = this.#options;
    return this.#underWay - Math.min(source.waiting ?? 0, mostWaiting) >= concurrency;
  }

  #decidedBy(state: OriginState): DecidedByParts {
    return partsOf(state).map((each) => ({
      first: each.first,
      decided: this.answers.decidedOf(each),
    }));
  }

  /**
   * The state of an origin that was seen before. A forgotten one is not made again before its record is decided: a batch would take
   * as long as making one for each of its records, and those made first would be forgotten for the others.
   */
  #seenAt(number: number): OriginState {
    if (this.#states[number] !== undefined || this.#options.asksByRecord === true) return this.#wholeAt(number);
    const state = new OriginState(this.#names.originOf(number), number);
    state.isForgotten = true;
    return state;
  }

  #wholeAt(number: number): OriginState {
    const state = this.#states[number];
    if (state === undefined) return this.#makeAgain(number);
    state.isUsed = true;
    return state;
  }

  #create(number: number): OriginState {
    const state = new OriginState(this.#names.originOf(number), number);
    if (this.#options.asksByRecord === true) state.agents = new AgentStates(state, this.answers);
    this.#put(number, state);
    return state;
  }

  #put(number: number, state: OriginState): void {
    while (this.#states.length <= number) this.#states.push(undefined);
    this.#states[number] = state;
  }

  #partOf(state: OriginState, first: number): OriginState {
    const { agents } = state;
    if (agents === undefined) throw new Error("an origin table is for all records, or for each of them");
    const known = agents.stateOf(first);
    if (known !== undefined) return known;
    const { questions } = this.#crawlers.get(first)!;
    const { part, bytes } = agents.add(first, questions);
    // What can never be forgotten does not count.
    if (state.canBeForgotten) this.#room.grow(state, stateBytes + bytes);
    return part;
  }

  #load(state: OriginState, wasQueued = false): void {
    const { source, signal } = this.#options;
    if (signal.aborted) return;
    let robots: ReturnType<RobotsSource["load"]>;
    try {
      robots = source.load(state.origin, signal);
    } catch (error) {
      this.onError(error);
      return;
    }
    if (!(robots instanceof Promise)) {
      // Who waited in the queue has records that wait, too.
      if (wasQueued) this.#release(state, robots);
      else this.#settleFirst(state, robots, false);
      return;
    }
    this.#underWay++;
    robots.then(
      (loaded) => {
        this.#underWay--;
        this.#release(state, loaded);
        this.#loadNext();
      },
      (error: unknown) => {
        this.#underWay--;
        if (!signal.aborted) this.onError(error);
      },
    );
  }

  /** Takes what the source says of an origin that was not ready at once. */
  #release(state: OriginState, robots: SourcedRobots): void {
    try {
      for (const each of this.#settleFirst(state, robots, true)) this.onReady(each);
    } catch (error) {
      this.onError(error);
    }
  }

  #loadNext(): void {
    while (!this.#isFull && this.#queueAt < this.#queue.length) {
      const next = this.#queue[this.#queueAt++];
      if (this.#queueAt > 1_024 && this.#queueAt * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#queueAt);
        this.#queueAt = 0;
      }
      if (next !== undefined) this.#load(next, true);
    }
  }

  /** Takes what the source says of an origin. Gives the states that are ready now. */
  #settleFirst(state: OriginState, robots: SourcedRobots, hadToWait: boolean): readonly OriginState[] {
    const { tally, onLoaded } = this.#options;
    onLoaded?.(state.origin, robots);
    if (robots.fetched) tally.fetches++;
    if (robots.isDowngraded === true) tally.downgraded++;
    if (robots.access === "unavailable") tally.unavailable++;
    if (robots.access === "unreachable") tally.unreachable++;
    const canBeForgotten = this.#known.remember(state.number, robots, hadToWait);
    const isLong = (robots.body?.length ?? 0) > mostBytesAtOnce && this.#options.asksByRecord !== true;
    if (canBeForgotten && (this.#asksMany || (isLong && !hadToWait))) {
      state.isForgotten = true;
      this.#states[state.number] = undefined;
      return [state];
    }
    return this.#settle(state, robots, canBeForgotten);
  }

  /** Gives the states that are ready now. */
  #settle(state: OriginState, robots: SourcedRobots, canBeForgotten: boolean): readonly OriginState[] {
    let ready: readonly OriginState[] = [state];
    let bytes = stateBytes;
    state.code = robots.code;
    if (state.agents === undefined) bytes += this.answers.settle(state, matchersOf(robots, this.#options.questions));
    else {
      const { parts, bytes: ofParts } = state.agents.settle(robots);
      ready = parts;
      // The file is kept for the crawlers to come, with a row for each line.
      bytes += (robots.body?.length ?? 0) * 3 + parts.length * stateBytes + ofParts;
    }
    if (canBeForgotten) {
      state.canBeForgotten = true;
      state.bytes = bytes;
      this.#room.add(state);
      this.#room.trim(state);
    }
    return ready;
  }

  /** Gives the bytes that stay. */
  #forget(state: OriginState): number {
    if (!state.canBeForgotten) return this.#shrink(state);
    this.#tellForgotten(state);
    this.#states[state.number] = undefined;
    for (const each of partsOf(state)) {
      each.isForgotten = true;
      this.answers.free(each);
    }
    state.agents = undefined;
    return 0;
  }

  /** Lets go of the ends of an origin's rows, and of nothing else. */
  #shrink(state: OriginState): number {
    const { bytes, tailBytes } = state;
    if (tailBytes === 0) return bytes;
    this.#tellForgotten(state);
    for (const each of partsOf(state)) this.answers.freeTails(each);
    state.tailBytes = 0;
    return bytes - tailBytes;
  }

  #tellForgotten(state: OriginState): void {
    this.#options.onForget?.(state.origin, this.#decidedBy(state));
  }

  /** What was asked for lately leaves the memory it shares with what was not. */
  #move(state: OriginState): void {
    for (const each of partsOf(state)) this.answers.move(each);
  }

  /** Makes the state of an origin that was forgotten. */
  #makeAgain(number: number): OriginState {
    const state = this.#create(number);
    this.#settle(state, this.#known.again(number, state.origin), true);
    return state;
  }
}

/** A state, and those of it that are about one crawler each. */
function partsOf(state: OriginState): readonly OriginState[] {
  return state.agents === undefined ? [state] : [state, ...state.agents.all()];
}
