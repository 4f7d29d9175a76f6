// Records whose robots.txt is there in, output rows out: one for each record and agent.
import type { Decision } from "@robots-stream/core";
import { pageShift, placeMask } from "@robots-stream/core/matcher-table";
import { type UrlProblem, normalizeTarget } from "@robots-stream/url";
import { type Answers, tailHead } from "./answers.ts";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState } from "./origin-state.ts";
import type { OriginTable } from "./origins.ts";
import type { Answer, RecordWriter } from "./output/types.ts";
import type { Question, TargetForm } from "./questions.ts";
import type { Rows } from "./rows.ts";
import { type Tally, countProblem } from "./tally.ts";

/** What a decider needs. */
export interface DeciderOptions {
  /** Agent by agent, each with the same dialects. */
  readonly questions: readonly Question[];
  /** Only rows on which the dialects disagree. */
  readonly onlyDifferences: boolean;
  readonly targetForm: TargetForm;
  /**
   * Whether that is counted too which costs time: hits of rules in records that are left out, and records that the other form
   * of their target would decide otherwise.
   */
  readonly countsAll: boolean;
  /** Whether each record says whom it is about; then `questions` grows. */
  readonly asksByRecord?: boolean;
  readonly writer: RecordWriter;
  readonly tally: Tally;
  /** What decides, and is told what is made for an origin. */
  readonly origins: Pick<OriginTable, "answers" | "grow" | "hasForgotten">;
}

/** Who was asked about, and how, in the words of the output; writers leave the dialect out unless it was asked for. */
function whoOf({ agent, dialect, kind }: Question): Pick<Answer, "agent" | "dialect" | "kind"> {
  return kind === undefined ? { agent, dialect } : { agent, dialect, kind };
}

/** Records that are decided together: more would push one another's memory out of the processor's. */
const sliceSize = 128;

/** Makes the rows of one run, and counts them. */
export class Decider {
  readonly #questions: readonly Question[];
  /** Questions about one agent that stand one after another, when only their differences are wanted; else 1. */
  readonly #compared: number;
  readonly #isNormalized: boolean;
  readonly #countsAll: boolean;
  readonly #readsForms: boolean;
  /** Whether nothing is asked of a record but one question about its target as it is. */
  readonly #isSimple: boolean;
  /** The last target that did not stand in the input as it is. */
  #target = Buffer.alloc(1_024);
  readonly #asksByRecord: boolean;
  readonly #writer: RecordWriter;
  readonly #tally: Tally;
  readonly #origins: DeciderOptions["origins"];
  readonly #answers: Answers;
  /** What decides the records of a slice, and then where their tails stand. */
  readonly #addresses = new Int32Array(sliceSize);
  /** The ends of rows without a decision, for each question. */
  readonly #problemTails = new Map<string, readonly Buffer[]>();

  constructor(options: DeciderOptions) {
    const { questions, onlyDifferences, targetForm, countsAll, asksByRecord, writer, tally, origins } = options;
    this.#questions = questions;
    this.#asksByRecord = asksByRecord === true;
    this.#compared = onlyDifferences ? new Set(questions.map(({ dialect }) => dialect)).size : 1;
    this.#isNormalized = targetForm === "normalized";
    this.#countsAll = countsAll;
    this.#readsForms = this.#isNormalized || countsAll;
    this.#isSimple = questions.length === 1 && !this.#readsForms && !this.#asksByRecord;
    this.#writer = writer;
    this.#tally = tally;
    this.#origins = origins;
    this.#answers = origins.answers;
  }

  /**
   * Writes the rows of all records that can be decided; gives the others, in their order. Goes over so many of them step by
   * step, so that memory is waited for once for all: for what decides, then for what is to be written. Where that is not to be
   * had, or states have been forgotten, it gives all records, for `decide`.
   */
  decideAll(batch: LocatedBatch, rows: Rows): number[] {
    const left: number[] = [];
    const { count, states } = batch;
    if (!this.#isSimple || (this.#origins.hasForgotten && states.some((state) => state?.isForgotten === true))) {
      for (let record = 0; record < count; record++) left.push(record);
      return left;
    }
    for (let from = 0; from < count; from += sliceSize) {
      this.#decideSlice(batch, from, Math.min(from + sliceSize, count), left, rows);
    }
    return left;
  }

