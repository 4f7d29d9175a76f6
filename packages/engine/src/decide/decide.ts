// Turns records whose robots.txt is loaded into output rows: one row for each question, a single row with all answers, or only the rows on
// which the dialects disagree.
import { hasNoQuestion, noCrawler } from "../questions/questions.ts";
import { type Combination, Combinations } from "../origins/combinations.ts";
import type { OriginState } from "../origins/origin-state.ts";
import {
  type RecordRange,
  createRecordRange,
  headEndAt,
  headStartAt,
  notInBytes,
  spanSize,
  targetEndAt,
  targetStartAt,
} from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import type { Tally } from "../origins/tally.ts";
import { AskedPlaces, OtherForm } from "./current-target.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { EachTails } from "./each-tails.ts";
import { Tails } from "./tails.ts";
import { isRobotsTxt, TargetBytes } from "../locate/target-bytes.ts";
import { type LocatedBatch, firstOf } from "../locate/locate.ts";
import { MemberTails } from "./member-tails.ts";
import { ObjectTails } from "./object-tails.ts";

/** Maximum number of questions whose tails are combined: the memory for these tails is one allocation. */
const mostCombined = 256;

/**
 * Decides the records of batches, and single records that had to wait: counts the decisions and builds the rows. When the rows are full
 * before all rows of a record are built, `add` and `addProblem` return false. The caller then has to pass the same record again before any
 * other, perhaps with a rebuilt state.
 */
export class Decider {
  readonly #tails: Tails;
  /** `#tails` in a run whose rows are made one by one; undefined in other runs. */
  readonly #each: EachTails | undefined;
  readonly #tally: Tally;
  readonly #matchers: DeciderOptions["matchers"];
  readonly #origins: DeciderOptions["origins"];
  /** Number of questions about one record. */
  readonly #questionsEach: number;
  /** With `onlyDifferences`, the number of dialects, which is also the number of adjacent questions about one agent. Otherwise 1. */
  readonly #compared: number;
  /** Whether a record has a single row with all answers. */
  readonly #isJoined: boolean;
  readonly #form: OtherForm | undefined;
  readonly #places: AskedPlaces;
  /**
   * Index of the current record's next question, from 0; 0 when no record is in progress. In runs with a single row per record, 1 means
   * that a record is in progress.
   */
  #next = 0;
  /** Number of the current record's questions that are counted, from the first one on. */
  #counted = 0;
  /**
   * `#offsets`: by block number, the decision about the current record, as its offset from the block. `#allowed`: by block number, 1 when
   * this decision allows. `#canCombine`: whether the decisions may become a combination.
   */
  readonly #offsets = new Int32Array(mostCombined);
  readonly #allowed = new Uint8Array(mostCombined);
  #canCombine = false;
  /** The addresses of the tails that follow the head in the current record's single row. */
  readonly #parts: number[] = [];
  /** Whether the dialects have agreed about the current record for all agents so far. */
  #isAlike = true;
  /** The text that rules are compared with for the current record: its target, or the target's other form. */
  #target: Buffer = Buffer.alloc(0);
  #targetStart = 0;
  #targetEnd = 0;
  /** Whether the current target is `/robots.txt`. */
  #isRobotsTxt = false;
  /** The current record of a batch, and its target when that is not a range of the input bytes. */
  readonly #record: RecordRange = createRecordRange();
  readonly #made = new TargetBytes();

