// Decisions in, the tails of their rows with the members per record out: see record-members.ts.
import { type Arena, pageShift, placeMask } from "@robots-stream/core/internal";
import type { MemberWriter } from "../formats/types.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { RecordRange } from "../records/record-range.ts";
import type { Memory, Rows } from "../records/rows.ts";
import { eightsOverrun, viewOf } from "../records/words.ts";
import type { SourcedRobots } from "../robots/types.ts";
import type { Answer } from "../formats/types.ts";
import type { Question } from "../questions.ts";
import { whoOf } from "./answer.ts";
import { headOf, tailHead } from "./answers.ts";
import { ChosenTails } from "./chosen-tails.ts";
import type { DeciderOptions } from "./decider-options.ts";
import type { UndecidedBecause } from "./problem-tails.ts";
import { type MemberRecord, type MemberValues, type RecordMembers, lengthBytes } from "./record-members.ts";

/** Bytes to add to rows; `bytes` is longer, so that they can be copied eight at a time. */
interface Inserted extends Memory {
  readonly length: number;
}

/** The current record: the decider sets what is the same for all its sources of members. */
interface Current {
  heads: Buffer;
  /** The ends of all fields, the first of which begins at `fieldsStart`. */
  fieldsStart: number;
  readonly fieldEnds: number[];
  question: Question | undefined;
  isAllowed: boolean | undefined;
  state: OriginState | undefined;
  targets: Buffer;
  targetStart: number;
  targetEnd: number;
}

