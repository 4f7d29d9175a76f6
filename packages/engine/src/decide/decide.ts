// Records whose robots.txt is there in, output rows out: one for each record and agent.
import { pageShift, placeMask } from "@robots-stream/core/internal";
import type { TargetProblem } from "../locate/target.ts";
import { answerOf } from "./answer.ts";
import { type Answers, tailHead } from "./answers.ts";
import { AskedPlaces } from "./asked-places.ts";
import type { LocatedBatch } from "../locate/locate.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { DeciderOptions } from "./decider-options.ts";
import type { Answer, RecordWriter } from "../formats/types.ts";
import { OtherForm, roomFor } from "./other-form.ts";
import { ProblemTails } from "./problem-tails.ts";
import type { Question } from "../questions.ts";
import type { Rows } from "../records/rows.ts";
import { type Tally, countProblem } from "../tally.ts";

/** Records that are decided together: more would push one another's memory out of the processor's. */
const sliceSize = 128;

/** Makes the rows of one run, and counts them. */
export class Decider {
  readonly #questions: readonly Question[];
  /** Questions about one agent that stand one after another, when only their differences are wanted; else 1. */
  readonly #compared: number;
  /** Whether nothing is asked of a record but one question about its target as it is. */
  readonly #isSimple: boolean;
  /** The last target that did not stand in the input as it is. */
  #target: Buffer = Buffer.alloc(1_024);
  readonly #asksByRecord: boolean;
  readonly #writer: RecordWriter;
  readonly #tally: Tally;
  readonly #origins: DeciderOptions["origins"];
  readonly #answers: Answers;
  /** What decides the records of a slice, and then where their tails stand. */
  readonly #addresses = new Int32Array(sliceSize);
  readonly #problemTails: ProblemTails;
  /** The question of the record under way whose row is the next; 0 when no record is. */
  #from = 0;
  /** What is known of that record: whether the dialects agreed so far, and the form of its target. */
  #isAlike = true;
  readonly #form: OtherForm | undefined;
  readonly #places: AskedPlaces;

  constructor(options: DeciderOptions) {
    const { questions, onlyDifferences, targetForm, countsAll, asksByRecord, writer, tally, origins } = options;
    this.#questions = questions;
    this.#asksByRecord = asksByRecord === true;
    this.#compared = onlyDifferences ? new Set(questions.map(({ dialect }) => dialect)).size : 1;
    const isNormalized = targetForm === "normalized";
    if (isNormalized || countsAll) {
      this.#form = new OtherForm({ table: origins.answers.table, isNormalized, counts: countsAll });
    }
    this.#isSimple = questions.length === 1 && this.#form === undefined && !this.#asksByRecord;
    this.#writer = writer;
    this.#tally = tally;
    this.#origins = origins;
    this.#answers = origins.answers;
    this.#places = new AskedPlaces(this.#answers.table);
    this.#problemTails = new ProblemTails((answer) => this.#bytesOf(answer));
  }

  /** Whether only some rows of the last record are made, because the others were full: it has to be gone on with before others. */
  get hasBegun(): boolean {
    return this.#from > 0;
  }

  /**
   * Writes the rows of the records from `record` to `end` until the rows are full; gives the record to go on with. Those that have
   * to wait for their origin are added to `waiting`; without it the first of them is where it stops.
   */
  decideFrom(batch: LocatedBatch, record: number, end: number, rows: Rows, waiting?: number[]): number {
    let next = record;
    while (next < end && !rows.isFull) {
      if (this.#isSimple) {
        const until = this.#decideSlice(batch, next, Math.min(next + sliceSize, end), rows, waiting);
        if (until > next) {
          next = until;
          continue;
        }
      }
      const isWhole = this.#decide(batch, next, rows);
      if (isWhole === false) break;
      if (isWhole === undefined) {
        if (waiting === undefined) break;
        waiting.push(next);
      }
      next++;
    }
    return next;
  }

