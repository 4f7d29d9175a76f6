// Records whose robots.txt is there in, output rows out: one for each record and agent.
import type { Decision, Matcher } from "@robots-stream/core";
import { type UrlProblem, normalizeTarget } from "@robots-stream/url";
import { type LocatedBatch, targetOf } from "./locate.ts";
import type { OriginState } from "./origin-state.ts";
import type { OriginTable } from "./origins.ts";
import type { Answer, RecordWriter } from "./output/types.ts";
import type { Question, TargetForm } from "./questions.ts";
import type { Rows } from "./rows.ts";
import type { Tally } from "./tally.ts";

/** What a decider needs. */
export interface DeciderOptions {
  /** Agent by agent, each with the same dialects. */
  readonly questions: readonly Question[];
  /** Only rows on which the dialects disagree. */
  readonly onlyDifferences: boolean;
  readonly targetForm: TargetForm;
  /** Whether records are counted that the other form of their target would decide otherwise. */
  readonly countsOtherForm: boolean;
  /** Whether each record says whom it is about; then `questions` grows. */
  readonly asksByRecord?: boolean;
  readonly writer: RecordWriter;
  readonly tally: Tally;
  /** Is told what is made for an origin, and takes memory. */
  readonly origins: Pick<OriginTable, "grow" | "index">;
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
  readonly #countsOtherForm: boolean;
  readonly #asksByRecord: boolean;
  readonly #writer: RecordWriter;
  readonly #tally: Tally;
  readonly #origins: Pick<OriginTable, "grow" | "index">;
  /** The ends of rows without a decision, for each question. */
  readonly #problemTails = new Map<string, readonly string[]>();

  constructor(options: DeciderOptions) {
    const { questions, onlyDifferences, targetForm, countsOtherForm, asksByRecord, writer, tally, origins } = options;
    this.#questions = questions;
    this.#asksByRecord = asksByRecord === true;
    this.#compared = onlyDifferences ? new Set(questions.map(({ dialect }) => dialect)).size : 1;
    this.#isNormalized = targetForm === "normalized";
    this.#countsOtherForm = countsOtherForm;
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
    if (state === undefined) {
      this.addProblem(heads, start, end, targetOf(batch, record), rows);
      return true;
    }
    if (state.matchers === undefined) return false;
    this.addRows(heads, start, end, state, targetOf(batch, record), rows);
    return true;
  }

  /** Writes the rows of a record whose origin is ready; its head is the bytes from `start` to `end`. */
  addRows(heads: Buffer, start: number, end: number, state: OriginState, raw: string, rows: Rows): void {
    this.#tally.decided++;
    if (state.asked++ === decisionsBeforeIndex) this.#origins.index(state);
    const target = this.#isNormalized || this.#countsOtherForm ? this.#formOf(state, raw) : raw;
    if (this.#compared > 1) {
      this.#addDifferences(heads, start, end, state, target, rows);
      return;
    }
    const matchers = state.matchers!;
    const { first } = state;
    const questions = this.#tally.questions;
    // Crawlers of one group share a matcher: it is asked once.
    let asked: Matcher | undefined;
    let decision: Decision | undefined;
    for (let index = 0; index < matchers.length; index++) {
      const matcher = matchers[index]!;
      if (decision === undefined || matcher !== asked) {
        asked = matcher;
        decision = matcher.decideTarget(target);
      }
      const tally = questions[first + index]!;
      if (decision.allowed) tally.allowed++;
      else tally.disallowed++;
      rows.add(heads, start, end, this.#tailOf(state, index, decision));
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
      tails = this.#questions.map((question) =>
        this.#writer.tailOf({ ...whoOf(question), allowed: null, because: problem }),
      );
      this.#problemTails.set(problem, tails);
    }
    for (let index = 0; index < tails.length; index++) {
      this.#tally.questions[index]!.undecided++;
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
    for (const each of asked) each.undecided++;
    let tails = this.#problemTails.get(problem);
    if (tails === undefined) {
      const who = asked.length === 0 ? [{ agent: null }] : asked.map(({ question }) => whoOf(question));
      tails = who.map((each) => this.#writer.tailOf({ ...each, allowed: null, because }));
      this.#problemTails.set(problem, tails);
    }
    if (asked.length === 0) this.#tally.strangers++;
    for (const tail of tails) rows.add(heads, start, end, tail);
  }

  /** The form of a target that is asked for; counts the record when the other form would be decided otherwise. */
  #formOf(state: OriginState, raw: string): string {
    // Nothing else has another form; nearly all targets end here.
    if (!raw.includes("%") && !raw.includes("/.")) return raw;
    const normalized = normalizeTarget(raw);
    if (normalized === raw) return raw;
    const isOther = (matcher: Matcher): boolean =>
      matcher.decideTarget(raw).allowed !== matcher.decideTarget(normalized).allowed;
    if (this.#countsOtherForm && state.matchers?.some(isOther) === true) this.#tally.otherForm++;
    return this.#isNormalized ? normalized : raw;
  }

  /** Writes the rows of the agents about whom the dialects disagree. */
  #addDifferences(heads: Buffer, start: number, end: number, state: OriginState, target: string, rows: Rows): void {
    let isAlike = true;
    for (let first = 0; first < this.#questions.length; first += this.#compared) {
      const decisions: Decision[] = [];
      for (let index = first; index < first + this.#compared; index++) {
        const decision = state.matchers![index]!.decideTarget(target);
        const tally = this.#tally.questions[index]!;
        if (decision.allowed) tally.allowed++;
        else tally.disallowed++;
        decisions.push(decision);
      }
      if (decisions.every(({ allowed }) => allowed === decisions[0]!.allowed)) continue;
      isAlike = false;
      for (const [at, decision] of decisions.entries()) {
        rows.add(heads, start, end, this.#tailOf(state, first + at, decision));
      }
    }
    if (isAlike) this.#tally.alike++;
  }

  /** A matcher gives the same object for the same rule, so the end of the row is made once a rule. */
  #tailOf(state: OriginState, index: number, decision: Decision): string {
    const tails = state.tails[index];
    // Most records of an origin end alike.
    if (tails?.lastDecision === decision) return tails.lastTail;
    let tail = tails?.others?.get(decision);
    if (tail === undefined) {
      tail = this.#writer.tailOf(answerOf(this.#questions[state.first + index]!, state, decision));
      this.#origins.grow(state, tail.length);
    }
    if (tails === undefined) state.tails[index] = { lastDecision: decision, lastTail: tail, others: undefined };
    else {
      (tails.others ??= new Map()).set(tails.lastDecision, tails.lastTail).set(decision, tail);
      tails.lastDecision = decision;
      tails.lastTail = tail;
    }
    return tail;
  }
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
