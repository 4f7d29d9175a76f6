// Goes through the answers about a record one by one, for rows that differ from record to record: with members (see record-members.ts), or
// as objects.
import type { OriginState } from "../origins/origin-state.ts";
import type { Question } from "../questions/questions.ts";
import type { SourcedRobots } from "../robots/in-force.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { type MemberRecord, type MemberValues, type RecordMembers, lengthBytes } from "./record-members.ts";
import type { UndecidedBecause, Answer } from "../formats/types.ts";
import type { RecordRange } from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import { whoOf, Tails } from "./tails.ts";

const none = Buffer.alloc(0);

/** Maximum number of answers that are cached. */
const mostKept = 50_000;

/** The current record with one of its questions, for one source of members at a time. `EachTails` sets the members. */
class CurrentRecord implements MemberRecord {
  /** The buffer with the head of the record and the fields behind it. */
  bytes: Buffer = none;
  /** The offset in `bytes` where the first field begins, and where each field ends; a field begins where the previous one ends. */
  fieldsStart = 0;
  readonly fieldEnds: number[] = [];
  /** The index of the source's first field among the fields of all sources. */
  first = 0;
  asked: Question | undefined;
  isAllowed: boolean | undefined;
  state: OriginState | undefined;
  targets: Buffer = none;
  targetStart = 0;
  targetEnd = 0;
  readonly #matchers: DeciderOptions["matchers"];

  constructor(matchers: DeciderOptions["matchers"]) {
    this.#matchers = matchers;
  }

  get question(): Question {
    return this.asked!;
  }

  get origin(): string | undefined {
    return this.state?.origin;
  }

  get version(): string {
    return this.state === undefined ? "" : this.#matchers.versionOf(this.state);
  }

  startOf(field: number): number {
    return this.fieldEnds[this.first + field - 1] ?? this.fieldsStart;
  }

  endOf(field: number): number {
    return this.fieldEnds[this.first + field]!;
  }

  textOf(field: number): string {
    return this.bytes.toString("latin1", this.startOf(field), this.endOf(field));
  }

  target(): string {
    return this.state === undefined ? "" : this.targets.toString("latin1", this.targetStart, this.targetEnd);
  }

  robots(): SourcedRobots | undefined {
    return this.state === undefined ? undefined : this.#matchers.robotsOf(this.state);
  }
}

/** A source of members. */
interface MemberSource {
  readonly members: RecordMembers;
  /** As in `CurrentRecord`. */
  readonly first: number;
  /** The values without a question. */
  readonly none: MemberValues;
}

/** An answer about the current record, and the values of each source of members for it. An answer that recurs is the same object. */
export interface FilledAnswer {
  readonly answer: Answer;
  readonly values: readonly MemberValues[];
}

/** Row tails whose rows are made one by one. */
export abstract class EachTails extends Tails {
  protected readonly sources: readonly MemberSource[];
  readonly #questions: readonly Question[];
  readonly #answers: DeciderOptions["matchers"]["answers"];
  readonly #isJoined: boolean;
  readonly #current: CurrentRecord;
  readonly #fields: number;
  /** Whether a source can withdraw the answer of a record (`undecidedOf`). */
  readonly #canBeUndecided: boolean;
  /** The index of the first question of the current run of questions. */
  #first = 0;
  /** The answers of runs of questions by the address of their tails; addresses are valid while `Answers.changes` stays the same. */
  readonly #kept = new Map<number, readonly Answer[]>();
  /** The answers without a decision, by question, reason and origin. */
  readonly #undecided = new Map<string, Answer>();
  #keptAnswers = 0;
  #changes = 0;

  constructor(options: DeciderOptions) {
    super(options);
    const { questions, members = [], matchers, rows } = options;
    this.#questions = questions;
    this.#answers = matchers.answers;
    this.#isJoined = rows === "record";
    this.#current = new CurrentRecord(matchers);
    let first = 0;
    this.sources = members.map((each) => {
      const source = { members: each, first, none: each.names.map(() => undefined) };
      first += each.fields.length;
      return source;
    });
    this.#fields = first;
    this.#canBeUndecided = members.some(({ undecidedOf }) => undecidedOf !== undefined);
  }

  /** Sets the current record: its state, which is ready, and `targets[targetStart, targetEnd)`, the text that rules are compared with. */
  begin(state: OriginState, targets: Buffer, targetStart: number, targetEnd: number): void {
    const current = this.#current;
    current.state = state;
    current.targets = targets;
    current.targetStart = targetStart;
    current.targetEnd = targetEnd;
  }

  /** Sets the index of the first question of the run of questions whose rows `writeEach` adds next. */
  turnTo(first: number): void {
    this.#first = first;
  }

  /**
   * Adds the row of an answer; `headEnd` is the end of the record's head without the fields of the sources. `isOnly`: whether no question
   * applies to the record.
   */
  protected abstract addAnswer(
    record: RecordRange,
    headEnd: number,
    answer: FilledAnswer,
    rows: Rows,
    isOnly: boolean,
  ): void;

  /** Adds the single row of a record with these answers, one for each question. */
  protected abstract addAnswers(
    record: RecordRange,
    headEnd: number,
    answers: readonly FilledAnswer[],
    rows: Rows,
  ): void;