  /** The same for the records from `from` to `until`; tells those that are left. */
  #decideSlice(batch: LocatedBatch, from: number, until: number, left: number[], rows: Rows): void {
    const { heads, spans, states } = batch;
    const { table, arena } = this.#answers;
    const addresses = this.#addresses;
    for (let record = from; record < until; record++) addresses[record - from] = states[record]?.block ?? 0;
    arena.touch(addresses, until - from);
    for (let record = from; record < until; record++) {
      const block = addresses[record - from]!;
      if (block === 0) continue;
      const start = spans[record * 4 + 2]!;
      let end = spans[record * 4 + 3]!;
      let place: number;
      if (start >= 0) place = table.find(block, batch.bytes, start, end);
      else {
        end = this.#writeTarget(batch.made[end]!);
        place = table.find(block, this.#target, 0, end);
      }
      addresses[record - from] = table.valueAt(place) || this.#makeTail(states[record]!, 0, place);
    }
    arena.touch(addresses, until - from);
    const tally = this.#tally.questions[0]!;
    let decided = 0;
    let allowed = 0;
    for (let record = from; record < until; record++) {
      const tail = addresses[record - from]!;
      const start = spans[record * 4]!;
      const end = spans[record * 4 + 1]!;
      if (tail === 0) {
        if (states[record] === undefined) this.addProblem(heads, start, end, batch.made[spans[record * 4 + 3]!]!, rows);
        else left.push(record);
        continue;
      }
      const words = arena.words[tail >>> pageShift]!;
      const at = tail & placeMask;
      const length = words[at]!;
      words[at + 1]!++;
      decided++;
      allowed += length & 1;
      rows.addWords(heads, start, end, words, at + tailHead, length >>> 1);
    }
    this.#tally.decided += decided;
    tally.allowed += allowed;
    tally.disallowed += decided - allowed;
  }

