// Records whose robots.txt is there in, output rows out: one for each record and agent.
import type { Decision, Matcher } from "@robots-stream/core";
import type { ByteMatcher } from "@robots-stream/core/byte-matcher";
import { type UrlProblem, normalizeTarget } from "@robots-stream/url";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState, Tail } from "./origin-state.ts";
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
  /** Is told what is made for an origin, and takes memory. */
  readonly origins: Pick<OriginTable, "grow" | "index" | "hasForgotten">;
}

/** Decisions after which a matcher makes an index. */
const decisionsBeforeIndex = 16;

/** Who was asked about, and how, in the words of the output; writers leave the dialect out unless it was asked for. */
function whoOf({ agent, dialect, kind }: Question): Pick<Answer, "agent" | "dialect" | "kind"> {
  return kind === undefined ? { agent, dialect } : { agent, dialect, kind };
}

/** Makes the rows of one run, and counts them. */
export class Decider {
  readonly #questions: readonly Question[];
  /** Questions about one agent that stand one after another, when only their differences are wanted; else 1. */
  readonly #compared: number;
  readonly #isNormalized: boolean;
  readonly #countsAll: boolean;
  readonly #readsForms: boolean;
  /** The last target that did not stand in the input as it is. */
  #target = Buffer.alloc(1_024);
  readonly #asksByRecord: boolean;
  readonly #writer: RecordWriter;
  readonly #tally: Tally;
  readonly #origins: Pick<OriginTable, "grow" | "index" | "hasForgotten">;
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
    this.#writer = writer;
    this.#tally = tally;
    this.#origins = origins;
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
    else if (state.matchers === undefined) return false;
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
    if (state.asked++ === decisionsBeforeIndex) this.#origins.index(state);
    let target = raw;
    let targetStart = rawStart;
    let targetEnd = rawEnd;
    if (this.#readsForms && hasOtherForm(raw, rawStart, rawEnd)) {
      const form = this.#formOf(state, raw.toString("latin1", rawStart, rawEnd));
      targetStart = 0;
      targetEnd = this.#writeTarget(form);
      target = this.#target;
    }
    const { first, byteMatchers, tails } = state;
    if (this.#compared > 1) {
      this.#addDifferences(heads, start, end, state, target, targetStart, targetEnd, rows);
      return;
    }
    const questions = this.#tally.questions;
    // Crawlers of one group share a matcher: it is asked once.
    let asked: ByteMatcher | undefined;
    let place = 0;
    for (let index = 0; index < byteMatchers.length; index++) {
      const matcher = byteMatchers[index]!;
      if (matcher !== asked) {
        asked = matcher;
        place = matcher.find(target, targetStart, targetEnd);
      }
      const tail = tails[index]![place] ?? this.#makeTail(state, index, place);
      tail.hits++;
      const tally = questions[first + index]!;
      if (tail.allowed) tally.allowed++;
      else tally.disallowed++;
      rows.add(heads, start, end, tail.bytes);
    }
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
    const isOther = (matcher: Matcher): boolean =>
      matcher.decideTarget(raw).allowed !== matcher.decideTarget(normalized).allowed;
    if (this.#countsAll && state.matchers?.some(isOther) === true) this.#tally.otherForm++;
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
    let isAlike = true;
    for (let first = 0; first < this.#questions.length; first += this.#compared) {
      const tails: Tail[] = [];
      for (let index = first; index < first + this.#compared; index++) {
        const place = state.byteMatchers[index]!.find(target, targetStart, targetEnd);
        const tail = state.tails[index]![place] ?? this.#makeTail(state, index, place);
        tail.hits++;
        const tally = this.#tally.questions[index]!;
        if (tail.allowed) tally.allowed++;
        else tally.disallowed++;
        tails.push(tail);
      }
      if (tails.every(({ allowed }) => allowed === tails[0]!.allowed)) continue;
      isAlike = false;
      for (const { bytes } of tails) rows.add(heads, start, end, bytes);
    }
    if (isAlike) this.#tally.alike++;
  }

  /** A matcher gives the same place for the same rule, so the end of the row is made once a rule. */
  #makeTail(state: OriginState, index: number, place: number): Tail {
    const decision = state.byteMatchers[index]!.decisionAt(place);
    let bytes = this.#bytesOf(answerOf(this.#questions[state.first + index]!, state, decision));
    if (this.#origins.hasForgotten) bytes = ownCopyOf(bytes);
    this.#origins.grow(state, bytes.length);
    const tail: Tail = { bytes, allowed: decision.allowed, hits: 0 };
    state.keepTail(index, place, tail);
    return tail;
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

/** Small buffers are pieces of a large one, which stays as long as one of them does: those that come and go need their own. */
function ownCopyOf(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
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
