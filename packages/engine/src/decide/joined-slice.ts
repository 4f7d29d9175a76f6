// Builds the rows of up to 128 records of a batch at once, for records whose single row has all answers: a fast path in front of
// `RecordRows`. `RecordRows` decides all other records, such as those whose combination of decisions has not occurred before.
//
// Each step processes all records of the slice, as in slice.ts, so that their cache misses overlap.
import type { Answers } from "./answers.ts";
import type { RecordRows } from "./record-rows.ts";
import { type SliceDeciderOptions, sliceSize } from "./slice.ts";
import type { Tails } from "./tails.ts";
import { TargetBytes } from "./target-bytes.ts";
import type { LocatedBatch } from "../locate/located-batch.ts";
import { headEndAt, headStartAt, notInBytes, spanSize, targetEndAt, targetStartAt } from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";

/** Maximum number of blocks that decide the records of a slice. */
const mostBlocks = 2_048;

/** Number of records in the slice that follows a slice that ended early. */
const leastRecords = 4;

export class JoinedSliceDecider {
  readonly #tails: Tails;
  readonly #recordRows: RecordRows;
  readonly #tally: SliceDeciderOptions["tally"];
  readonly #matchers: SliceDeciderOptions["matchers"];
  readonly #answers: Answers;
  /**
   * `#blocks`: the blocks that decide the records, record by record. `#offsets`: for each of these blocks, the offset of its decision from
   * the block. `#ends`: by record, the end of its blocks in both arrays.
   */
  readonly #blocks = new Int32Array(mostBlocks);
  readonly #offsets = new Int32Array(mostBlocks);
  readonly #ends = new Int32Array(sliceSize);
  /**
   * `#entries`: by record, the entry of its combination of decisions; 0 when the questions are a single run. `#rowTails`: by record, the
   * address of the tail of its row.
   */
  readonly #entries = new Int32Array(sliceSize);
  readonly #rowTails = new Int32Array(sliceSize);
  readonly #target = new TargetBytes();
  /**
   * Number of records in the next slice. It is small after a slice that ended early, because the steps for the records after its end were
   * wasted.
   */
  #size = sliceSize;

  constructor({ tails, recordRows, matchers, tally }: SliceDeciderOptions) {
    this.#tails = tails;
    this.#recordRows = recordRows;
    this.#tally = tally;
    this.#matchers = matchers;
    this.#answers = matchers.answers;
  }

  /**
   * Builds the rows of the batch's records from index `from` on, up to `end` at most. Returns the index of the first record without a row;
   * `from` when no row was built. Stops before a record whose blocks do not fit into `mostBlocks`, and before one that `RecordRows` has to
   * decide: its state is not ready, no robots.txt applies to it, its state has a `robotsTxtBlock`, a matcher outside the table decides it,
   * or the tail of its row is not built. Stops after a record when the turn is over or the rows are overfull.
   */
  decide(batch: LocatedBatch, from: number, end: number, rows: Rows): number {
    // `RecordRows` has begun a record and has to complete it first.
    if (this.#recordRows.hasBegun) return from;
    if (this.#matchers.isEvictionDue) this.#matchers.evict(batch.states[from]);
    const { arena } = this.#answers;
    const most = Math.min(end, from + this.#size);
    const found = this.#findBlocks(batch, from, most);
    if (found > from) arena.touch(this.#blocks, this.#ends[found - from - 1]!);
    const decided = this.#findTails(batch, from, found, rows);
    this.#size = decided < most ? leastRecords : Math.min(this.#size * 2, sliceSize);
    arena.touch(this.#rowTails, decided - from);
    return this.#writeRows(batch, from, decided, rows);
  }

  #findBlocks({ states }: LocatedBatch, from: number, end: number): number {
    const blocks = this.#blocks;
    let size = 0;
    for (let record = from; record < end; record++) {
      const state = states[record];
      if (state === undefined || !state.isReady || state.robotsTxtBlock !== 0) return record;
      const { others } = state;
      if (size + others.length >= mostBlocks) return record;
      blocks[size++] = state.block;
      for (let number = 0; number < others.length; number++) blocks[size++] = others[number]!;
      this.#ends[record - from] = size;
    }
    return end;
  }

  #findTails({ bytes, spans, states, made }: LocatedBatch, from: number, end: number, rows: Rows): number {
    const { table, combinations } = this.#answers;
    const { turn } = rows;
    const blocks = this.#blocks;
    const offsets = this.#offsets;
    let first = 0;
    for (let record = from; record < end; record++) {
      const stop = this.#ends[record - from]!;
      let targets = bytes;
      let start = spans[record * spanSize + targetStartAt]!;
      let targetEnd = spans[record * spanSize + targetEndAt]!;
      if (start === notInBytes) {
        targetEnd = this.#target.write(made[targetEnd]!);
        targets = this.#target.bytes;
        start = 0;
      }
      for (let at = first; at < stop; at++) if (table.isAsked(blocks[at]!, targetEnd - start)) return record;
      table.findEach(blocks, first, stop, targets, start, targetEnd, offsets);
      turn.count(false);
      const state = states[record]!;
      let entry = 0;
      let tail = 0;
      if (state.runs.ends.length === 1) tail = table.valueAt(blocks[first]! + offsets[first]!);
      else {
        entry = combinations.find(state, offsets, first, stop - first);
        if (entry !== 0) tail = combinations.tailsOf(entry);
      }
      if (tail === 0) return record;
      this.#entries[record - from] = entry;
      this.#rowTails[record - from] = tail;
      first = stop;
      if (turn.isOver) return record + 1;
    }
    return end;
  }

  #writeRows({ heads, spans, states }: LocatedBatch, from: number, end: number, rows: Rows): number {
    let first = 0;
    for (let record = from; record < end; record++) {
      const entry = this.#entries[record - from]!;
      const tail = this.#rowTails[record - from]!;
      const state = states[record]!;
      if (entry === 0) this.#tails.countEach(state.first, state.questions, tail);
      else this.#recordRows.countCombination(state, entry, this.#offsets, first);
      first = this.#ends[record - from]!;
      const at = record * spanSize;
      this.#tails.writeWhole(heads, spans[at + headStartAt]!, spans[at + headEndAt]!, tail, rows);
      this.#tally.decided++;
      if (rows.isOverfull) return record + 1;
    }
    return end;
  }
}