  constructor(options: DeciderOptions) {
    const { questions, questionsEach, rows, onlyDifferences, targetForm, countsAll, matchers, tally } = options;
    this.#isJoined = rows === "record";
    const tails = (this.#tails = tailsFor(options));
    this.#each = tails instanceof EachTails ? tails : undefined;
    this.#tally = tally;
    this.#matchers = matchers;
    this.#origins = options.origins;
    this.#questionsEach = questionsEach ?? questions.length;
    this.#compared = onlyDifferences ? new Set(questions.map(({ dialect }) => dialect)).size : 1;
    const isNormalized = targetForm === "normalized";
    if (isNormalized || countsAll) {
      this.#form = new OtherForm({ table: matchers.answers.table, isNormalized, counts: countsAll });
    }
    this.#places = new AskedPlaces(matchers.answers.table);
  }

  /** Whether the last passed record is not complete: it has only some of its rows or decisions. */
  get hasBegun(): boolean {
    return this.#next > 0;
  }

  /**
   * Builds the rows of the batch's records `[record, end)` until the rows are full; returns the index of the record to continue with. The
   * indices of records whose origin is not loaded are added to `waiting`. Without `waiting`, the method stops before the first such record.
   */
  decideFrom(batch: LocatedBatch, record: number, end: number, rows: Rows, waiting?: number[]): number {
    let next = record;
    while (next < end && !rows.isFull) {
      const isWhole = this.#addFrom(batch, next, rows);
      if (isWhole === false) break;
      if (isWhole === undefined) {
        if (waiting === undefined) break;
        waiting.push(next);
      } else batch.tracker?.take(next, rows.allBytes);
      next++;
    }
    return next;
  }

  /** Builds rows of a record whose state is ready; returns whether all its rows are built. */
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
    this.#each?.begin(state, this.#target, this.#targetStart, this.#targetEnd);
    this.#isRobotsTxt = isRobotsTxt(this.#target, this.#targetStart, this.#targetEnd);
    const isWhole = this.#addRows(record, state, rows);
    if (isWhole) this.#end();
    return isWhole;
  }