  /** Writes the rows of a record; false when it has to wait for its origin. */
  decide(batch: LocatedBatch, record: number, rows: Rows): boolean {
    const { heads, spans } = batch;
    const start = spans[record * 4]!;
    const end = spans[record * 4 + 1]!;
    const state = batch.states[record];
    const targetStart = spans[record * 4 + 2]!;
    const targetEnd = spans[record * 4 + 3]!;
    if (state === undefined) this.addProblem(heads, start, end, batch.made[targetEnd]!, rows);
    else if (!state.isReady) return false;
    else if (targetStart >= 0) this.addRows(heads, start, end, state, batch.bytes, targetStart, targetEnd, rows);
    else {
      const size = this.#writeTarget(batch.made[targetEnd]!);
      this.addRows(heads, start, end, state, this.#target, 0, size, rows);
    }
    return true;
  }

  /** Writes the rows of a record whose origin is ready; head and target are the bytes from start to end. */
  addRows(
    heads: Buffer,
    start: number,
    end: number,
    state: OriginState,
    raw: Buffer,
    rawStart: number,
    rawEnd: number,
    rows: Rows,
  ): void {
    this.#tally.decided++;
    let target = raw;
    let targetStart = rawStart;
    let targetEnd = rawEnd;
    if (this.#readsForms && hasOtherForm(raw, rawStart, rawEnd)) {
      const form = this.#formOf(state, raw.toString("latin1", rawStart, rawEnd));
      targetStart = 0;
      targetEnd = this.#writeTarget(form);
      target = this.#target;
    }
    if (this.#compared > 1) {
      this.#addDifferences(heads, start, end, state, target, targetStart, targetEnd, rows);
      return;
    }
    const { table } = this.#answers;
    const { block, others } = state;
    let place = table.find(block, target, targetStart, targetEnd);
    this.#addTail(heads, start, end, this.#tailOf(state, 0, place), rows);
    // Crawlers of one group share a matcher: it is asked once.
    let asked = block;
    for (let index = 0; index < others.length; index++) {
      if (others[index] !== asked) {
        asked = others[index]!;
        place = table.find(asked, target, targetStart, targetEnd);
      }
      this.#addTail(heads, start, end, this.#tailOf(state, index + 1, place), rows);
    }
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

  /** Writes the rows of a record whose URL no robots.txt speaks about; why is what stands for its target. */
  addProblem(heads: Buffer, start: number, end: number, text: string, rows: Rows): void {
    const problem = text as UrlProblem;
    this.#tally.decided++;
    if (this.#asksByRecord) {
      this.#addProblemOfRecord(heads, start, end, problem, rows);
      return;
    }
    let tails = this.#problemTails.get(problem);
    if (tails === undefined) {
      tails = this.#questions.map((question) => this.#bytesOf({ ...whoOf(question), allowed: null, because: problem }));
      this.#problemTails.set(problem, tails);
    }
    for (let index = 0; index < tails.length; index++) {
      countProblem(this.#tally.questions[index]!, problem);
      if (this.#compared === 1) rows.add(heads, start, end, tails[index]!);
    }
    if (this.#compared > 1) this.#tally.alike++;
  }

  /** The same where the record says whom it is about: nobody, or a crawler whose name stands behind the problem. */
  #addProblemOfRecord(heads: Buffer, start: number, end: number, problem: string, rows: Rows): void {
    const space = problem.indexOf(" ");
    const because = (space < 0 ? problem : problem.slice(0, space)) as UrlProblem | "not-a-crawler";
    const asked =
      space < 0 ? [] : this.#tally.questions.filter((each) => each.question.agent === problem.slice(space + 1));
    for (const each of asked) countProblem(each, because);
    let tails = this.#problemTails.get(problem);
    if (tails === undefined) {
      const who = asked.length === 0 ? [{ agent: null }] : asked.map(({ question }) => whoOf(question));
      tails = who.map((each) => this.#bytesOf({ ...each, allowed: null, because }));
      this.#problemTails.set(problem, tails);
    }
    if (asked.length === 0) this.#tally.strangers++;
    for (const tail of tails) rows.add(heads, start, end, tail);
  }

  /** The form of a target that is asked for; counts the record when the other form would be decided otherwise. */
  #formOf(state: OriginState, raw: string): string {
    const normalized = normalizeTarget(raw);
    if (normalized === raw) return raw;
    const { table } = this.#answers;
    const isAllowed = (block: number, target: string): boolean =>
      table.isAllowed(table.find(block, this.#target, 0, this.#writeTarget(target)));
    const isOther = (block: number): boolean => isAllowed(block, raw) !== isAllowed(block, normalized);
    if (this.#countsAll && (isOther(state.block) || state.others.some(isOther))) this.#tally.otherForm++;
    return this.#isNormalized ? normalized : raw;
  }

  /** Writes the rows of the agents about whom the dialects disagree. */
  #addDifferences(
    heads: Buffer,
    start: number,
    end: number,
    state: OriginState,
    target: Buffer,
    targetStart: number,
    targetEnd: number,
    rows: Rows,
  ): void {
    const { table, arena } = this.#answers;
    let isAlike = true;
    for (let first = 0; first < this.#questions.length; first += this.#compared) {
      const tails: number[] = [];
      for (let index = first; index < first + this.#compared; index++) {
        const block = state.blockAt(index);
        tails.push(this.#tailOf(state, index, table.find(block, target, targetStart, targetEnd)));
      }
      const allows = tails.map((tail) => arena.words[tail >>> pageShift]![tail & placeMask]! & 1);
      if (allows.every((each) => each === allows[0])) continue;
      isAlike = false;
      for (const tail of tails) this.#addTail(heads, start, end, tail, rows);
    }
    if (isAlike) this.#tally.alike++;
  }

  /** The end of a row is made once a rule. */
  #makeTail(state: OriginState, index: number, place: number): number {
    const block = state.blockAt(index);
    const decision = this.#answers.table.decisionAt(block, place);
    const bytes = this.#bytesOf(answerOf(this.#questions[state.first + index]!, state, decision));
    this.#origins.grow(state, this.#answers.bytesOfTail(bytes.length));
    return this.#answers.keepTail(state, index, place, bytes, decision.allowed);
  }

  #bytesOf(answer: Answer): Buffer {
    return Buffer.from(this.#writer.tailOf(answer), "latin1");
  }

  /** Writes a target where it can be decided as bytes; gives its length. */
  #writeTarget(target: string): number {
    if (this.#target.length < target.length * 3) this.#target = Buffer.allocUnsafe(target.length * 6);
    return this.#target.write(target);
  }
}

/** Whether a target may have another form: nearly none does. */
function hasOtherForm(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] === 0x25 || (bytes[at] === 0x2e && bytes[at - 1] === 0x2f)) return true;
  }
  return false;
}

/** A decision in the words of the output. */
export function answerOf(question: Question, state: Pick<OriginState, "origin" | "code">, decision: Decision): Answer {
  const { allowed, because } = decision;
  const { origin, code } = state;
  const who = whoOf(question);
  if (because === "unavailable" || because === "unreachable") return { ...who, allowed, because, code, origin };
  if (because !== "rule" && because !== "no-rule") return { ...who, allowed, because, origin };
  const { productToken } = decision;
  const chosen = { ...who, allowed, because, ...(productToken === question.agent ? {} : { group: productToken }) };
  if (because !== "rule") return { ...chosen, origin };
  const { type, pattern, line } = decision.rule;
  return { ...chosen, rule: pattern === "" ? `${type}:` : `${type}: ${pattern}`, line, origin };
}
