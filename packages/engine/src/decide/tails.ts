// Builds, caches and writes the row tails of decisions. A run of questions is one or more adjacent questions that the same rules decide.
// For each decision, the tails of a run of questions are built once and cached, with a count of the records that have this decision.
import type { Decision } from "@robots-stream/core";
import type { Combination } from "../origins/combinations.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { Answer, UndecidedBecause } from "../formats/types.ts";
import type { Question } from "../questions/questions.ts";
import { type Arena, pageShift, placeMask } from "@robots-stream/core/internal";
import { type Answers, headOf, tailHead } from "../origins/answers.ts";
import { type DeciderOptions, type ChosenRows, chosenRowsOf } from "./decider-options.ts";
import type { RecordRange } from "../records/packed.ts";
import type { Rows, RowTails } from "../records/rows.ts";
import { type Words, wordsOf } from "../records/words.ts";
import { type Tally, countProblem } from "../origins/tally.ts";

/** The agent, dialect and kind of a question as output fields. A writer omits the dialect unless `dialects` was given. */
export function whoOf({ agent, dialect, kind }: Question): Pick<Answer, "agent" | "dialect" | "kind"> {
  return kind === undefined ? { agent, dialect } : { agent, dialect, kind };
}

/**
 * The output fields of a decision. In an answer about an unknown crawler, `because` is "unknown-crawler", except for a request for
 * /robots.txt, which every crawler may fetch. `rule`, `line` and `code` are as in other answers; `group` is also present when it is the
 * crawler's own name.
 */
export function answerOf(question: Question, state: Pick<OriginState, "origin" | "code">, decision: Decision): Answer {
  const answer = answerOfKnown(question, state, decision);
  if (question.isUnknown !== true || answer.because === "robots-txt") return answer;
  const { agent, dialect, kind, allowed, because: _because, ...rest } = answer;
  const who = { agent, ...(dialect === undefined ? {} : { dialect }), ...(kind === undefined ? {} : { kind }) };
  const group = "productToken" in decision ? { group: decision.productToken } : {};
  return { ...who, allowed, because: "unknown-crawler", ...group, ...rest };
}

function answerOfKnown(question: Question, state: Pick<OriginState, "origin" | "code">, decision: Decision): Answer {
  const { allowed, because } = decision;
  const { origin, code } = state;
  const who = whoOf(question);
  if (because === "unavailable" || because === "unreachable") return { ...who, allowed, because, code, origin };
  if (because === "no-group" && code !== "") return { ...who, allowed, because, code, origin };
  if (because !== "rule" && because !== "no-rule") return { ...who, allowed, because, origin };
  const { productToken } = decision;
  const chosen = { ...who, allowed, because, ...(productToken === question.agent ? {} : { group: productToken }) };
  if (because !== "rule") return { ...chosen, origin };
  const { type, pattern, line } = decision.rule;
  return { ...chosen, rule: pattern === "" ? `${type}:` : `${type}: ${pattern}`, line, origin };
}

/** Maximum size of the cache of tails without a decision in bytes, and the bytes that such a tail costs besides its text. */
const mostProblemBytes = 8 * 1_048_576;
const overheadBytes = 150;

/**
 * Builds, counts and writes the row tails of decisions. A number named `tails` or `tail` is an address in the arena of `Answers`; for the
 * layout, see `tailHead`.
 */
export class Tails {
  readonly #options: DeciderOptions;
  readonly #isJoined: boolean;
  readonly #tally: Tally;
  readonly #answers: Answers;
  readonly #arena: Arena;
  /** The cached tails without a decision, by the index of the first question and the reason. */
  readonly #problems = new Map<string, Words>();
  #problemBytes = 0;
  /** The rows that are written; undefined: all. */
  readonly #chosen: ChosenRows | undefined;
  /** The tails that are passed to methods of `Rows`; the object is reused. */
  readonly #each: { -readonly [Name in keyof RowTails]: RowTails[Name] };

