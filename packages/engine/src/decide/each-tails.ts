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

/** The data of the current record that are the same for all sources of members; `MemberTails` sets them. */
interface Current {
  heads: Buffer;
  /**
   * The offset in `heads` where the first field begins, and the offsets where each field ends; a field begins where the previous one ends.
   */
  fieldsStart: number;
  readonly fieldEnds: number[];
  question: Question | undefined;
  isAllowed: boolean | undefined;
  state: OriginState | undefined;
  targets: Buffer;
  targetStart: number;
  targetEnd: number;
}

/** The current record for one source of members; `first` is the index of the source's first field among the fields of all sources. */
class CurrentRecord implements MemberRecord {
  readonly #current: Current;
  readonly #first: number;
  readonly #matchers: DeciderOptions["matchers"];

  constructor(current: Current, first: number, matchers: DeciderOptions["matchers"]) {
    this.#current = current;
    this.#first = first;
    this.#matchers = matchers;
  }

  get question(): Question {
    return this.#current.question!;
  }

  get bytes(): Buffer {
    return this.#current.heads;
  }

  get isAllowed(): boolean | undefined {
    return this.#current.isAllowed;
  }

  get origin(): string | undefined {
    return this.#current.state?.origin;
  }

  get version(): string {
    const { state } = this.#current;
    return state === undefined ? "" : this.#matchers.versionOf(state);
  }

  startOf(field: number): number {
    const { fieldEnds, fieldsStart } = this.#current;
    return fieldEnds[this.#first + field - 1] ?? fieldsStart;
  }

  endOf(field: number): number {
    return this.#current.fieldEnds[this.#first + field]!;
  }

  textOf(field: number): string {
    return this.#current.heads.toString("latin1", this.startOf(field), this.endOf(field));
  }

  target(): string {
    const { state, targets, targetStart, targetEnd } = this.#current;
    return state === undefined ? "" : targets.toString("latin1", targetStart, targetEnd);
  }

  robots(): SourcedRobots | undefined {
    const { state } = this.#current;
    return state === undefined ? undefined : this.#matchers.robotsOf(state);
  }
}

/** A source of members, and the current record for this source. */
interface MemberSource {
  readonly members: RecordMembers;
  readonly record: MemberRecord;
  /** The values without a question. */
  readonly none: MemberValues;
}

/** Row tails whose rows are made one by one. */
export abstract class EachTails extends Tails {
  protected readonly questions: readonly Question[];
  protected readonly current: Current;
  protected readonly sources: readonly MemberSource[];
  readonly #fields: number;
  /** Whether a source can withdraw the answer of a record (`undecidedOf`). */
  readonly #canBeUndecided: boolean;
  /** The index of the first question of the current run of questions. */
  #first = 0;

  constructor(options: DeciderOptions) {
    super(options);
    const { questions, members = [], matchers } = options;
    this.questions = questions;
    const none = Buffer.alloc(0);
    const current: Current = (this.current = {
      heads: none,
      fieldsStart: 0,
      fieldEnds: [],
      question: undefined,
      isAllowed: undefined,
      state: undefined,
      targets: none,
      targetStart: 0,
      targetEnd: 0,
    });
    let first = 0;
    this.sources = members.map((each) => {
      const record = new CurrentRecord(current, first, matchers);
      first += each.fields.length;
      return { members: each, record, none: each.names.map(() => undefined) };
    });
    this.#fields = first;
    this.#canBeUndecided = members.some(({ undecidedOf }) => undecidedOf !== undefined);
  }

  /** Sets the current record: its state, which is ready, and `targets[targetStart, targetEnd)`, the text that rules are compared with. */
  begin(state: OriginState, targets: Buffer, targetStart: number, targetEnd: number): void {
    const { current } = this;
    current.state = state;
    current.targets = targets;
    current.targetStart = targetStart;
    current.targetEnd = targetEnd;
  }

  /** Sets the index of the first question of the run of questions whose rows `writeEach` adds next. */
  turnTo(first: number): void {
    this.#first = first;
  }

  /** Adds the row of a question whose decision a source withdrew. */
  protected abstract addUndecided(record: RecordRange, answer: Answer, question: number, rows: Rows): void;

  /** Adds the row of the question at `index` in a run of `count` questions; `tails` is the address of the tails of the run. */
  protected abstract addDecided(
    record: RecordRange,
    tails: number,
    count: number,
    index: number,
    question: number,
    rows: Rows,
  ): void;

  override writeEach(record: RecordRange, tails: number, count: number, from: number, end: number, rows: Rows): number {
    const leavesOut = this.leavesOut(tails);
    if (leavesOut && !this.#canBeUndecided) return super.writeEach(record, tails, count, from, end, rows);
    this.open(record);
    this.current.isAllowed = this.isAllowed(tails);
    let index = from;
    do {
      const question = this.#first + index;
      const problem = this.#problemOf(question);
      if (problem !== undefined) {
        this.countUndecided(question, index, tails, problem);
        if (this.leavesOutProblem(problem)) this.leaveOut(record, rows);
        else this.addUndecided(record, this.#undecidedAnswer(question, problem), question, rows);
      } else if (leavesOut) this.leaveOut(record, rows);
      else this.addDecided(record, tails, count, index, question, rows);
      index++;
    } while (index < end && !rows.isFull);
    return index;
  }

  /**
   * The answer to a question about the current record whose decision a source withdrew; undefined when no source did. Counts the question
   * as undecided. `tails` is the address of the tails of its run of questions, `indexInRun` its index in this run.
   */
  protected undecidedIn(question: number, indexInRun: number, tails: number): Answer | undefined {
    const problem = this.#problemOf(question);
    if (problem === undefined) return undefined;
    this.countUndecided(question, indexInRun, tails, problem);
    return this.#undecidedAnswer(question, problem);
  }

  /** Sets the current record to one that no robots.txt applies to. Returns the end of its head, see `open`. */
  protected openProblem(record: RecordRange): number {
    this.current.state = undefined;
    this.current.isAllowed = undefined;
    return this.open(record);
  }

  /** Sets the question about the current record whose values `valuesOf` returns. */
  protected ask(question: number | undefined): void {
    this.current.question = question === undefined ? undefined : this.questions[question];
  }

  /** The values of a source for the question of `ask`. */
  protected valuesOf({ members, record, none }: MemberSource): MemberValues {
    return this.current.question === undefined ? none : members.valuesOf(record);
  }

  /**
   * Sets the heads of the current record and the offsets of the fields that follow its head. Returns the end of the head without these
   * fields and their lengths.
   */
  protected open({ heads, headEnd }: RecordRange): number {
    const { current } = this;
    const { fieldEnds } = current;
    const lengthsStart = headEnd - this.#fields * lengthBytes;
    let start = lengthsStart;
    for (let field = this.#fields - 1; field >= 0; field--) {
      fieldEnds[field] = start;
      start -= heads.readUInt32LE(lengthsStart + field * lengthBytes);
    }
    current.heads = heads;
    return (current.fieldsStart = start);
  }

  /** The reason why a source withdraws the decision about the current record for a question; undefined when no source does. */
  #problemOf(question: number): UndecidedBecause | undefined {
    if (!this.#canBeUndecided) return undefined;
    this.ask(question);
    for (const { members, record } of this.sources) {
      const problem = members.undecidedOf?.(record);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #undecidedAnswer(question: number, because: UndecidedBecause): Answer {
    return { ...whoOf(this.questions[question]!), allowed: null, because, origin: this.current.state!.origin };
  }
}
