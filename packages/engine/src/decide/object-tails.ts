// Makes the answers about each record as objects, which take the place of rows: no bytes are written.
import type { Answer } from "../formats/types.ts";
import type { RecordRange } from "../records/packed.ts";
import type { HeadAnswer, Rows } from "../records/rows.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { EachTails, type FilledAnswer } from "./each-tails.ts";
import type { MemberValues } from "./record-members.ts";

type Members = Readonly<Record<string, unknown>>;

/** The answers of records, for programs that get objects. Each goes to `Rows.addAnswer`, with the head of its record. */
export class ObjectTails extends EachTails {
  readonly #hasDialect: boolean;
  /** The answers of whole records by the addresses of the tails of all runs: records with the same answers share an object. */
  readonly #joined = new Map<string, Members>();
  /** The answers that `addAnswers` added last. */
  #last: Members = {};
  readonly #values = new WeakMap<MemberValues, Members>();

  constructor(options: DeciderOptions) {
    super(options);
    this.#hasDialect = options.objects!.hasDialect;
  }

  protected override forget(): void {
    super.forget();
    this.#joined.clear();
  }

  protected override leaveOut(record: RecordRange, rows: Rows, isOnly = false): void {
    super.leaveOut(record, rows);
    rows.addAnswer(headAnswerOf(record, undefined, isOnly));
  }

  override writeJoined(record: RecordRange, parts: readonly number[], rows: Rows): void {
    const key = parts.join(" ");
    const known = this.#joined.get(key);
    if (known !== undefined) {
      rows.addAnswer(headAnswerOf(record, known));
      return;
    }
    super.writeJoined(record, parts, rows);
    if (this.sources.length === 0) this.#joined.set(key, this.#last);
  }

  protected override addAnswer(
    record: RecordRange,
    _headEnd: number,
    { answer: { dialect, ...answer }, values }: FilledAnswer,
    rows: Rows,
    isOnly: boolean,
  ): void {
    const shown = this.#hasDialect && dialect !== undefined ? { dialect, ...answer } : answer;
    rows.addAnswer(headAnswerOf(record, this.#withMembers(shown, values), isOnly));
  }

  protected override addAnswers(
    record: RecordRange,
    _headEnd: number,
    answers: readonly FilledAnswer[],
    rows: Rows,
  ): void {
    const { origin, dialect } = answers[0]!.answer;
    const agents = answers.map(({ answer: { agent, dialect: _dialect, origin: _origin, ...answer }, values }) => [
      agent,
      Object.freeze(this.#withMembers(answer, values)),
    ]);
    this.#last = {
      ...(origin === undefined ? {} : { origin }),
      ...(this.#hasDialect && dialect !== undefined ? { dialect } : {}),
      agents: Object.freeze(Object.fromEntries(agents)),
    };
    rows.addAnswer(headAnswerOf(record, this.#last));
  }

  /** An answer with the members of all sources. */
  #withMembers(answer: Partial<Answer>, values: readonly MemberValues[]): object {
    if (values.length === 0) return answer;
    return Object.assign({ ...answer }, ...values.map((each, index) => this.#membersOf(index, each)));
  }

  /** The members of a source; a name whose value is undefined is left out. */
  #membersOf(source: number, values: MemberValues): Members {
    let members = this.#values.get(values);
    if (members === undefined) {
      const { names } = this.sources[source]!.members;
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
