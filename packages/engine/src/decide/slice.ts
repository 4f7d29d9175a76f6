// Builds the rows of up to 128 records of a batch at once, for records with one row each: a fast path in front of `RecordRows`.
//
// Each step processes all records of the slice: the first step finds their blocks, the second finds their tails, the third writes their
// rows. So the cache misses of many records overlap; record by record, each miss would wait for the previous one.
import type { Answers } from "./answers.ts";
import type { DeciderOptions } from "./decider-options.ts";
import type { RecordRows } from "./record-rows.ts";
import type { Tails } from "./tails.ts";
import { TargetBytes, isRobotsTxt } from "./target-bytes.ts";
import { type LocatedBatch, firstOf } from "../locate/located-batch.ts";
import { headEndAt, headStartAt, notInBytes, spanSize, targetEndAt, targetStartAt } from "../records/packed.ts";
import { type RecordRange, createRecordRange } from "../records/record-range.ts";
import type { Rows } from "../records/rows.ts";
import type { Tally } from "../tally.ts";

/** Maximum number of records in a slice: the processor's cache could not hold the data of more. */
export const sliceSize = 128;

export interface SliceDeciderOptions extends Pick<DeciderOptions, "matchers" | "tally"> {
  readonly tails: Tails;
  /** Builds the rows of records that no robots.txt applies to. */
  readonly recordRows: RecordRows;
}

export class SliceDecider {
  readonly #tails: Tails;
  readonly #recordRows: RecordRows;
  readonly #tally: Tally;
  readonly #matchers: DeciderOptions["matchers"];
  readonly #answers: Answers;
  /**
   * By record of the slice: first the address of the block that decides it, later the address of the tail of its row. 0 for a record that
   * waits, or to which no robots.txt applies.
   */
  readonly #addresses = new Int32Array(sliceSize);
  readonly #target = new TargetBytes();
  readonly #problem: RecordRange = createRecordRange();

  constructor({ tails, recordRows, matchers, tally }: SliceDeciderOptions) {
    this.#tails = tails;
    this.#recordRows = recordRows;
    this.#tally = tally;
    this.#matchers = matchers;
    this.#answers = matchers.answers;
  }

  /**
   * Builds the rows of the batch's records from index `from` on, up to `end` at most. Returns the index of the record to continue with;
   * `from` when no record was processed. Stops before a record whose state has to be built. Stops after a record when the turn is over, the
   * rows are overfull or an eviction is due. The indices of records whose origin is not loaded are added to `waiting`; without `waiting`,
   * the method stops before the first such record.
   */
  decide(batch: LocatedBatch, from: number, end: number, rows: Rows, waiting: number[] | undefined): number {
    const { arena } = this.#answers;
    const found = this.#findBlocks(batch, from, end, waiting !== undefined);
    arena.touch(this.#addresses, found - from);
    const decided = this.#findTails(batch, from, found, rows);
    arena.touch(this.#addresses, decided - from);
    const until = this.#writeRows(batch, from, decided, rows, waiting);
    if (this.#matchers.isEvictionDue) this.#matchers.evict(batch.states[until - 1]);
    return until;
  }

  #findBlocks({ states }: LocatedBatch, from: number, end: number, mayWait: boolean): number {
    const addresses = this.#addresses;
    for (let record = from; record < end; record++) {
      const state = states[record];
      const block = state?.block ?? 0;
      if (block === 0 && state !== undefined && (!mayWait || state.isUnbuilt)) return record;
      addresses[record - from] = block;
    }
    return end;
  }

  #findTails({ bytes, spans, states, made }: LocatedBatch, from: number, end: number, rows: Rows): number {
    const { table } = this.#answers;
    const addresses = this.#addresses;
    const { turn } = rows;
    for (let record = from; record < end; record++) {
      let block = addresses[record - from]!;
      if (block === 0) continue;
      let targets = bytes;
      let start = spans[record * spanSize + targetStartAt]!;
      let targetEnd = spans[record * spanSize + targetEndAt]!;
      if (start === notInBytes) {
        targetEnd = this.#target.write(made[targetEnd]!);
        targets = this.#target.bytes;
        start = 0;
      }
      if (isRobotsTxt(targets, start, targetEnd)) block = states[record]!.robotsTxtBlock || block;
      const place = table.find(block, targets, start, targetEnd);
      turn.count(table.isAsked(block, targetEnd - start));
      // With one question, the value of a decision is the address of its tails, without a list.
      const tail = table.valueAt(place) || this.#tails.make(states[record]!, 0, place, false);
      addresses[record - from] = tail;
      if (turn.isOver || this.#matchers.isEvictionDue) return record + 1;
    }
    return end;
  }

  #writeRows(batch: LocatedBatch, from: number, end: number, rows: Rows, waiting: number[] | undefined): number {
    const { heads, spans, states, made, firsts } = batch;
    const addresses = this.#addresses;
    const tails = this.#tails;
    for (let record = from; record < end; record++) {
      const tail = addresses[record - from]!;
      const headStart = spans[record * spanSize + headStartAt]!;
      const headEnd = spans[record * spanSize + headEndAt]!;
      if (tail !== 0) {
        tails.count(firsts === undefined ? 0 : firsts[record]!, tail);
        tails.write(heads, headStart, headEnd, tail, rows);
        this.#tally.decided++;
      } else if (states[record] !== undefined) waiting!.push(record);
      else {
        const problem = this.#problem;
        problem.heads = heads;
        problem.headStart = headStart;
        problem.headEnd = headEnd;
        this.#recordRows.addProblem(
          problem,
          firstOf(batch, record),
          made[spans[record * spanSize + targetEndAt]!]!,
          rows,
        );
      }
      if (rows.isOverfull) return record + 1;
    }
    return end;
  }
}