  /** Forgets what was made of cached answers. */
  protected forget(): void {
    this.#kept.clear();
    this.#undecided.clear();
    this.#keptAnswers = 0;
  }

  override find(state: OriginState, run: number, place: number, isRobotsTxt: boolean): number {
    const { changes } = this.#answers;
    if (changes !== this.#changes || (run === 0 && this.#keptAnswers > mostKept)) {
      this.#changes = changes;
      this.forget();
    }
    const tails = super.find(state, run, place, isRobotsTxt);
    if (!this.#kept.has(tails)) {
      const answers = this.answersOf(state, run, place, isRobotsTxt);
      this.#kept.set(tails, answers);
      this.#keptAnswers += answers.length;
    }
    return tails;
  }

  override writeEach(record: RecordRange, tails: number, count: number, from: number, end: number, rows: Rows): number {
    const leavesOut = this.leavesOut(tails);
    if (leavesOut && !this.#canBeUndecided) return super.writeEach(record, tails, count, from, end, rows);
    const headEnd = this.#open(record);
    this.#current.isAllowed = this.isAllowed(tails);
    let index = from;
    do {
      const question = this.#first + index;
      const withdrawn = this.#withdrawn(question, index, tails);
      const isLeftOut = withdrawn === undefined ? leavesOut : this.leavesOutProblem(withdrawn.because);
      if (isLeftOut) this.leaveOut(record, rows);
      else {
        const answer = withdrawn ?? this.#kept.get(tails)![index]!;
        this.addAnswer(record, headEnd, this.#filled(answer, question), rows, false);
      }
      index++;
    } while (index < end && !rows.isFull);
    return index;
  }

  override writeJoined(record: RecordRange, parts: readonly number[], rows: Rows): void {
    const headEnd = this.#open(record);
    const { first, runs } = this.#current.state!;
    const { ends } = runs;
    const answers: FilledAnswer[] = [];
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      const tails = parts[run]!;
      this.#current.isAllowed = this.isAllowed(tails);
      for (let index = start; index < ends[run]!; index++) {
        const withdrawn = this.#withdrawn(first + index, index - start, tails);
        answers.push(this.#filled(withdrawn ?? this.#kept.get(tails)![index - start]!, first + index));
      }
    }
    this.addAnswers(record, headEnd, answers, rows);
  }

  protected override writeProblemRow(
    record: RecordRange,
    question: number | undefined,
    problem: string,
    rows: Rows,
  ): void {
    this.#current.state = undefined;
    this.#current.isAllowed = undefined;
    const headEnd = this.#open(record);
    const answerTo = (index: number | undefined): FilledAnswer =>
      this.#filled(this.#undecidedAnswer(index, problem as UndecidedBecause), index);
    if (this.#isJoined) {
      this.addAnswers(
        record,
        headEnd,
        this.#questions.map((_, index) => answerTo(index)),
        rows,
      );
    } else this.addAnswer(record, headEnd, answerTo(question), rows, question === undefined);
  }

  /** The answers are kept as objects, so that no bytes are made of them before their rows. */
  protected override tailsOf(answers: readonly Answer[]): Buffer[] {
    return answers.map(() => none);
  }

  /** The answer, and the values of the sources for a question about the current record. */
  #filled(answer: Answer, question: number | undefined): FilledAnswer {
    const current = this.#current;
    current.asked = question === undefined ? undefined : this.#questions[question];
    const values = this.sources.map((source) => {
      current.first = source.first;
      return current.asked === undefined ? source.none : source.members.valuesOf(current);
    });
    return { answer, values };
  }

  /**
   * Sets the heads of the current record and the offsets of the fields that follow its head. Returns the end of the head without these
   * fields and their lengths.
   */
  #open({ heads, headEnd }: RecordRange): number {
    const current = this.#current;
    const { fieldEnds } = current;
    const lengthsStart = headEnd - this.#fields * lengthBytes;
    let start = lengthsStart;
    for (let field = this.#fields - 1; field >= 0; field--) {
      fieldEnds[field] = start;
      start -= heads.readUInt32LE(lengthsStart + field * lengthBytes);
    }
    current.bytes = heads;
    return (current.fieldsStart = start);
  }

  /**
   * The answer to a question about the current record whose decision a source withdrew; undefined when no source did. Counts the question
   * as undecided. `tails` is the address of the tails of its run of questions, `indexInRun` its index in this run.
   */
  #withdrawn(question: number, indexInRun: number, tails: number): Answer | undefined {
    if (!this.#canBeUndecided) return undefined;
    const current = this.#current;
    current.asked = this.#questions[question];
    for (const { members, first } of this.sources) {
      current.first = first;
      const problem = members.undecidedOf?.(current);
      if (problem === undefined) continue;
      this.countUndecided(question, indexInRun, tails, problem);
      return this.#undecidedAnswer(question, problem, current.state!.origin);
    }
    return undefined;
  }

  #undecidedAnswer(question: number | undefined, because: UndecidedBecause, origin?: string): Answer {
    const key = `${question} ${because} ${origin}`;
    let answer = this.#undecided.get(key);
    if (answer === undefined) {
      const who = question === undefined ? { agent: null } : whoOf(this.#questions[question]!);
      answer = { ...who, allowed: null, because, ...(origin === undefined ? {} : { origin }) };
      this.#undecided.set(key, answer);
      this.#keptAnswers++;
    }
    return answer;
  }
}
