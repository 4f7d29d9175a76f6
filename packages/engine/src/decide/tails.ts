// Decisions in, the tails of their rows out. A tail is built once for each decision, cached with it, and counted for each record
// with that decision.
import { type Arena, pageShift, placeMask } from "@robots-stream/core/internal";
import { answerOf } from "./answer.ts";
import { type Answers, tailHead } from "./answers.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { DeciderOptions } from "./decider-options.ts";
import type { Answer } from "../formats/types.ts";
import { ProblemTails, type UndecidedBecause } from "./problem-tails.ts";
import type { RecordRange } from "../records/record-range.ts";
import type { Rows } from "../records/rows.ts";
import { type Tally, countProblem } from "../tally.ts";

/** The row tails of one run. A tail is an offset in the arena of `Answers`. */
export class Tails {
  readonly #options: Pick<DeciderOptions, "questions" | "writer" | "matchers">;
  readonly #tally: Tally;
  readonly #answers: Answers;
  readonly #arena: Arena;
  readonly #problems: ProblemTails;

  constructor(options: Pick<DeciderOptions, "questions" | "writer" | "matchers" | "tally">) {
    this.#options = options;
    this.#tally = options.tally;
    this.#answers = options.matchers.answers;
    this.#arena = this.#answers.arena;
    this.#problems = new ProblemTails((answer) => this.#bytesOf(answer));
  }

  /** The tail for a question's decision at offset `place`. */
  find(state: OriginState, index: number, place: number): number {
    return this.#answers.tailAt(state, index, place) || this.make(state, index, place);
  }

  /** Builds and caches a tail that is not in the cache. */
  make(state: OriginState, index: number, place: number): number {
    const decision = this.#answers.decisionOf(state, index, place);
    const bytes = this.#bytesOf(answerOf(this.#options.questions[state.first + index]!, state, decision));
    this.#options.matchers.growTails(state, this.#answers.bytesOfTail(state, index, place, bytes.length));
    return this.#answers.keepTail(state, index, place, bytes, decision.allowed);
  }

  /** Counts a record with this decision for the question at `index` of the run; returns whether the decision allows. */
  count(question: number, tail: number): boolean {
    const words = this.#arena.words[tail >>> pageShift]!;
    const at = tail & placeMask;
    words[at + 1]!++;
    const isAllowed = (words[at]! & 1) === 1;
    const counts = this.#tally.questions[question]!;
    if (isAllowed) counts.allowed++;
    else counts.disallowed++;
    return isAllowed;
  }

  /** Whether the decision of a tail allows. */
  isAllowed(tail: number): boolean {
    return (this.#arena.words[tail >>> pageShift]![tail & placeMask]! & 1) === 1;
  }

  /** Adds the row of a record. */
  write(heads: Buffer, headStart: number, headEnd: number, tail: number, rows: Rows): void {
    const words = this.#arena.words[tail >>> pageShift]!;
    const at = tail & placeMask;
    rows.addWords(heads, headStart, headEnd, words, at + tailHead, words[at]! >>> 1);
  }

  /** Counts a record that no robots.txt applies to, for the question at `index` of the run. */
  countProblem(question: number, problem: string): void {
    countProblem(this.#tally.questions[question]!, problem);
  }

  /** Adds a row with the reason why no robots.txt applies; the row has no question when no known crawler made the record. */
  writeProblem(
    { heads, headStart, headEnd }: RecordRange,
    question: number | undefined,
    problem: string,
    rows: Rows,
  ): void {
    const asked = question === undefined ? undefined : this.#options.questions[question];
    const tail = this.#problems.tailOf(asked, question ?? 0, problem as UndecidedBecause);
    rows.add(heads, headStart, headEnd, tail);
  }

  #bytesOf(answer: Answer): Buffer {
    return Buffer.from(this.#options.writer.tailOf(answer), "latin1");
  }
}
