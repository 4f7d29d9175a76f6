// Records whose robots.txt is there in, output rows out: one for each record and agent.
import type { Decision, Matcher } from "@robots-stream/core";
import { type UrlProblem, normalizeTarget } from "@robots-stream/url";
import type { OriginState } from "./origins.ts";
import type { Answer, RecordWriter } from "./output/types.ts";
import type { Question, TargetForm } from "./questions.ts";
import type { Tally } from "./tally.ts";

/** What a decider needs. */
export interface DeciderOptions {
  /** Agent by agent, each with the same dialects. */
  readonly questions: readonly Question[];
  /** Only rows on which the dialects disagree. */
  readonly onlyDifferences: boolean;
  readonly targetForm: TargetForm;
  /** Whether records are counted that the other form of their target would decide otherwise. */
  readonly countsOtherForm: boolean;
  readonly writer: RecordWriter;
  readonly tally: Tally;
}

/** Who was asked about, and how, in the words of the output; writers leave the dialect out unless it was asked for. */
function whoOf({ agent, dialect }: Question): Pick<Answer, "agent" | "dialect"> {
  return { agent, dialect };
}

/** Makes the rows of one run, and counts them. */
export class Decider {
  readonly #questions: readonly Question[];
  /** Questions about one agent that stand one after another, when only their differences are wanted; else 1. */
  readonly #compared: number;
  readonly #isNormalized: boolean;
  readonly #countsOtherForm: boolean;
  readonly #writer: RecordWriter;
  readonly #tally: Tally;
  /** The ends of rows without a decision, for each question. */
  readonly #problemTails = new Map<UrlProblem, readonly string[]>();

  constructor({ questions, onlyDifferences, targetForm, countsOtherForm, writer, tally }: DeciderOptions) {
    this.#questions = questions;
    this.#compared = onlyDifferences ? new Set(questions.map(({ dialect }) => dialect)).size : 1;
    this.#isNormalized = targetForm === "normalized";
    this.#countsOtherForm = countsOtherForm;
    this.#writer = writer;
    this.#tally = tally;
  }

  /** The rows of a record whose origin is ready. */
  rowsOf(head: string, state: OriginState, raw: string): string {
    const matchers = state.matchers ?? [];
    const target = this.#isNormalized || this.#countsOtherForm ? this.#formOf(state, raw) : raw;
    if (this.#compared > 1) return this.#rowsOfDifferences(head, state, target);
    let rows = "";
    for (let index = 0; index < matchers.length; index++) {
      const decision = matchers[index]!.decideTarget(target);
      const tally = this.#tally.questions[index]!;
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
      tails = this.#questions.map((question) =>
        this.#writer.tailOf({ ...whoOf(question), allowed: null, because: problem }),
      );
      this.#problemTails.set(problem, tails);
    }
    let rows = "";
    for (let index = 0; index < tails.length; index++) {
      this.#tally.questions[index]!.undecided++;
      if (this.#compared === 1) rows += head + tails[index]!;
    }
    this.#tally.decided++;
    if (rows === "") this.#tally.alike++;
    return rows;
  }

  /** The form of a target that is asked for; counts the record when the other form would be decided otherwise. */
  #formOf(state: OriginState, raw: string): string {
    // Nothing else has another form; nearly all targets end here.
    if (!raw.includes("%") && !raw.includes("/.")) return raw;
    const normalized = normalizeTarget(raw);
    if (normalized === raw) return raw;
    const isOther = (matcher: Matcher): boolean =>
      matcher.decideTarget(raw).allowed !== matcher.decideTarget(normalized).allowed;
    if (this.#countsOtherForm && state.matchers?.some(isOther) === true) this.#tally.otherForm++;
    return this.#isNormalized ? normalized : raw;
  }

  /** The rows of the agents about whom the dialects disagree. */
  #rowsOfDifferences(head: string, state: OriginState, target: string): string {
    let rows = "";
    for (let first = 0; first < this.#questions.length; first += this.#compared) {
      const decisions: Decision[] = [];
      for (let index = first; index < first + this.#compared; index++) {
        const decision = state.matchers![index]!.decideTarget(target);
        const tally = this.#tally.questions[index]!;
        if (decision.allowed) tally.allowed++;
        else tally.disallowed++;
        decisions.push(decision);
      }
      if (decisions.every(({ allowed }) => allowed === decisions[0]!.allowed)) continue;
      for (const [at, decision] of decisions.entries()) rows += head + this.#tailOf(state, first + at, decision);
    }
    this.#tally.decided++;
    if (rows === "") this.#tally.alike++;
    return rows;
  }

  #tailOf(state: OriginState, index: number, decision: Decision): string {
    const tail = this.#writer.tailOf(answerOf(this.#questions[index]!, state, decision));
    const tails = (state.tails[index] ??= new Map());
    tails.set(decision, tail);
    return tail;
  }
}

/** A decision in the words of the output. */
export function answerOf(question: Question, state: Pick<OriginState, "origin" | "code">, decision: Decision): Answer {
  const { allowed, because } = decision;
  const { origin, code } = state;
  const who = whoOf(question);
  if (because === "unavailable" || because === "unreachable") return { ...who, allowed, because, code, origin };
  if (because !== "rule") return { ...who, allowed, because, origin };
  const { type, pattern, line } = decision.rule;
  return { ...who, allowed, because, rule: pattern === "" ? `${type}:` : `${type}: ${pattern}`, line, origin };
}