  constructor(options: DeciderOptions) {
    this.#options = options;
    this.#chosen = options.only === undefined ? undefined : chosenRowsOf(options.only);
    this.#isJoined = options.rows === "record";
    this.#tally = options.tally;
    this.#answers = options.matchers.answers;
    const { words, views } = (this.#arena = this.#answers.arena);
    this.#each = { view: views[0]!, start: 0, words: words[0]!, endsAt: 0, count: 0 };
  }

  /**
   * The address of a decision's tails for a run of questions; builds tails that are not in the cache. `place` is the address of the
   * decision. `isRobotsTxt`: see `Answers.tailsAt`.
   */
  find(state: OriginState, run: number, place: number, isRobotsTxt: boolean): number {
    return this.#answers.tailsAt(state, run, place, isRobotsTxt) || this.make(state, run, place, isRobotsTxt);
  }

  /** Builds and caches tails that are not in the cache; returns their address. The parameters are those of `find`. */
  make(state: OriginState, run: number, place: number, isRobotsTxt: boolean): number {
    const answers = this.#answers;
    const all = this.answersOf(state, run, place, isRobotsTxt);
    const made = this.tailsOf(all, run === 0, run === state.runs.ends.length - 1);
    const { tails, bytes } = answers.keepTails(state, run, place, isRobotsTxt, made, all[0]!.allowed === true);
    this.#options.matchers.growTails(state, bytes);
    return tails;
  }

  /** The answers of a decision for a run of questions. The parameters are those of `find`. */
  protected answersOf(state: OriginState, run: number, place: number, isRobotsTxt: boolean): Answer[] {
    const { ends } = state.runs;
    const all: Answer[] = [];
    for (let index = ends[run - 1] ?? 0; index < ends[run]!; index++) {
      const decision = this.#answers.decisionOf(state, index, place, isRobotsTxt);
      all.push(answerOf(this.#options.questions[state.first + index]!, state, decision));
    }
    return all;
  }

  /**
   * Builds the tails of all questions for a combination of decisions; returns their address. `parts` are the addresses of the tails of the
   * runs of questions.
   */
  combine(state: OriginState, combination: Combination, parts: readonly number[]): number {
    const { tails, bytes } = this.#answers.combine(state, combination, parts);
    this.#options.matchers.growTails(state, bytes);
    return tails;
  }

  /** Counts a record with the decision that `tails` belong to, for `count` questions from index `first` in the tally on. */
  countEach(first: number, count: number, tails: number): void {
    const words = this.#arena.words[tails >>> pageShift]!;
    const at = tails & placeMask;
    words[at + 1]!++;
    this.#tally.countEach(first, first + count, (words[at]! & 1) === 1);
  }

  /**
   * Counts the reason `problem` for a record whose answer was withdrawn, and reverts the count of the answer. `question` is the index of
   * the question in the tally, `index` its index in the run of questions that was counted with `tails`. The count of the decision is
   * reverted only for the first question of the run, because the whole run counted it once.
   */
  countUndecided(question: number, index: number, tails: number, problem: string): void {
    const words = this.#arena.words[tails >>> pageShift]!;
    const at = tails & placeMask;
    if (index === 0) words[at + 1]!--;
    const counts = this.#tally.questions[question]!;
    if ((words[at]! & 1) === 1) counts.allowed--;
    else counts.disallowed--;
    countProblem(counts, problem);
  }

  /** Whether the decision of these tails allows. */
  isAllowed(tails: number): boolean {
    return (this.#arena.words[tails >>> pageShift]![tails & placeMask]! & 1) === 1;
  }

  /** Whether the rows of one decision are left out; `tails` is the address of its tails. */
  protected leavesOut(tails: number): boolean {
    const chosen = this.#chosen;
    return chosen !== undefined && !(this.isAllowed(tails) ? chosen.allowed : chosen.disallowed);
  }

  /** Whether rows without a decision, for the reason `problem`, are left out. */
  protected leavesOutProblem(problem: string): boolean {
    const chosen = this.#chosen;
    return chosen !== undefined && (problem === "not-a-crawler" || !chosen.undecided);
  }

  /** Counts a row of the record that is not written. `isOnly`: whether no question applies to the record. */
  protected leaveOut(_record: RecordRange, rows: Rows, _isOnly?: boolean): void {
    this.#tally.rowsLeftOut++;
    rows.leaveOut();
  }

  /** Adds a row for the head `heads[headStart, headEnd)`, with the single tail at the address `tail`. */
  #write(heads: Buffer, headStart: number, headEnd: number, tail: number, rows: Rows): void {
    const page = tail >>> pageShift;
    const at = tail & placeMask;
    const view = this.#arena.views[page]!;
    rows.add(heads, headStart, headEnd, view, (at + tailHead) * 4, this.#arena.words[page]![at]! >>> 1);
  }

  /**
   * Adds the rows of a record for the questions `[from, end)` of a run of `count` questions, until the rows are full. Returns the index in
   * the run of the next question.
   */
  writeEach(record: RecordRange, tails: number, count: number, from: number, end: number, rows: Rows): number {
    if (this.leavesOut(tails)) {
      for (let index = from; index < end; index++) this.leaveOut(record, rows);
      return end;
    }
    const { heads, headStart, headEnd } = record;
    if (count === 1) {
      this.#write(heads, headStart, headEnd, tails, rows);
      return 1;
    }
    const each = this.#each;
    const page = tails >>> pageShift;
    const at = tails & placeMask;
    each.view = this.#arena.views[page]!;
    each.words = this.#arena.words[page]!;
    each.start = (at + headOf(count)) * 4;
    each.endsAt = at + tailHead;
    each.count = end;
    return rows.addEach(heads, headStart, headEnd, each, from);
  }

  /**
   * Adds the only row of a record: its head, and the tails at the addresses `parts`, one for each run of questions or one for all of them.
   */
  writeJoined({ heads, headStart, headEnd }: RecordRange, parts: readonly number[], rows: Rows): void {
    const { words, views } = this.#arena;
    let size = 0;
    for (const part of parts) size += words[part >>> pageShift]![part & placeMask]! >>> 1;
    rows.begin(heads, headStart, headEnd, size);
    for (const part of parts) {
      const page = part >>> pageShift;
      const at = part & placeMask;
      const start = (at + tailHead) * 4;
      rows.append(views[page]!, start, start + (words[page]![at]! >>> 1));
    }
  }

  /** Counts a record that no robots.txt applies to, for the question with the index `question` in the tally. */
  countProblem(question: number, problem: string): void {
    countProblem(this.#tally.questions[question]!, problem);
  }

  /** Adds a row with the reason `problem` why no robots.txt applies. `question` is undefined for a record without a question. */
  writeProblem(record: RecordRange, question: number | undefined, problem: string, rows: Rows): void {
    if (this.leavesOutProblem(problem)) this.leaveOut(record, rows, question === undefined);
    else this.writeProblemRow(record, question, problem, rows);
  }

  protected writeProblemRow(
    { heads, headStart, headEnd }: RecordRange,
    question: number | undefined,
    problem: string,
    rows: Rows,
  ): void {
    const { view, length } = this.#problemTailOf(question, problem);
    rows.add(heads, headStart, headEnd, view, 0, length);
  }

  /** The tail of a row with the reason `problem`. Without a `question`, its agent is null. */
  #problemTailOf(question: number | undefined, problem: string): Words {
    const key = `${question} ${problem}`;
    const known = this.#problems.get(key);
    if (known !== undefined) return known;
    const { questions } = this.#options;
    const asked = question === undefined ? [] : this.#isJoined ? questions : [questions[question]!];
    const who = asked.length === 0 ? [{ agent: null }] : asked.map(whoOf);
    const because = problem as UndecidedBecause;
    const tail = wordsOf(this.#bytesOf(who.map((each) => ({ ...each, allowed: null, because }))).toString("latin1"));
    this.#problemBytes += tail.length + overheadBytes;
    if (this.#problemBytes > mostProblemBytes) {
      this.#problems.clear();
      this.#problemBytes = 0;
    }
    this.#problems.set(key, tail);
    return tail;
  }

  /**
   * The tails of the answers for a run of questions, to be cached together: one tail for each answer, or a single tail when a record has a
   * single row. `isFirst`, `isLast`: whether the run is the first or last one of the state.
   */
  protected tailsOf(answers: readonly Answer[], isFirst: boolean, isLast: boolean): Buffer[] {
    if (this.#isJoined) return [this.#partOf(answers, isFirst, isLast)];
    return answers.map((answer) => this.#bytesOf([answer]));
  }

  #bytesOf(answers: readonly Answer[]): Buffer {
    if (this.#isJoined) return this.#partOf(answers, true, true);
    return Buffer.from(this.#options.writer.tailOf(answers[0]!), "latin1");
  }

  #partOf(answers: readonly Answer[], isFirst: boolean, isLast: boolean): Buffer {
    return Buffer.from(this.#options.writer.partOf!(answers, isFirst, isLast), "latin1");
  }
}
