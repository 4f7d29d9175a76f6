// Writes the rows of decisions with the members that differ from record to record (see record-members.ts).
import { type Arena, pageShift, placeMask } from "@robots-stream/core/internal";
import type { Answer, MemberWriter, RecordWriter, UndecidedBecause } from "../formats/types.ts";
import { headOf, tailHead } from "../origins/answers.ts";
import type { RecordRange } from "../records/packed.ts";
import type { Memory, Rows } from "../records/rows.ts";
import { eightsOverrun, viewOf, type Words, wordsOf } from "../records/words.ts";
import { whoOf } from "./tails.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { EachTails } from "./each-tails.ts";
import type { MemberValues } from "./record-members.ts";

/** Bytes to add to rows: the first `length` bytes of `bytes`. `bytes` is longer, so that they can be copied eight at a time. */
interface Inserted extends Memory {
  readonly length: number;
}

/** A range of bytes in the memory of a tail. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Row tails for rows with members per record. */
export class MemberTails extends EachTails {
  readonly #writer: RecordWriter;
  readonly #members: MemberWriter;
  /** The tail of the last withdrawn answer. Adjacent rows mostly have the same one. */
  #lastUndecided: { readonly key: string; readonly tail: Words } | undefined;
  readonly #isJoined: boolean;
  readonly #arena: Arena;
  readonly #inserted = new WeakMap<MemberValues, Inserted>();
  /** The bytes to add to the current row, one element for each source. */
  readonly #parts: Inserted[] = [];
  readonly #tail: { -readonly [Name in keyof Memory]: Memory[Name] };

  constructor(options: DeciderOptions) {
    super(options);
    const { writer, rows, matchers } = options;
    this.#writer = writer;
    this.#members = writer.members!;
    this.#isJoined = rows === "record";
    this.#arena = matchers.answers.arena;
    const none = Buffer.alloc(0);
    this.#tail = { bytes: none, view: viewOf(none) };
  }

  protected override addDecided(
    record: RecordRange,
    tails: number,
    count: number,
    index: number,
    question: number,
    rows: Rows,
  ): void {
    this.#addRow(record, this.#tailAt(tails, count, index), question, rows);
  }

