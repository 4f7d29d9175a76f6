// One record whose robots.txt is loaded in, its rows out: one for each question, or only the rows on which the dialects disagree.
import { hasNoQuestion, noCrawler } from "../locate/crawlers.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { RecordRange } from "../records/record-range.ts";
import type { Rows } from "../records/rows.ts";
import type { Tally } from "../tally.ts";
import { AskedPlaces } from "./asked-places.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { OtherForm } from "./other-form.ts";
import type { Tails } from "./tails.ts";
import { isRobotsTxt } from "./target-bytes.ts";

/**
 * Builds the rows of one record after another. When the rows are full, it stops, also in the middle of a record. The caller
 * then has to pass the same record again before any other, perhaps with a rebuilt state.
 */
export class RecordRows {
  readonly #tails: Tails;
  readonly #tally: Tally;
  readonly #matchers: DeciderOptions["matchers"];
  /** Questions about one record; undefined when every question applies to every record and no question is added. */
  readonly #questionsEach: number;
  /** Number of adjacent questions about one agent when only differences are wanted; otherwise 1. */
  readonly #compared: number;
  readonly #form: OtherForm | undefined;
  readonly #places: AskedPlaces;
  /** Index of the current record's next question, from 0; 0 when no record is in progress. */
  #next = 0;
  /** Whether the dialects agreed so far about the current record. */
  #isAlike = true;
  /** The text that rules are compared with for the current record: its target, or the target's other form. */
  #target: Buffer = Buffer.alloc(0);
  #targetStart = 0;
  #targetEnd = 0;
  /** Whether that is robots.txt itself. */
  #isRobotsTxt = false;

  constructor(options: DeciderOptions, tails: Tails) {
    const { questions, questionsEach, onlyDifferences, targetForm, countsAll, matchers, tally } = options;
    this.#tails = tails;
    this.#tally = tally;
    this.#matchers = matchers;
    this.#questionsEach = questionsEach ?? questions.length;
    this.#compared = onlyDifferences ? new Set(questions.map(({ dialect }) => dialect)).size : 1;
    const isNormalized = targetForm === "normalized";
    if (isNormalized || countsAll) {
      this.#form = new OtherForm({ table: matchers.answers.table, isNormalized, counts: countsAll });
    }
    this.#places = new AskedPlaces(matchers.answers.table);
  }

  /** Whether the last record has only some of its rows. */
  get hasBegun(): boolean {
    return this.#next > 0;
  }

  /** Whether every record has exactly one row, decided by its unchanged target. */
  get isOneRowEach(): boolean {
    return this.#questionsEach === 1 && this.#form === undefined;
  }

  /** Builds rows of a record whose state is ready; returns whether all are built. */
  add(record: RecordRange, state: OriginState, rows: Rows): boolean {
    this.#target = record.targets;
    this.#targetStart = record.targetStart;
    this.#targetEnd = record.targetEnd;
    const form = this.#form;
    if (form !== undefined) {
      if (this.#next === 0 && form.write(state, record)) this.#tally.otherForm++;
      if (form.isAsked) {
        this.#target = form.target.bytes;
        this.#targetStart = 0;
        this.#targetEnd = form.target.size;
      }
    }
    this.#isRobotsTxt = isRobotsTxt(this.#target, this.#targetStart, this.#targetEnd);
    const isWhole = this.#compared > 1 ? this.#addDifferences(record, state, rows) : this.#addEach(record, state, rows);
    if (isWhole) this.#end();
    return isWhole;
  }

  /** Builds rows of a record that no robots.txt applies to; `first` is the index of its first question. Returns whether all are built. */
  addProblem(record: RecordRange, first: number, problem: string, rows: Rows): boolean {
    if (hasNoQuestion(first)) {
      if (first === noCrawler) this.#tally.noCrawler++;
      else this.#tally.furtherCrawlers++;
      this.#tails.writeProblem(record, undefined, problem, rows);
      this.#end();
      return true;
    }
    const count = this.#questionsEach;
    while (this.#next < count) {
      const question = first + this.#next++;
      this.#tails.countProblem(question, problem);
      if (this.#compared > 1) rows.leaveOut();
      else this.#tails.writeProblem(record, question, problem, rows);
      if (rows.isFull && this.#next < count) return false;
    }
    if (this.#compared > 1) this.#tally.alike++;
    if (problem === "invalid-url") this.#tally.noUrl++;
    this.#end();
    return true;
  }

  #addEach({ heads, headStart, headEnd }: RecordRange, state: OriginState, rows: Rows): boolean {
    const matchers = this.#matchers;
    const tails = this.#tails;
    const count = state.others.length + 1;
    let asked = 0;
    let place = 0;
    while (this.#next < count) {
      if (matchers.isEvictionDue) {
        matchers.evict(state);
        asked = 0;
      }
      const index = this.#next++;
      // Crawlers of one group share a matcher: it is asked once.
      const block = this.#blockOf(state, index);
      if (block !== asked) {
        asked = block;
        place = this.#placeOf(state, block, rows);
      }
      const tail = tails.find(state, index, place);
      tails.count(state.first + index, tail);
      tails.write(heads, headStart, headEnd, tail, rows);
      if (rows.isFull && this.#next < count) return false;
    }
    return true;
  }

  /** Builds the rows of the agents for which the dialects decide differently. */
  #addDifferences({ heads, headStart, headEnd }: RecordRange, state: OriginState, rows: Rows): boolean {
    const matchers = this.#matchers;
    const compared = this.#compared;
    const count = this.#questionsEach;
    if (this.#next === 0) this.#isAlike = true;
    const tails = new Int32Array(compared);
    while (this.#next < count) {
      if (matchers.isEvictionDue) matchers.evict(state);
      let allowed = 0;
      for (let at = 0; at < compared; at++) {
        const index = this.#next++;
        const tail = (tails[at] = this.#tails.find(
          state,
          index,
          this.#placeOf(state, this.#blockOf(state, index), rows),
        ));
        if (this.#tails.count(state.first + index, tail)) allowed++;
      }
      if (allowed === 0 || allowed === compared) rows.leaveOut();
      else {
        this.#isAlike = false;
        for (const tail of tails) this.#tails.write(heads, headStart, headEnd, tail, rows);
      }
      if (rows.isFull && this.#next < count) return false;
    }
    if (this.#isAlike) this.#tally.alike++;
    return true;
  }

  /** The block that decides a question about the record under way. */
  #blockOf(state: OriginState, index: number): number {
    return (this.#isRobotsTxt && state.robotsTxtBlock) || state.blockAt(index);
  }

  #placeOf(state: OriginState, block: number, rows: Rows): number {
    return this.#places.find(state, block, this.#target, this.#targetStart, this.#targetEnd, rows.turn);
  }

  /** Counts the current record as decided. */
  #end(): void {
    this.#next = 0;
    this.#tally.decided++;
    this.#places.clear();
  }
}