  /**
   * The same for simple records before `end`, so many of them step by step that memory is waited for once for all: for what
   * decides, then for what is to be written. It stops before what it cannot decide, such as a state that was forgotten.
   */
  #decideSlice(batch: LocatedBatch, from: number, end: number, rows: Rows, waiting: number[] | undefined): number {
    const { heads, spans, states } = batch;
    const { table, arena } = this.#answers;
    const addresses = this.#addresses;
    const { turn } = rows;
    let until = end;
    for (let record = from; record < until; record++) {
      const state = states[record];
      const block = state?.block ?? 0;
      addresses[record - from] = block;
      if (block === 0 && state !== undefined && (waiting === undefined || state.isForgotten)) until = record;
    }
    arena.touch(addresses, until - from);
    for (let record = from; record < until; record++) {
      const block = addresses[record - from]!;
      if (block === 0) continue;
      const start = spans[record * 4 + 2]!;
      let targetEnd = spans[record * 4 + 3]!;
      let place: number;
      if (start >= 0) place = table.find(block, batch.bytes, start, targetEnd);
      else {
        targetEnd = this.#writeTarget(batch.made[targetEnd]!);
        place = table.find(block, this.#target, 0, targetEnd);
      }
      turn.count(table.isAsked(block, targetEnd - Math.max(start, 0)));
      let tail = table.valueAt(place);
      if (tail === 0) {
        tail = this.#makeTail(states[record]!, 0, place);
        if (this.#origins.isTrimDue) until = record + 1;
      }
      if (turn.isOver) until = record + 1;
      addresses[record - from] = tail;
    }
    arena.touch(addresses, until - from);
    const tally = this.#tally.questions[0]!;
    let decided = 0;
    let allowed = 0;
    for (let record = from; record < until; record++) {
      const tail = addresses[record - from]!;
      const start = spans[record * 4]!;
      const headEnd = spans[record * 4 + 1]!;
      if (tail === 0) {
        if (states[record] !== undefined) waiting!.push(record);
        else this.addProblem(heads, start, headEnd, batch.made[spans[record * 4 + 3]!]!, rows);
        continue;
      }
      const words = arena.words[tail >>> pageShift]!;
      const at = tail & placeMask;
      const length = words[at]!;
      words[at + 1]!++;
      decided++;
      allowed += length & 1;
      rows.addWords(heads, start, headEnd, words, at + tailHead, length >>> 1);
      if (rows.isOverfull) until = record + 1;
    }
    this.#tally.decided += decided;
    tally.allowed += allowed;
    tally.disallowed += decided - allowed;
    if (this.#origins.isTrimDue) this.#origins.trim(states[until - 1]);
    return until;
  }

  /** Writes rows of one record. Gives whether these were the last ones; undefined when it has to wait for its origin. */
  #decide(batch: LocatedBatch, record: number, rows: Rows): boolean | undefined {
    const { heads, spans, states } = batch;
    const start = spans[record * 4]!;
    const end = spans[record * 4 + 1]!;
    const targetStart = spans[record * 4 + 2]!;
    const targetEnd = spans[record * 4 + 3]!;
    let state = states[record];
    if (state === undefined) return this.addProblem(heads, start, end, batch.made[targetEnd]!, rows);
    if (!state.isReady) {
      state = states[record] = this.#origins.currentOf(state);
      // It may have been made again.
      rows.turn.count(true);
      if (!state.isReady) return undefined;
    }
    if (targetStart >= 0) return this.addRows(heads, start, end, state, batch.bytes, targetStart, targetEnd, rows);
    const size = this.#writeTarget(batch.made[targetEnd]!);
    return this.addRows(heads, start, end, state, this.#target, 0, size, rows);
  }

  /**
   * Writes rows of a record whose origin is ready; head and target are the bytes from start to end. Stops when the rows are full,
   * and is to be called again for this record then, perhaps with a state that was made again. Gives whether all are written.
   */
  addRows(
    heads: Buffer,
    start: number,
    end: number,
    state: OriginState,
    raw: Buffer,
    rawStart: number,
    rawEnd: number,
    rows: Rows,
  ): boolean {
    let target = raw;
    let targetStart = rawStart;
    let targetEnd = rawEnd;
    const form = this.#form;
    if (form !== undefined) {
      if (this.#from === 0 && form.write(state, raw, rawStart, rawEnd)) this.#tally.otherForm++;
      if (form.isAsked) {
        target = form.bytes;
        targetStart = 0;
        targetEnd = form.size;
      }
    }
    const isWhole =
      this.#compared > 1
        ? this.#addDifferences(heads, start, end, state, target, targetStart, targetEnd, rows)
        : this.#addEach(heads, start, end, state, target, targetStart, targetEnd, rows);
    if (isWhole) {
      this.#from = 0;
      this.#tally.decided++;
      this.#places.clear();
    }
    return isWhole;
  }

  /** Writes the rows from the question on that is next. */
  #addEach(
    heads: Buffer,
    start: number,
    end: number,
    state: OriginState,
    target: Buffer,
    targetStart: number,
    targetEnd: number,
    rows: Rows,
  ): boolean {
    const origins = this.#origins;
    const count = state.others.length + 1;
    let asked = 0;
    let place = 0;
    for (let index = this.#from; index < count; index++) {
      if (origins.isTrimDue) {
        origins.trim(state);
        asked = 0;
      }
      // Crawlers of one group share a matcher: it is asked once.
      const block = state.blockAt(index);
      if (block !== asked) {
        asked = block;
        place = this.#places.find(state, block, target, targetStart, targetEnd, rows.turn);
      }
      this.#addTail(heads, start, end, this.#tailOf(state, index, place), rows);
      if (rows.isFull && index + 1 < count) {
        this.#from = index + 1;
        return false;
      }
    }
    return true;
  }

  /** Where the end of rows stands for a decision; it is counted. */
  #tailOf(state: OriginState, index: number, place: number): number {
    const tail = this.#answers.tailAt(state, index, place) || this.#makeTail(state, index, place);
    const words = this.#answers.arena.words[tail >>> pageShift]!;
    words[(tail & placeMask) + 1]!++;
    const tally = this.#tally.questions[state.first + index]!;
    if ((words[tail & placeMask]! & 1) === 1) tally.allowed++;
    else tally.disallowed++;
    return tail;
  }

  #addTail(heads: Buffer, start: number, end: number, tail: number, rows: Rows): void {
    const words = this.#answers.arena.words[tail >>> pageShift]!;
    const at = tail & placeMask;
    rows.addWords(heads, start, end, words, at + tailHead, words[at]! >>> 1);
  }

