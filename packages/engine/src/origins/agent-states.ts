// The robots.txt of one origin and one crawler after another in, a state of its own for each out.
import type { Matcher } from "@robots-stream/core";
import type { Answers } from "../decide/answers.ts";
import { OriginState } from "./origin-state.ts";
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
  readonly #answers: Answers;
  readonly #byFirst = new Map<number, AgentState>();
  readonly #matchers = new Map<string, Matcher>();
  /** Kept for the crawlers to come. */
  #robots: SourcedRobots | undefined;

  constructor(whole: OriginState, answers: Answers) {
    this.#whole = whole;
    this.#answers = answers;
  }

  /** All states. */
  all(): readonly OriginState[] {
    return [...this.#byFirst.values()].map(({ state }) => state);
  }

  /** The state for a crawler; undefined when it is new. */
  stateOf(first: number): OriginState | undefined {
    return this.#byFirst.get(first)?.state;
  }

  /** Makes the state for a crawler that is new; tells the bytes of what decides. */
  add(first: number, questions: readonly Question[]): { readonly part: OriginState; readonly bytes: number } {
    const state = new OriginState(this.#whole.origin, this.#whole.number, first, this.#whole);
    const agent: AgentState = { state, questions };
    this.#byFirst.set(first, agent);
    return { part: state, bytes: this.#robots === undefined ? 0 : this.#settle(agent, this.#robots) };
  }

  /** Takes the robots.txt; gives the states that waited for it, and the bytes of what decides. */
  settle(robots: SourcedRobots): { readonly parts: readonly OriginState[]; readonly bytes: number } {
    this.#robots = robots;
    let bytes = 0;
    for (const agent of this.#byFirst.values()) bytes += this.#settle(agent, robots);
    return { parts: this.all(), bytes };
  }

  #settle({ state, questions }: AgentState, robots: SourcedRobots): number {
    state.code = robots.code;
    return this.#answers.settle(state, matchersOf(robots, questions, this.#matchers));
  }
}