  /**
   * Builds rows of a record that no robots.txt applies to, for the reason `problem`; `first` is the index of its first question. Returns
   * whether all its rows are built.
   */
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
      else if (!this.#isJoined) this.#tails.writeProblem(record, question, problem, rows);
      if (rows.isFull && this.#next < count && !this.#isJoined) return false;
    }
    if (this.#isJoined) this.#tails.writeProblem(record, first, problem, rows);
    if (this.#compared > 1) this.#tally.alike++;
    if (problem === "invalid-url") this.#tally.noUrl++;
    this.#end();
    return true;
  }

  /** Builds rows of the record at `index` of a batch. Returns whether all its rows are built; undefined when its origin is not loaded. */
  #addFrom(batch: LocatedBatch, index: number, rows: Rows): boolean | undefined {
    const { heads, bytes, spans, states, made } = batch;
    const record = this.#record;
    const at = index * spanSize;
    record.heads = heads;
    record.headStart = spans[at + headStartAt]!;
    record.headEnd = spans[at + headEndAt]!;
    record.targetStart = spans[at + targetStartAt]!;
    record.targetEnd = spans[at + targetEndAt]!;
    let state = states[index];
    if (state === undefined) return this.addProblem(record, firstOf(batch, index), made[record.targetEnd]!, rows);
    if (!state.isReady) {
      state = states[index] = this.#origins.currentOf(state);
      // `currentOf` may have built matchers, which is slow.
      rows.turn.count(true);
      if (!state.isReady) return undefined;
    }
    record.targets = bytes;
    if (record.targetStart === notInBytes) {
      record.targetEnd = this.#made.write(made[record.targetEnd]!);
      record.targets = this.#made.bytes;
      record.targetStart = 0;
    }
    return this.add(record, state, rows);
  }

  #addRows(record: RecordRange, state: OriginState, rows: Rows): boolean {
    if (this.#compared > 1) return this.#addDifferences(record, state, rows);
    return this.#isJoined ? this.#addJoined(record, state, rows) : this.#addEach(record, state, rows);
  }

  #addEach(record: RecordRange, state: OriginState, rows: Rows): boolean {
    const matchers = this.#matchers;
    const tails = this.#tails;
    const { ends } = state.runs;
    const count = state.questions;
    for (let run = this.#next > 0 ? state.runAt(this.#next) : 0; run < ends.length; run++) {
      if (matchers.isEvictionDue) matchers.evict(state);
      const start = run === 0 ? 0 : ends[run - 1]!;
      const size = ends[run]! - start;
      const found = tails.find(state, run, this.#placeOf(state, run, rows), this.#hasOwnBlock(state));
      this.#count(state, start, size, found);
      this.#each?.turnTo(state.first + start);
      this.#next = start + tails.writeEach(record, found, size, this.#next - start, size, rows);
      if (rows.isFull && this.#next < count) return false;
    }
    return true;
  }

  /** Builds the single row of a record. Returns false without a row when the turn is over before all blocks have decided. */
  #addJoined(record: RecordRange, state: OriginState, rows: Rows): boolean {
    const tails = this.#tails;
    const { ends } = state.runs;
    const parts = this.#parts;
    parts.length = 0;
    const all = this.#combinedTails(state, rows);
    if (all !== 0) parts.push(all);
    else {
      if (this.#next === 0 && this.#matchers.isEvictionDue) this.#matchers.evict(state);
      for (let run = 0; run < ends.length; run++) {
        this.#placeOf(state, run, rows);
        // `#places` keeps the decisions so far for the next call.
        if (rows.turn.isOver && run + 1 < ends.length) {
          this.#next = 1;
          return false;
        }
      }
      for (let run = 0; run < ends.length; run++) {
        const start = run === 0 ? 0 : ends[run - 1]!;
        const part = tails.find(state, run, this.#placeOf(state, run, rows), this.#hasOwnBlock(state));
        this.#count(state, start, ends[run]! - start, part);
        parts.push(part);
      }
      this.#remember(state);
    }
    tails.writeJoined(record, parts, rows);
    return true;
  }

  /**
   * The address of the tails of all questions, for the combination of decisions about the current record; the record is then counted.
   * Returns 0 when the combination occurred for the first time, when deciding takes long, or when the decisions cannot be combined. The
   * caller then decides the runs of questions one by one.
   */
  #combinedTails(state: OriginState, rows: Rows): number {
    const { ends } = state.runs;
    this.#canCombine = ends.length > 1 && state.questions <= mostCombined && !this.#hasOwnBlock(state);
    if (this.#each !== undefined) this.#canCombine = false;
    if (!this.#canCombine) return 0;
    const matchers = this.#matchers;
    if (this.#next === 0 && matchers.isEvictionDue) matchers.evict(state);
    const offsets = this.#offsets;
    const count = state.others.length + 1;
    for (let number = 0; number < count; number++) {
      const place = this.#places.find(state, number, this.#target, this.#targetStart, this.#targetEnd, rows.turn);
      offsets[number] = place - state.blockOf(number);
      if (this.#places.wasSlow || rows.turn.isOver) {
        this.#canCombine = false;
        return 0;
      }
    }
    const combination = state.combinations?.find(offsets, count);
    if (combination === undefined) return 0;
    this.#canCombine = false;
    const tails = combination.tails || this.#combine(state, combination, rows);
    this.#countCombination(state, combination);
    this.#counted = state.questions;
    return tails;
  }

  /** Counts the current record, with the combination of its decisions and in the tally. */
  #countCombination(state: OriginState, combination: Combination): void {
    const { offsets } = combination;
    const { table } = this.#matchers.answers;
    combination.hits++;
    const { ends, blocks } = state.runs;
    const allowed = this.#allowed;
    for (let number = 0; number <= state.others.length; number++) {
      allowed[number] = table.isAllowed(state.blockOf(number) + offsets[number]!) ? 1 : 0;
    }
    // Adjacent runs of questions with the same answer are counted together.
    let start = 0;
    for (let run = 0; run < ends.length; run++) {
      const isAllowed = allowed[blocks[run]!]!;
      if (run + 1 < ends.length && allowed[blocks[run + 1]!] === isAllowed) continue;
      this.#tally.countEach(state.first + start, state.first + ends[run]!, isAllowed === 1);
      start = ends[run]!;
    }
  }

  #combine(state: OriginState, combination: Combination, rows: Rows): number {
    const parts: number[] = [];
    for (let run = 0; run < state.runs.ends.length; run++) {
      parts.push(this.#tails.find(state, run, this.#placeOf(state, run, rows), false));
    }
    return this.#tails.combine(state, combination, parts);
  }

  /**
   * Adds the combination of decisions about the current record. The next record with this combination gets the tails of all questions at
   * once.
   */
  #remember(state: OriginState): void {
    if (!this.#canCombine) return;
    state.combinations ??= new Combinations();
    const bytes = state.combinations.add(this.#offsets, state.others.length + 1);
    if (bytes > 0) this.#matchers.growTails(state, bytes);
  }

  /** Builds the rows of the agents for which the dialects decide differently. */
  #addDifferences(record: RecordRange, state: OriginState, rows: Rows): boolean {
    const matchers = this.#matchers;
    const compared = this.#compared;
    const count = this.#questionsEach;
    if (this.#next === 0) this.#isAlike = true;
    const { ends } = state.runs;
    const found = new Int32Array(compared);
    while (this.#next < count) {
      if (matchers.isEvictionDue) matchers.evict(state);
      const first = this.#next;
      const firstRun = state.runAt(first);
      let allowed = 0;
      for (let at = 0, run = firstRun; at < compared; at++) {
        if (first + at === ends[run]) run++;
        const start = run === 0 ? 0 : ends[run - 1]!;
        const tails = (found[at] = this.#tails.find(state, run, this.#placeOf(state, run, rows), false));
        this.#count(state, start, ends[run]! - start, tails);
        if (this.#tails.isAllowed(tails)) allowed++;
      }
      this.#next = first + compared;
      if (allowed === 0 || allowed === compared) rows.leaveOut();
      else {
        this.#isAlike = false;
        for (let at = 0, run = firstRun; at < compared; at++) {
          if (first + at === ends[run]) run++;
          const start = run === 0 ? 0 : ends[run - 1]!;
          const index = first + at - start;
          this.#each?.turnTo(state.first + start);
          this.#tails.writeEach(record, found[at]!, ends[run]! - start, index, index + 1, rows);
        }
      }
      if (rows.isFull && this.#next < count) return false;
    }
    if (this.#isAlike) this.#tally.alike++;
    return true;
  }

  /**
   * Counts the decision about the current record for `size` questions from `start` on, without the questions that are already counted.
   * `tails` is the address of the decision's tails.
   */
  #count(state: OriginState, start: number, size: number, tails: number): void {
    const from = Math.max(start, this.#counted);
    if (from >= start + size) return;
    this.#tails.countEach(state.first + from, start + size - from, tails);
    this.#counted = start + size;
  }

  /** Whether `robotsTxtBlock` of the state decides the current record. */
  #hasOwnBlock(state: OriginState): boolean {
    return this.#isRobotsTxt && state.robotsTxtBlock !== 0;
  }

  /** The address of the decision about the current record for a run of questions. */
  #placeOf(state: OriginState, run: number, rows: Rows): number {
    if (this.#hasOwnBlock(state)) {
      rows.turn.count(false);
      return this.#matchers.answers.table.find(state.robotsTxtBlock, this.#target, this.#targetStart, this.#targetEnd);
    }
    const number = state.runs.blocks[run]!;
    return this.#places.find(state, number, this.#target, this.#targetStart, this.#targetEnd, rows.turn);
  }

  /** Counts the current record as decided, and prepares for the next one. */
  #end(): void {
    this.#next = 0;
    this.#counted = 0;
    this.#tally.decided++;
    this.#places.clear();
  }
}

function tailsFor(options: DeciderOptions): Tails {
  if (options.objects !== undefined) return new ObjectTails(options);
  return options.members === undefined ? new Tails(options) : new MemberTails(options);
}
