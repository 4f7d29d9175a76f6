// The robots.txt of one origin and one crawler after another in, a state of its own for each out.
import type { Matcher } from "@robots-stream/core";
import { OriginState } from "../origin-state.ts";
import type { Question } from "../questions.ts";
import type { SourcedRobots } from "../robots/types.ts";
import { matchersOf } from "./matchers.ts";

/** One origin, asked about one crawler. */
interface AgentState {
  readonly state: OriginState;
  readonly questions: readonly Question[];
}

/**
 * One origin, where each record says whom it is about. As many states as known crawlers came to it, at most; crawlers of
 * one group share a matcher. A crawler is known by the place of the first question about it among all questions.
 */
export class AgentStates {
  readonly #whole: OriginState;
  readonly #byFirst = new Map<number, AgentState>();
  readonly #matchers = new Map<string, Matcher>();
  /** Kept for the crawlers to come. */
  #robots: SourcedRobots | undefined;

  constructor(whole: OriginState) {
    this.#whole = whole;
  }

  /** The robots.txt, once it is there. */
  get robots(): SourcedRobots | undefined {
    return this.#robots;
  }

  /** All states. */
  all(): readonly OriginState[] {
    return [...this.#byFirst.values()].map(({ state }) => state);
  }

  /** The state for a crawler; undefined when it is new. */
  stateOf(first: number): OriginState | undefined {
    return this.#byFirst.get(first)?.state;
  }

  /** Makes the state for a crawler that is new. */
  add(first: number, questions: readonly Question[]): OriginState {
    const state = new OriginState(this.#whole.origin, this.#whole.number, first, this.#whole);
    const agent: AgentState = { state, questions };
    this.#byFirst.set(first, agent);
    if (this.#robots !== undefined) this.#settle(agent, this.#robots);
    return state;
  }

  /** Takes the robots.txt; gives the states that waited for it. */
  settle(robots: SourcedRobots): readonly OriginState[] {
    this.#robots = robots;
    for (const agent of this.#byFirst.values()) this.#settle(agent, robots);
    return this.all();
  }

  #settle({ state, questions }: AgentState, robots: SourcedRobots): void {
    state.settle(matchersOf(robots, questions, this.#matchers), robots.code);
    state.fileBytes = robots.body?.length ?? 0;
  }
}