  /**
   * Writes rows of a record whose URL no robots.txt speaks about; why is what stands for its target. Stops like `addRows`; gives
   * whether all are written.
   */
  addProblem(heads: Buffer, start: number, end: number, text: string, rows: Rows): boolean {
    if (this.#asksByRecord) {
      this.#addProblemOfRecord(heads, start, end, text, rows);
      return true;
    }
    const problem = text as TargetProblem;
    const count = this.#questions.length;
    for (let index = this.#from; index < count; index++) {
      countProblem(this.#tally.questions[index]!, problem);
      if (this.#compared > 1) rows.leaveOut();
      else rows.add(heads, start, end, this.#problemTails.tailOf(this.#questions[index], index, problem));
      if (rows.isFull && index + 1 < count) {
        this.#from = index + 1;
        return false;
      }
    }
    this.#from = 0;
    this.#tally.decided++;
    if (this.#compared > 1) this.#tally.alike++;
    return true;
  }

  /** The same where the record says whom it is about: nobody, or a crawler whose name stands behind the problem. */
  #addProblemOfRecord(heads: Buffer, start: number, end: number, problem: string, rows: Rows): void {
    this.#tally.decided++;
    const space = problem.indexOf(" ");
    if (space < 0) {
      this.#tally.strangers++;
      rows.add(heads, start, end, this.#problemTails.tailOf(undefined, 0, problem as "not-a-crawler"));
      return;
    }
    const because = problem.slice(0, space) as TargetProblem;
    const agent = problem.slice(space + 1);
    for (const [index, tally] of this.#tally.questions.entries()) {
      if (tally.question.agent !== agent) continue;
      countProblem(tally, because);
      rows.add(heads, start, end, this.#problemTails.tailOf(tally.question, index, because));
    }
  }

  /** Writes the rows of the agents about whom the dialects disagree, from the question on that is next. */
  #addDifferences(
    heads: Buffer,
    start: number,
    end: number,
    state: OriginState,
    target: Buffer,
    targetStart: number,
    targetEnd: number,
    rows: Rows,
  ): boolean {
    const { arena } = this.#answers;
    const origins = this.#origins;
    const compared = this.#compared;
    const count = this.#questions.length;
    if (this.#from === 0) this.#isAlike = true;
    const tails = new Int32Array(compared);
    for (let first = this.#from; first < count; first += compared) {
      if (origins.isTrimDue) origins.trim(state);
      let allowed = 0;
      for (let at = 0; at < compared; at++) {
        const block = state.blockAt(first + at);
        const place = this.#places.find(state, block, target, targetStart, targetEnd, rows.turn);
        const tail = (tails[at] = this.#tailOf(state, first + at, place));
        allowed += arena.words[tail >>> pageShift]![tail & placeMask]! & 1;
      }
      if (allowed === 0 || allowed === compared) rows.leaveOut();
      else {
        this.#isAlike = false;
        for (const tail of tails) this.#addTail(heads, start, end, tail, rows);
      }
      if (rows.isFull && first + compared < count) {
        this.#from = first + compared;
        return false;
      }
    }
    if (this.#isAlike) this.#tally.alike++;
    return true;
  }

  /** The end of a row is made once a rule. */
  #makeTail(state: OriginState, index: number, place: number): number {
    const decision = this.#answers.decisionOf(state, index, place);
    const bytes = this.#bytesOf(answerOf(this.#questions[state.first + index]!, state, decision));
    this.#origins.growTails(state, this.#answers.bytesOfTail(state, index, place, bytes.length));
    return this.#answers.keepTail(state, index, place, bytes, decision.allowed);
  }

  #bytesOf(answer: Answer): Buffer {
    return Buffer.from(this.#writer.tailOf(answer), "latin1");
  }

  /** Writes a target where it can be decided as bytes; gives its length. */
  #writeTarget(target: string): number {
    this.#target = roomFor(this.#target, target);
    return this.#target.write(target);
  }
}
