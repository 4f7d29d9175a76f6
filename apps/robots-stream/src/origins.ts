// Origins in, their matchers out: every origin is loaded once a run, at most so many at a time.
import type { Decision, Matcher } from "@robots-stream/core";
import { AgentStates } from "./agents/agent-states.ts";
import { matchersOf } from "./agents/matchers.ts";
import type { Question } from "./questions.ts";
import type { RobotsSource, SourcedRobots } from "./robots/types.ts";
import type { Tally } from "./tally.ts";

/** Ends of rows by decision. */
export interface Tails {
  lastDecision: Decision;
  lastTail: string;
  /** All of them, once there are several. */
  others: Map<Decision, string> | undefined;
}

/** One origin of the run. */
export class OriginState {
  readonly origin: string;
  /** One matcher for each question once the robots.txt is there. */
  matchers: readonly Matcher[] | undefined;
  /** What an unavailable or unreachable robots.txt rests on. */
  code = "";
  /** The end of an output row for each decision made, for each question. */
  tails: (Tails | undefined)[] = [];
  /** Where the first of its questions stands among all questions of the run. */
  readonly first: number;
  /** Its states for one crawler each, where each record says whom it is about. */
  agents: AgentStates | undefined;

  constructor(origin: string, first = 0) {
    this.origin = origin;
    this.first = first;
  }
}

/** What an origin table needs. */
export interface OriginTableOptions {
  readonly source: RobotsSource;
  readonly questions: readonly Question[];
  readonly tally: Tally;
  /** Loads under way at once, those apart that wait for a server; the others wait in the order they came. */
  readonly concurrency: number;
  /** Ends the loads under way. */
  readonly signal: AbortSignal;
  /** Whether each record says whom it is about: then there are no questions about all of them. */
  readonly asksByRecord?: boolean;
  /** Is told of each origin when what holds for it is known. */
  readonly onLoaded?: (origin: string, robots: SourcedRobots) => void;
}

/** Loads that may wait for a server besides those under way. */
const mostWaiting = 1_024;

/** Every origin seen. */
export class OriginTable {
  /** Called when an origin that was not ready at once becomes ready. */
  onReady: (state: OriginState) => void = () => undefined;
  /** Called when a load fails, which no state of the world makes it do. */
  onError: (error: unknown) => void = () => undefined;

  readonly #options: OriginTableOptions;
  readonly #states = new Map<string, OriginState>();
  /** Origins whose load has not begun, from #queueAt on. */
  #queue: OriginState[] = [];
  #queueAt = 0;
  #underWay = 0;

  constructor(options: OriginTableOptions) {
    this.#options = options;
    options.source.onWaiting = () => this.#loadNext();
  }

  /** Loads under way, those included that wait for a server. */
  get underWay(): number {
    return this.#underWay;
  }

  /** The state of an origin; loading begins when it is new, and may be over on return. */
  stateOf(origin: string): OriginState {
    const known = this.#states.get(origin);
    if (known !== undefined) return known;
    // A copy: what parseTarget gives may be a slice that keeps a whole block in memory.
    const state = new OriginState(Buffer.from(origin, "latin1").toString("latin1"));
    if (this.#options.asksByRecord === true) state.agents = new AgentStates();
    this.#states.set(state.origin, state);
    this.#options.tally.origins++;
    if (this.#isFull && this.#options.source.isRemote) this.#queue.push(state);
    else this.#load(state);
    return state;
  }

  /** Loads that wait for a server stand in nobody's way, as long as they are not too many to remember. */
  get #isFull(): boolean {
    const { source, concurrency } = this.#options;
    return this.#underWay - Math.min(source.waiting ?? 0, mostWaiting) >= concurrency;
  }

  /** The state of an origin for one crawler; the first of the questions about it is the one at `first` of all. */
  stateFor(origin: string, token: string, first: number, questions: readonly Question[]): OriginState {
    const { agents, origin: kept } = this.stateOf(origin);
    if (agents === undefined) throw new Error("an origin table is for all records, or for each of them");
    return agents.stateOf(token, questions, () => new OriginState(kept, first));
  }

  #load(state: OriginState): void {
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
      this.#settle(state, robots);
      return;
    }
    this.#underWay++;
    robots.then(
      (loaded) => {
        this.#underWay--;
        for (const each of this.#settle(state, loaded)) this.onReady(each);
        this.#loadNext();
      },
      (error: unknown) => {
        this.#underWay--;
        if (!signal.aborted) this.onError(error);
      },
    );
  }

  #loadNext(): void {
    while (!this.#isFull && this.#queueAt < this.#queue.length) {
      const next = this.#queue[this.#queueAt++];
      if (this.#queueAt > 1_024 && this.#queueAt * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#queueAt);
        this.#queueAt = 0;
      }
      if (next !== undefined) this.#load(next);
    }
  }

  /** Gives the states that are ready now. */
  #settle(state: OriginState, robots: SourcedRobots): readonly OriginState[] {
    const { questions, tally, onLoaded } = this.#options;
    onLoaded?.(state.origin, robots);
    if (robots.fetched) tally.fetches++;
    if (robots.isDowngraded === true) tally.downgraded++;
    if (robots.access === "unavailable") tally.unavailable++;
    if (robots.access === "unreachable") tally.unreachable++;
    state.code = robots.code;
    if (state.agents !== undefined) return state.agents.settle(robots);
    state.matchers = matchersOf(robots, questions);
    return [state];
  }
}
