// Records whose robots.txt is there in, output rows out: one for each record and agent.
import type { Decision } from "@robots-stream/core";
import type { UrlProblem } from "@robots-stream/url";
import type { OriginState } from "./origins.ts";
import type { Answer, RecordWriter } from "./output/types.ts";
import type { Tally } from "./tally.ts";

/** Makes the rows of one run, and counts them. */
export class Decider {
  readonly #agents: readonly string[];
  readonly #writer: RecordWriter;
  readonly #tally: Tally;
  /** The ends of rows without a decision, for each agent. */
  readonly #problemTails = new Map<UrlProblem, readonly string[]>();

  constructor(agents: readonly string[], writer: RecordWriter, tally: Tally) {
    this.#agents = agents;
    this.#writer = writer;
    this.#tally = tally;
  }

  /** The rows of a record whose origin is ready. */
  rowsOf(head: string, state: OriginState, target: string): string {
    const matchers = state.matchers ?? [];
    let rows = "";
    for (let index = 0; index < matchers.length; index++) {
      const decision = matchers[index]!.decideTarget(target);
      const tally = this.#tally.agents[index]!;
      if (decision.allowed) tally.allowed++;
      else tally.disallowed++;
      // A matcher gives the same object for the same rule, so the end of the row is made once a rule.
      rows += head + (state.tails[index]?.get(decision) ?? this.#tailOf(state, index, decision));
    }
    this.#tally.decided++;
    return rows;
  }

  /** The rows of a record whose URL no robots.txt speaks about. */
  rowsOfProblem(head: string, problem: UrlProblem): string {
    let tails = this.#problemTails.get(problem);
    if (tails === undefined) {
      tails = this.#agents.map((agent) => this.#writer.tailOf({ agent, allowed: null, because: problem }));
      this.#problemTails.set(problem, tails);
    }
    let rows = "";
    for (let index = 0; index < tails.length; index++) {
      this.#tally.agents[index]!.undecided++;
      rows += head + tails[index]!;
    }
    this.#tally.decided++;
    return rows;
  }

  #tailOf(state: OriginState, index: number, decision: Decision): string {
    const tail = this.#writer.tailOf(answerOf(this.#agents[index] ?? "", state, decision));
    const tails = (state.tails[index] ??= new Map());
    tails.set(decision, tail);
    return tail;
  }
}

/** A decision in the words of the output. */
export function answerOf(agent: string, state: Pick<OriginState, "origin" | "code">, decision: Decision): Answer {
  const { allowed, because } = decision;
  const { origin, code } = state;
  if (because === "unavailable" || because === "unreachable") return { agent, allowed, because, code, origin };
  if (because !== "rule") return { agent, allowed, because, origin };
  const { type, pattern, line } = decision.rule;
  return { agent, allowed, because, rule: pattern === "" ? `${type}:` : `${type}: ${pattern}`, line, origin };
}
