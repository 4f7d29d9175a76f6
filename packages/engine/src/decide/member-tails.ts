// Writes the rows of decisions with the members that differ from record to record (see record-members.ts).
import type { Answer, MemberWriter, RecordWriter } from "../formats/types.ts";
import type { RecordRange } from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import { type Words, wordsOf } from "../records/words.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { EachTails, type FilledAnswer } from "./each-tails.ts";
import type { MemberValues } from "./record-members.ts";

/** The bytes of an answer, the number of its bytes behind the members, and the bytes of the members of each source. */
interface Piece {
  readonly text: Words;
  readonly after: number;
  readonly members: readonly Words[];
}

/** Row tails for rows with members per record. */
export class MemberTails extends EachTails {
  readonly #writer: RecordWriter;
  readonly #members: MemberWriter;
  /** The bytes of answers. In a run with a single row for each record, an answer belongs to one question, so that its place is known. */
  readonly #texts = new WeakMap<Answer, Words>();
  readonly #inserted = new WeakMap<MemberValues, Words>();

  constructor(options: DeciderOptions) {
    super(options);
    this.#writer = options.writer;
    this.#members = options.writer.members!;
  }

  protected override addAnswer(
    record: RecordRange,
    headEnd: number,
    { answer, values }: FilledAnswer,
    rows: Rows,
  ): void {
    const text = this.#texts.get(answer) ?? this.#keep(answer, this.#writer.tailOf(answer));
    write(record, headEnd, [{ text, after: this.#members.tailEnd, members: this.#wordsOf(values) }], rows);
  }

  protected override addAnswers(
    record: RecordRange,
    headEnd: number,
    answers: readonly FilledAnswer[],
    rows: Rows,
  ): void {
    const last = answers.length - 1;
    const pieces = answers.map(({ answer, values }, index) => {
      const text =
        this.#texts.get(answer) ?? this.#keep(answer, this.#writer.partOf!([answer], index === 0, index === last));
      const after = index === last ? this.#members.lastPartEnd : this.#members.partEnd;
      return { text, after, members: this.#wordsOf(values) };
    });
    write(record, headEnd, pieces, rows);
  }

  #keep(answer: Answer, text: string): Words {
    const kept = wordsOf(text);
    this.#texts.set(answer, kept);
    return kept;
  }

  /** The bytes of the members of each source. */
  #wordsOf(values: readonly MemberValues[]): readonly Words[] {
    return values.map((each, index) => {
      let inserted = this.#inserted.get(each);
      if (inserted === undefined) {
        inserted = wordsOf(this.#members.bytesOf(this.sources[index]!.members.names, each));
        this.#inserted.set(each, inserted);
      }
      return inserted;
    });
  }
}

/** Adds a row: the head of a record, and the pieces, each with its members before its last `after` bytes. */
function write({ heads, headStart }: RecordRange, headEnd: number, pieces: readonly Piece[], rows: Rows): void {
  let size = 0;
  for (const { text, members } of pieces) {
    size += text.length;
    for (const { length } of members) size += length;
  }
  rows.begin(heads, headStart, headEnd, size);
  for (const { text, after, members } of pieces) {
    rows.append(text.view, 0, text.length - after);
    for (const each of members) rows.append(each.view, 0, each.length);
    rows.append(text.view, text.length - after, text.length);
  }
}