/** The tails of a run with members per record. */
export class MemberTails extends ChosenTails {
  readonly #questions: readonly Question[];
  readonly #writer: MemberWriter;
  readonly #partOf: ((answers: readonly Answer[], isFirst: boolean, isLast: boolean) => string) | undefined;
  readonly #isJoined: boolean;
  readonly #arena: Arena;
  readonly #sources: readonly {
    readonly members: RecordMembers;
    readonly record: MemberRecord;
    readonly none: MemberValues;
  }[];
  readonly #fields: number;
  readonly #current: Current;
  /** The index of the first question of the run under way. */
  #first = 0;
  readonly #inserted = new WeakMap<MemberValues, Inserted>();
  /** The bytes to add to the current row. */
  readonly #parts: Inserted[] = [];
  readonly #tail: { -readonly [Name in keyof Memory]: Memory[Name] };

  constructor(options: DeciderOptions, members: readonly RecordMembers[]) {
    super(options, options.only);
    const { questions, writer, rows, matchers } = options;
    this.#questions = questions;
    this.#writer = writer.members!;
    this.#partOf = writer.partOf;
    this.#isJoined = rows === "record";
    this.#arena = matchers.answers.arena;
    const none = Buffer.alloc(0);
    const fieldEnds: number[] = [];
    const targets = { targets: none, targetStart: 0, targetEnd: 0 };
    const current = {
      heads: none,
      fieldsStart: 0,
      fieldEnds,
      question: undefined,
      isAllowed: undefined,
      state: undefined,
      ...targets,
    };
    this.#current = current;
    let first = 0;
    this.#sources = members.map((each) => {
      const record = new CurrentRecord(current, first, (state) => matchers.robotsOf(state));
      first += each.fields.length;
      return { members: each, record, none: each.names.map(() => undefined) };
    });
    this.#fields = first;
    this.#tail = { bytes: none, view: viewOf(none) };
  }

  /** Begins a record whose robots.txt is loaded, with the text that rules are compared with. */
  begin(state: OriginState, targets: Buffer, targetStart: number, targetEnd: number): void {
    const current = this.#current;
    current.state = state;
    current.targets = targets;
    current.targetStart = targetStart;
    current.targetEnd = targetEnd;
  }

  /** Sets the index of the first question of the run that `writeEach` writes next. */
  turnTo(first: number): void {
    this.#first = first;
  }

  override writeEach(
    { heads, headStart, headEnd }: RecordRange,
    tails: number,
    count: number,
    from: number,
    end: number,
    rows: Rows,
  ): number {
    let index = from;
    if (this.leavesOut(tails)) {
      for (; index < end; index++) this.leaveOut(rows);
      return end;
    }
    const open = this.#open(heads, headEnd);
    this.#current.isAllowed = this.isAllowed(tails);
    do {
      const tail = this.#tailAt(tails, count, index);
      this.#addRow(heads, headStart, open, tail.from, tail.to, this.#first + index, rows);
      index++;
    } while (index < end && !rows.isFull);
    return index;
  }

  override writeJoined({ heads, headStart, headEnd }: RecordRange, parts: readonly number[], rows: Rows): void {
    const end = this.#open(heads, headEnd);
    const { state } = this.#current;
    const { ends } = state!.runs;
    const pieces: Inserted[] = [];
    let size = 0;
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      this.#current.isAllowed = this.isAllowed(parts[run]!);
      for (let index = start; index < ends[run]!; index++) {
        this.#parts.length = 0;
        size += this.#insert(state!.first + index) + this.#sizeAt(parts[run]!, ends[run]! - start, index - start);
        pieces.push(...this.#parts);
      }
    }
    rows.begin(heads, headStart, end, size);
    let piece = 0;
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      for (let index = start; index < ends[run]!; index++) {
        const isLast = index + 1 === state!.questions;
        const after = isLast ? this.#writer.lastPartEnd : this.#writer.partEnd;
        const { from, to } = this.#tailAt(parts[run]!, ends[run]! - start, index - start);
        rows.append(this.#tail, from, to - after);
        for (let source = 0; source < this.#sources.length; source++, piece++) {
          rows.append(pieces[piece]!, 0, pieces[piece]!.length);
        }
        rows.append(this.#tail, to - after, to);
      }
    }
  }

  protected override writeProblemRow(
    { heads, headStart, headEnd }: RecordRange,
    question: number | undefined,
    problem: string,
    rows: Rows,
  ): void {
    const end = this.#open(heads, headEnd);
    this.#current.state = undefined;
    this.#current.isAllowed = undefined;
    if (this.#isJoined) {
      this.#writeJoinedProblem(heads, headStart, end, problem, rows);
      return;
    }
    const { view, length } = this.problemTailOf(question, problem);
    this.#tail.view = view;
    this.#tail.bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    this.#addRow(heads, headStart, end, 0, length, question, rows);
  }

  protected override tailsOf(answers: readonly Answer[], isFirst: boolean, isLast: boolean): Buffer[] {
    if (!this.#isJoined) return super.tailsOf(answers, isFirst, isLast);
    const last = answers.length - 1;
    return answers.map((answer, index) => this.#partBytes(answer, isFirst && index === 0, isLast && index === last));
  }

  #partBytes(answer: Answer, isFirst: boolean, isLast: boolean): Buffer {
    return Buffer.from(this.#partOf!([answer], isFirst, isLast), "latin1");
  }

  #writeJoinedProblem(heads: Buffer, headStart: number, headEnd: number, problem: string, rows: Rows): void {
    const questions = this.#questions;
    const pieces: Buffer[] = [];
    for (const [index, question] of questions.entries()) {
      const isLast = index + 1 === questions.length;
      const answer: Answer = { ...whoOf(question), allowed: null, because: problem as UndecidedBecause };
      const part = this.#partBytes(answer, index === 0, isLast);
      const cut = part.length - (isLast ? this.#writer.lastPartEnd : this.#writer.partEnd);
      this.#parts.length = 0;
      this.#insert(index);
      const inserted = this.#parts.map(({ bytes, length }) => Buffer.from(bytes.subarray(0, length)));
      pieces.push(part.subarray(0, cut), ...inserted, part.subarray(cut));
    }
    const row = Buffer.concat(pieces);
    rows.begin(heads, headStart, headEnd, row.length);
    rows.append({ bytes: row, view: viewOf(row) }, 0, row.length);
  }

  #addRow(
    heads: Buffer,
    headStart: number,
    headEnd: number,
    from: number,
    to: number,
    question: number | undefined,
    rows: Rows,
  ): void {
    const parts = this.#parts;
    parts.length = 0;
    const size = to - from + this.#insert(question);
    rows.begin(heads, headStart, headEnd, size);
    const cut = to - this.#writer.tailEnd;
    rows.append(this.#tail, from, cut);
    for (const part of parts) rows.append(part, 0, part.length);
    rows.append(this.#tail, cut, to);
  }

  /** Adds the members for a question about the current record to `#parts`; returns the number of their bytes. */
  #insert(question: number | undefined): number {
    this.#current.question = question === undefined ? undefined : this.#questions[question];
    let size = 0;
    for (const { members, record, none } of this.#sources) {
      const values = question === undefined ? none : members.valuesOf(record);
      let inserted = this.#inserted.get(values);
      if (inserted === undefined) {
        inserted = insertedOf(this.#writer.bytesOf(members.names, values));
        this.#inserted.set(values, inserted);
      }
      this.#parts.push(inserted);
      size += inserted.length;
    }
    return size;
  }

  /** Finds the fields behind a head; returns the end of the head itself. */
  #open(heads: Buffer, headEnd: number): number {
    const current = this.#current;
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

  #sizeAt(tails: number, count: number, index: number): number {
    const { from, to } = this.#tailAt(tails, count, index);
    return to - from;
  }

  /** One of `count` tails, as a range of `#tail`. */
  #tailAt(tails: number, count: number, index: number): { readonly from: number; readonly to: number } {
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

/** The current record as one source of members sees it; its first field has index `first` among the fields of all sources. */
class CurrentRecord implements MemberRecord {
  readonly #current: Current;
  readonly #first: number;
  readonly #robotsOf: (state: OriginState) => SourcedRobots | undefined;

  constructor(current: Current, first: number, robotsOf: (state: OriginState) => SourcedRobots | undefined) {
    this.#current = current;
    this.#first = first;
    this.#robotsOf = robotsOf;
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
    return state === undefined ? undefined : this.#robotsOf(state);
  }
}

function insertedOf(text: string): Inserted {
  const bytes = Buffer.alloc(text.length + eightsOverrun);
  bytes.write(text, "latin1");
  return { bytes, view: viewOf(bytes), length: text.length };
}
