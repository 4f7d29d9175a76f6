// Makes the answers about each record as objects, which take the place of rows: no bytes are written.
import type { Answer, UndecidedBecause } from "../formats/types.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { HeadAnswer, Rows } from "../records/rows.ts";
import type { RecordRange } from "../records/packed.ts";
import { whoOf } from "./tails.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { EachTails } from "./each-tails.ts";
import type { MemberValues } from "./record-members.ts";

/** Maximum number of runs of questions whose answers are cached. */
const mostKept = 50_000;

type Members = Readonly<Record<string, unknown>>;

/** The answers of records, for programs that get objects. Each goes to `Rows.addAnswer`, with the head of its record. */
export class ObjectTails extends EachTails {
  readonly #answers: DeciderOptions["matchers"]["answers"];
  readonly #isJoined: boolean;
  readonly #hasDialect: boolean;
  /** The answers of runs of questions by the address of their tails; addresses are valid while `Answers.changes` stays the same. */
  readonly #kept = new Map<number, readonly Answer[]>();
  /** The answers of whole records by the addresses of the tails of all runs: records with the same answers share an object. */
  readonly #joined = new Map<string, Members>();
  #changes = 0;
  readonly #values = new WeakMap<MemberValues, Members>();

  constructor(options: DeciderOptions) {
    super(options);
    this.#answers = options.matchers.answers;
    this.#isJoined = options.rows === "record";
    this.#hasDialect = options.objects!.hasDialect;
  }

  override find(state: OriginState, run: number, place: number, isRobotsTxt: boolean): number {
    const { changes } = this.#answers;
    if (changes !== this.#changes || (run === 0 && this.#kept.size > mostKept)) {
      this.#changes = changes;
      this.#kept.clear();
      this.#joined.clear();
    }
    const tails = super.find(state, run, place, isRobotsTxt);
    if (!this.#kept.has(tails)) this.#kept.set(tails, this.answersOf(state, run, place, isRobotsTxt));
    return tails;
  }

  protected override addDecided(
    record: RecordRange,
    tails: number,
    _count: number,
    index: number,
    question: number,
    rows: Rows,
  ): void {
    this.#add(record, this.#kept.get(tails)![index]!, question, rows);
  }

  protected override addUndecided(record: RecordRange, answer: Answer, question: number, rows: Rows): void {
    this.#add(record, answer, question, rows);
  }

  protected override leaveOut(record: RecordRange, rows: Rows, isOnly = false): void {
    super.leaveOut(record, rows);
    rows.addAnswer(headAnswerOf(record, undefined, isOnly));
  }

  override writeJoined(record: RecordRange, parts: readonly number[], rows: Rows): void {
    this.open(record);
    const key = parts.join(" ");
    let all = this.sources.length > 0 ? undefined : this.#joined.get(key);
    if (all === undefined) {
      const { first, runs } = this.current.state!;
      const { ends } = runs;
      const answers: Answer[] = [];
      for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
        this.current.isAllowed = this.isAllowed(parts[run]!);
        for (let index = start; index < ends[run]!; index++) {
          const own = this.undecidedIn(first + index, index - start, parts[run]!);
          answers.push(own ?? this.#kept.get(parts[run]!)![index - start]!);
        }
      }
      all = this.#allOf(answers, first);
      if (this.sources.length === 0) this.#joined.set(key, all);
    }
    rows.addAnswer(headAnswerOf(record, all));
  }

  protected override writeProblemRow(
    record: RecordRange,
    question: number | undefined,
    problem: string,
    rows: Rows,
  ): void {
    this.openProblem(record);
    const because = problem as UndecidedBecause;
    if (question === undefined) this.#add(record, { agent: null, allowed: null, because }, undefined, rows);
    else if (!this.#isJoined)
      this.#add(record, { ...whoOf(this.questions[question]!), allowed: null, because }, question, rows);
    else {
      const answers = this.questions.map((each) => ({ ...whoOf(each), allowed: null, because }));
      rows.addAnswer(headAnswerOf(record, this.#allOf(answers, 0)));
    }
  }

  protected override tailsOf(answers: readonly Answer[]): Buffer[] {
    return answers.map(() => none);
  }

  #add(record: RecordRange, { dialect, ...answer }: Answer, question: number | undefined, rows: Rows): void {
    const shown = this.#hasDialect && dialect !== undefined ? { dialect, ...answer } : answer;
    rows.addAnswer(headAnswerOf(record, this.#withMembers(shown, question), question === undefined));
  }

  /** The answers for all agents as one object. `first`: the index of the first question. */
  #allOf(answers: readonly Answer[], first: number): Members {
    const { origin, dialect } = answers[0]!;
    const agents = answers.map(({ agent, dialect: _dialect, origin: _origin, ...answer }, index) => [
      agent,
      Object.freeze(this.#withMembers(answer, first + index)),
    ]);
    return {
      ...(origin === undefined ? {} : { origin }),
      ...(this.#hasDialect && dialect !== undefined ? { dialect } : {}),
      agents: Object.freeze(Object.fromEntries(agents)),
    };
  }

  /** An answer with the members of all sources for a question about the current record. */
  #withMembers(answer: object, question: number | undefined): object {
    if (this.sources.length === 0) return answer;
    this.ask(question);
    return Object.assign({ ...answer }, ...this.sources.map((source) => this.#membersOf(source)));
  }

  /** The members of a source; a name whose value is undefined is left out. */
  #membersOf(source: Parameters<EachTails["valuesOf"]>[0]): Members {
    const values = this.valuesOf(source);
    let members = this.#values.get(values);
    if (members === undefined) {
      const { names } = source.members;
      const entries = names.flatMap((name, index) => {
        const value = values[index];
        return value === undefined ? [] : [[name, JSON.parse(value) as unknown]];
      });
      this.#values.set(values, (members = Object.fromEntries(entries) as Members));
    }
    return members;
  }
}

function headAnswerOf({ heads, headStart }: RecordRange, answer: object | undefined, isOnly = false): HeadAnswer {
  return { head: heads.readUInt32LE(headStart), answer, isOnly };
}

const none = Buffer.alloc(0);
