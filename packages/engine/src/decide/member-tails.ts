// Writes the rows of decisions with the members that differ from record to record (see record-members.ts).
import type { Answer, MemberWriter, RecordWriter } from "../formats/types.ts";
import type { RecordRange } from "../records/packed.ts";
import type { Memory, Rows } from "../records/rows.ts";
import { eightsOverrun, viewOf } from "../records/words.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { EachTails, type FilledAnswer } from "./each-tails.ts";
import type { MemberValues } from "./record-members.ts";

/** Bytes to add to rows: the first `length` bytes of `bytes`. `bytes` is longer, so that they can be copied eight at a time. */
interface Inserted extends Memory {
  readonly length: number;
}

/** The bytes of an answer, the number of its bytes behind the members, and the bytes of the members of each source. */
interface Piece {
  readonly text: Inserted;
  readonly after: number;
  readonly members: readonly Inserted[];
}

/** Row tails for rows with members per record. */
export class MemberTails extends EachTails {
  readonly #writer: RecordWriter;
  readonly #members: MemberWriter;
  /** The bytes of answers. In a run with a single row for each record, an answer belongs to one question, so that its place is known. */
  readonly #texts = new WeakMap<Answer, Inserted>();
  readonly #inserted = new WeakMap<MemberValues, Inserted>();

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
    write(record, headEnd, [{ text, after: this.#members.tailEnd, members: this.#insertedOf(values) }], rows);
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
      return { text, after, members: this.#insertedOf(values) };
    });
    write(record, headEnd, pieces, rows);
  }

  #keep(answer: Answer, text: string): Inserted {
    const kept = insertedOf(text);
    this.#texts.set(answer, kept);
    return kept;
  }

  /** The bytes of the members of each source. */
  #insertedOf(values: readonly MemberValues[]): readonly Inserted[] {
    return values.map((each, index) => {
      let inserted = this.#inserted.get(each);
      if (inserted === undefined) {
        inserted = insertedOf(this.#members.bytesOf(this.sources[index]!.members.names, each));
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
    rows.append(text, 0, text.length - after);
    for (const each of members) rows.append(each, 0, each.length);
    rows.append(text, text.length - after, text.length);
  }
}

function insertedOf(text: string): Inserted {
  const bytes = Buffer.alloc(text.length + eightsOverrun);
  bytes.write(text, "latin1");
  return { bytes, view: viewOf(bytes), length: text.length };
}