  protected override addUndecided(record: RecordRange, answer: Answer, question: number, rows: Rows): void {
    const key = `${question} ${answer.because} ${answer.origin}`;
    if (this.#lastUndecided?.key !== key) this.#lastUndecided = { key, tail: wordsOf(this.#writer.tailOf(answer)) };
    this.#addRow(record, this.#use(this.#lastUndecided.tail), question, rows);
  }

  override writeJoined(record: RecordRange, parts: readonly number[], rows: Rows): void {
    const end = this.open(record);
    const { first, questions, runs } = this.current.state!;
    const { ends } = runs;
    const pieces: Inserted[] = [];
    /** By index of the question: the bytes of the answer when a source withdrew the decision; otherwise undefined. */
    const undecided: (Words | undefined)[] = [];
    let size = 0;
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      this.current.isAllowed = this.isAllowed(parts[run]!);
      for (let index = start; index < ends[run]!; index++) {
        this.#parts.length = 0;
        const answer = this.undecidedIn(first + index, index - start, parts[run]!);
        const part = (undecided[index] =
          answer === undefined ? undefined : this.#partOf(answer, index === 0, index + 1 === questions));
        const { from, to } =
          part === undefined ? this.#tailAt(parts[run]!, ends[run]! - start, index - start) : this.#use(part);
        size += this.#insert(first + index) + to - from;
        pieces.push(...this.#parts);
      }
    }
    rows.begin(record.heads, record.headStart, end, size);
    let piece = 0;
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      for (let index = start; index < ends[run]!; index++) {
        const part = undecided[index];
        const range =
          part === undefined ? this.#tailAt(parts[run]!, ends[run]! - start, index - start) : this.#use(part);
        const next = piece + this.#parts.length;
        this.#append(range, this.#endOf(index + 1 === questions), pieces.slice(piece, next), rows);
        piece = next;
      }
    }
  }

  protected override writeProblemRow(
    record: RecordRange,
    question: number | undefined,
    problem: string,
    rows: Rows,
  ): void {
    const end = this.openProblem(record);
    if (!this.#isJoined) {
      this.#addRow(record, this.#use(this.problemTailOf(question, problem)), question, rows);
      return;
    }
    const { questions } = this;
    const all = questions.map((each, index) => {
      const answer: Answer = { ...whoOf(each), allowed: null, because: problem as UndecidedBecause };
      this.#parts.length = 0;
      const inserted = this.#insert(index);
      return {
        part: this.#partOf(answer, index === 0, index + 1 === questions.length),
        inserted,
        parts: [...this.#parts],
      };
    });
    rows.begin(
      record.heads,
      record.headStart,
      end,
      all.reduce((sum, { part, inserted }) => sum + part.length + inserted, 0),
    );
    for (const [index, { part, parts }] of all.entries()) {
      this.#append(this.#use(part), this.#endOf(index + 1 === questions.length), parts, rows);
    }
  }

  protected override tailsOf(answers: readonly Answer[], isFirst: boolean, isLast: boolean): Buffer[] {
    if (!this.#isJoined) return super.tailsOf(answers, isFirst, isLast);
    const last = answers.length - 1;
    return answers.map((answer, index) =>
      Buffer.from(this.#writer.partOf!([answer], isFirst && index === 0, isLast && index === last), "latin1"),
    );
  }

  #partOf(answer: Answer, isFirst: boolean, isLast: boolean): Words {
    return wordsOf(this.#writer.partOf!([answer], isFirst, isLast));
  }

  /** Number of bytes after the members in the part of a question. */
  #endOf(isLast: boolean): number {
    return isLast ? this.#members.lastPartEnd : this.#members.partEnd;
  }

  #addRow(record: RecordRange, range: Range, question: number | undefined, rows: Rows): void {
    this.#parts.length = 0;
    const size = range.to - range.from + this.#insert(question);
    rows.begin(record.heads, record.headStart, this.current.fieldsStart, size);
    this.#append(range, this.#members.tailEnd, this.#parts, rows);
  }

  /** Adds a range of `#tail` to the current row, with `parts` before its last `after` bytes. */
  #append({ from, to }: Range, after: number, parts: readonly Inserted[], rows: Rows): void {
    rows.append(this.#tail, from, to - after);
    for (const part of parts) rows.append(part, 0, part.length);
    rows.append(this.#tail, to - after, to);
  }

  /** Appends the bytes of the members for a question about the current record to `#parts`; returns the number of these bytes. */
  #insert(question: number | undefined): number {
    this.ask(question);
    let size = 0;
    for (const source of this.sources) {
      const values = this.valuesOf(source);
      let inserted = this.#inserted.get(values);
      if (inserted === undefined) {
        inserted = insertedOf(this.#members.bytesOf(source.members.names, values));
        this.#inserted.set(values, inserted);
      }
      this.#parts.push(inserted);
      size += inserted.length;
    }
    return size;
  }

  /** Sets `#tail` to the memory of bytes that are not in the arena; returns their range. */
  #use({ view, length }: Words): Range {
    this.#tail.view = view;
    this.#tail.bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    return { from: 0, to: length };
  }

  /**
   * Sets `#tail` to the memory of `count` tails at the address `tails`. Returns the bytes of the tail at `index`, as a range of `#tail`.
   */
  #tailAt(tails: number, count: number, index: number): Range {
    const page = tails >>> pageShift;
    const at = tails & placeMask;
    const words = this.#arena.words[page]!;
    this.#tail.bytes = this.#arena.bytes[page]!;
    this.#tail.view = this.#arena.views[page]!;
    const start = (at + headOf(count)) * 4;
    if (count === 1) return { from: start, to: start + (words[at]! >>> 1) };
    const from = index === 0 ? start : start + words[at + tailHead + index - 1]!;
    return { from, to: start + words[at + tailHead + index]! };
  }
}

function insertedOf(text: string): Inserted {
  const bytes = Buffer.alloc(text.length + eightsOverrun);
  bytes.write(text, "latin1");
  return { bytes, view: viewOf(bytes), length: text.length };
}
