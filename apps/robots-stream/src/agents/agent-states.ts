// The robots.txt of one origin and one crawler after another in, a state of its own for each out.
import type { Matcher } from "@robots-stream/core";
import type { OriginState } from "../origins.ts";
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
 * one group share a matcher.
 */
export class AgentStates {
  readonly #byToken = new Map<string, AgentState>();
  readonly #matchers = new Map<string, Matcher>();
  /** Kept for the crawlers to come. */
  #robots: SourcedRobots | undefined;

  /** The state for a crawler; `create` makes it when it is new. */
  stateOf(token: string, questions: readonly Question[], create: () => OriginState): OriginState {
    const known = this.#byToken.get(token);
    if (known !== undefined) return known.state;
    const agent: AgentState = { state: create(), questions };
    this.#byToken.set(token, agent);
    if (this.#robots !== undefined) this.#settle(agent, this.#robots);
    return agent.state;
  }

  /** Takes the robots.txt; gives the states that waited for it. */
  settle(robots: SourcedRobots): readonly OriginState[] {
    this.#robots = robots;
    const waiting = [...this.#byToken.values()];
    for (const agent of waiting) this.#settle(agent, robots);
    return waiting.map(({ state }) => state);
  }

  #settle({ state, questions }: AgentState, robots: SourcedRobots): void {
    state.code = robots.code;
    state.matchers = matchersOf(robots, questions, this.#matchers);
  }
}
