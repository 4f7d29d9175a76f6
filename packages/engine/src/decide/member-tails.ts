// Writes the rows of decisions with the members that differ from record to record (see record-members.ts).
import { type Arena, pageShift, placeMask } from "@robots-stream/core/internal";
import type { MemberWriter, UndecidedBecause } from "../formats/types.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { RecordRange } from "../records/record-range.ts";
import type { Memory, Rows } from "../records/rows.ts";
import { eightsOverrun, viewOf, type Words, wordsOf } from "../records/words.ts";
import type { Answer } from "../formats/types.ts";
import type { Question } from "../questions/questions.ts";
import { whoOf } from "./answer.ts";
import { headOf, tailHead } from "../origins/answers.ts";
import { ChosenTails } from "./chosen-tails.ts";
import { type Current, CurrentRecord } from "./current-record.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { type MemberRecord, type MemberValues, type RecordMembers, lengthBytes } from "./record-members.ts";

/** Bytes to add to rows: the first `length` bytes of `bytes`. `bytes` is longer, so that they can be copied eight at a time. */
interface Inserted extends Memory {
  readonly length: number;
}

/** Row tails for rows with members per record. */
export class MemberTails extends ChosenTails {
  readonly #questions: readonly Question[];
  readonly #writer: MemberWriter;
  readonly #partOf: ((answers: readonly Answer[], isFirst: boolean, isLast: boolean) => string) | undefined;
  readonly #tailOf: (answer: Answer) => string;
  #lastUndecided:
    | { readonly question: number; readonly problem: string; readonly origin: string; readonly tail: Words }
    | undefined;
  readonly #isJoined: boolean;
  readonly #arena: Arena;
  readonly #sources: readonly {
    readonly members: RecordMembers;
    readonly record: MemberRecord;
    readonly none: MemberValues;
  }[];
  readonly #fields: number;
  /** Whether a source can withdraw the answer of a record (`undecidedOf`). */
  readonly #canBeUndecided: boolean;
  readonly #current: Current;
  /** The index of the first question of the current run of questions. */
  #first = 0;
  readonly #inserted = new WeakMap<MemberValues, Inserted>();
  /** The bytes to add to the current row, one element for each source. */
  readonly #parts: Inserted[] = [];
  readonly #tail: { -readonly [Name in keyof Memory]: Memory[Name] };

  constructor(options: DeciderOptions, members: readonly RecordMembers[]) {
    super(options, options.only);
    const { questions, writer, rows, matchers } = options;
    this.#questions = questions;
    this.#writer = writer.members!;
    this.#partOf = writer.partOf;
    this.#tailOf = (answer) => writer.tailOf(answer);
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
      const record = new CurrentRecord(current, first, matchers);
      first += each.fields.length;
      return { members: each, record, none: each.names.map(() => undefined) };
    });
    this.#fields = first;
    this.#canBeUndecided = members.some(({ undecidedOf }) => undecidedOf !== undefined);
    this.#tail = { bytes: none, view: viewOf(none) };
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

  override writeEach(
    { heads, headStart, headEnd }: RecordRange,
    tails: number,
    count: number,
    from: number,
    end: number,
    rows: Rows,
  ): number {
    let index = from;
    const leavesOut = this.leavesOut(tails);
    if (leavesOut && !this.#canBeUndecided) {
      for (; index < end; index++) this.leaveOut(rows);
      return end;
    }
    const open = this.#open(heads, headEnd);
    this.#current.isAllowed = this.isAllowed(tails);
    do {
      const question = this.#first + index;
      const problem = this.#undecidedOf(question);
      if (problem !== undefined) {
        this.countUndecided(question, index, tails, problem);
        if (this.leavesOutProblem(problem)) this.leaveOut(rows);
        else this.#addWhole(heads, headStart, open, question, this.#undecidedTail(question, problem), rows);
      } else if (leavesOut) this.leaveOut(rows);
      else {
        const tail = this.#tailAt(tails, count, index);
        this.#addRow(heads, headStart, open, tail.from, tail.to, question, rows);
      }
      index++;
    } while (index < end && !rows.isFull);
    return index;
  }

  override writeJoined({ heads, headStart, headEnd }: RecordRange, parts: readonly number[], rows: Rows): void {
    const end = this.#open(heads, headEnd);
    const { state } = this.#current;
    const { ends } = state!.runs;
    const pieces: Inserted[] = [];
    /** By index of the question: the bytes of the answer when a source withdrew the decision; otherwise undefined. */
    const undecided: (Buffer | undefined)[] = [];
    let size = 0;
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      this.#current.isAllowed = this.isAllowed(parts[run]!);
      for (let index = start; index < ends[run]!; index++) {
        this.#parts.length = 0;
        const part = (undecided[index] = this.#undecidedPart(index, index - start, parts[run]!));
        const partSize = part?.length ?? this.#sizeAt(parts[run]!, ends[run]! - start, index - start);
        size += this.#insert(state!.first + index) + partSize;
        pieces.push(...this.#parts);
      }
    }
    rows.begin(heads, headStart, end, size);
    let piece = 0;
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      for (let index = start; index < ends[run]!; index++) {
        const isLast = index + 1 === state!.questions;
        const after = isLast ? this.#writer.lastPartEnd : this.#writer.partEnd;
        const part = undecided[index];
        const { from, to } =
          part === undefined
            ? this.#tailAt(parts[run]!, ends[run]! - start, index - start)
            : { from: 0, to: part.length };
        if (part !== undefined) {
          this.#tail.view = viewOf(part);
          this.#tail.bytes = part;
        }
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
    this.#addWhole(heads, headStart, end, question, this.problemTailOf(question, problem), rows);
  }

  /** Adds a row with a tail that is not in the arena. */
  #addWhole(
    heads: Buffer,
    headStart: number,
    headEnd: number,
    question: number | undefined,
    { view, length }: Words,
    rows: Rows,
  ): void {
    this.#tail.view = view;
    this.#tail.bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    this.#addRow(heads, headStart, headEnd, 0, length, question, rows);
  }

  /**
   * The tail of the current record's row for a question whose decision was withdrawn for the reason `problem`. Adjacent rows mostly have
   * the same tail, so the last tail is cached.
   */
  #undecidedTail(question: number, problem: UndecidedBecause): Words {
    const { origin } = this.#current.state!;
    const last = this.#lastUndecided;
    if (last?.question === question && last.problem === problem && last.origin === origin) return last.tail;
    const answer = this.#undecidedAnswer(question, problem);
    const tail = wordsOf(this.#tailOf(answer));
    this.#lastUndecided = { question, problem, origin, tail };
    return tail;
  }

  #undecidedAnswer(question: number, problem: UndecidedBecause): Answer {
    return {
      ...whoOf(this.#questions[question]!),
      allowed: null,
      because: problem,
      origin: this.#current.state!.origin,
    };
  }

  /** The reason why a source withdraws the decision about the current record for a question; undefined when no source does. */
  #undecidedOf(question: number): UndecidedBecause | undefined {
    if (!this.#canBeUndecided) return undefined;
    this.#current.question = this.#questions[question];
    for (const { members, record } of this.#sources) {
      const problem = members.undecidedOf?.(record);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  protected override tailsOf(answers: readonly Answer[], isFirst: boolean, isLast: boolean): Buffer[] {
    if (!this.#isJoined) return super.tailsOf(answers, isFirst, isLast);
    const last = answers.length - 1;
    return answers.map((answer, index) => this.#partBytes(answer, isFirst && index === 0, isLast && index === last));
  }

  /**
   * The bytes of a question's answer when a source withdrew the decision about the current record; undefined when no source did. Counts the
   * question as undecided. `tails` is the address of the tails of its run of questions, `indexInRun` its index in this run.
   */
  #undecidedPart(index: number, indexInRun: number, tails: number): Buffer | undefined {
    const { first, questions } = this.#current.state!;
    const problem = this.#undecidedOf(first + index);
    if (problem === undefined) return undefined;
    this.countUndecided(first + index, indexInRun, tails, problem);
    return this.#partBytes(this.#undecidedAnswer(first + index, problem), index === 0, index + 1 === questions);
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

  /** Appends the bytes of the members for a question about the current record to `#parts`; returns the number of these bytes. */
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

  /**
   * Sets `#current.heads` and the offsets of the fields that follow a head. `headEnd` is the end of the field lengths after these fields.
   * Returns the end of the head without its fields.
   */
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

  /**
   * Sets `#tail` to the memory of `count` tails at the address `tails`. Returns the bytes of the tail at `index`, as a range of `#tail`.
   */
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

function insertedOf(text: string): Inserted {
  const bytes = Buffer.alloc(text.length + eightsOverrun);
  bytes.write(text, "latin1");
  return { bytes, view: viewOf(bytes), length: text.length };
}
