// Batches in, their rows out in the order of the input: as long as the robots.txt of the first record that waits is not there,
// all behind it wait too, in memory and then in a file, while reading goes on and their origins are loaded.
import type { Decider } from "./decide.ts";
import type { Taken, WaitingQueue, WaitingQueueOptions } from "./waiting-queue.ts";
import { type LocatedBatch, firstOf, targetOf } from "../locate/located-batch.ts";
import { keyOf } from "../origins/origin-state.ts";
import { headEndAt, headStartAt, spanSize } from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import type { SpilledRecord, Spill } from "../records/spill.ts";
import type { Tally } from "../tally.ts";

/** Stands for the number of an origin where a record has none. */
const noOrigin = 0xffffffff;

/** A batch with records in the queue. */
interface WaitingBatch {
  /** How many records were ever put into the queue up to its last one. */
  readonly end: number;
  readonly onDecided: LocatedBatch["onDecided"];
}

/** Keeps the input's order: a queue of records, each of which comes out when it is the first and its robots.txt is there. */
export class OrderedQueue implements WaitingQueue {
  readonly #decider: Decider;
  readonly #tally: Tally;
  readonly #origins: WaitingQueueOptions["origins"];
  readonly #spill: Spill;
  /** Records that were put into the queue since the beginning. */
  #queued = 0;
  #batches: WaitingBatch[] = [];
  #batchesAt = 0;
  #dropping = false;
  #droppingAll = false;
  /** What was taken last, as long as the queue is empty, and which of its records is the next. */
  #batch: LocatedBatch | undefined;
  #record = 0;
  /** Where its records end that are to be decided. */
  #until = 0;

  constructor({ decider, tally, origins, spill }: WaitingQueueOptions) {
    this.#decider = decider;
    this.#tally = tally;
    this.#origins = origins;
    this.#spill = spill;
  }

  get waitingBytes(): number {
    return this.#spill.heldBytes;
  }

  add(batch: LocatedBatch): void {
    this.#batch = batch;
    this.#record = 0;
    this.#until = batch.count;
    if (this.#droppingAll) this.#dropFrom(0);
    else if (this.#spill.count > 0) this.#queueBatch(batch);
  }

  /** Nothing is kept by origin: the state of the first record is looked up by `take`. */
  release(): void {}

  take(rows: Rows): Taken {
    if (this.#takeSome(rows)) return "taken";
    return this.#spill.count === 0 && this.#batch === undefined ? "empty" : "waiting";
  }

  dropWaiting(): void {
    this.#dropping = true;
  }

  dropAll(): void {
    this.#dropping = this.#droppingAll = true;
    const isBegun = this.#decider.hasBegun;
    if (this.#batch !== undefined) this.#dropFrom(isBegun ? this.#record + 1 : this.#record);
    const queued = this.#spill.count;
    // While there is a queue nothing of a batch is begun.
    this.#spill.cut(isBegun);
    this.#tally.notDecided += queued - this.#spill.count;
  }

  #takeSome(rows: Rows): boolean {
    let hasTaken = false;
    while (!rows.isFull) {
      const record = this.#spill.peek();
      const isWhole = record === undefined ? undefined : this.#decideQueued(record, rows);
      if (isWhole === undefined) break;
      hasTaken = true;
      if (isWhole) {
        this.#spill.drop(record!);
        this.#tellDecided(rows);
      }
    }
    this.#spill.trim();
    // Of a queue that was given up.
    this.#tellDecided(rows);
    if (this.#batch === undefined || this.#spill.count > 0 || rows.isFull) return hasTaken;
    this.#takeBatch(this.#batch, rows);
    return true;
  }

  /** Gives up the records of the batch from this one on. */
  #dropFrom(record: number): void {
    this.#tally.notDecided += this.#until - record;
    this.#until = record;
  }

  /** Writes rows of a batch before which nothing waits: as far as nothing in it does. */
  #takeBatch(batch: LocatedBatch, rows: Rows): void {
    while (!rows.isFull || this.#record === this.#until) {
      if (this.#record === this.#until) {
        this.#endBatch(batch);
        batch.onDecided?.(rows.allBytes);
        return;
      }
      this.#record = this.#decider.decideFrom(batch, this.#record, this.#until, rows);
      if (rows.isFull || this.#record === this.#until) continue;
      if (!this.#dropping) {
        this.#queueBatch(batch);
        return;
      }
      this.#tally.notDecided++;
      this.#record++;
    }
  }

  /** Puts what is left of a batch into the queue. */
  #queueBatch(batch: LocatedBatch): void {
    const { heads, spans, states } = batch;
    for (let record = this.#record; record < this.#until; record++) {
      const start = spans[record * spanSize + headStartAt]!;
      const end = spans[record * spanSize + headEndAt]!;
      const origin = states[record]?.number ?? noOrigin;
      this.#queued++;
      this.#spill.push(origin, firstOf(batch, record), heads, start, end, targetOf(batch, record));
    }
    this.#endBatch(batch);
    if (batch.onDecided !== undefined) this.#batches.push({ end: this.#queued, onDecided: batch.onDecided });
  }

  #endBatch(batch: LocatedBatch): void {
    this.#batch = undefined;
    batch.recycle?.();
  }

  /** Tells of the batches whose last record was just taken. */
  #tellDecided(rows: Rows): void {
    const taken = this.#queued - this.#spill.count;
    for (let first = this.#batches[this.#batchesAt]; first !== undefined && first.end <= taken;) {
      first.onDecided?.(rows.allBytes);
      first = this.#batches[++this.#batchesAt];
      if (this.#batchesAt > 64 && this.#batchesAt * 2 > this.#batches.length) {
        this.#batches = this.#batches.slice(this.#batchesAt);
        this.#batchesAt = 0;
      }
    }
  }

  /** Decides a record or gives it up; false when some of its rows are still to be made, undefined when it has to wait. */
  #decideQueued(record: SpilledRecord, rows: Rows): boolean | undefined {
    const { targets, origin, first, targetStart, targetEnd } = record;
    if (origin === noOrigin) {
      const problem = targets.toString("latin1", targetStart, targetEnd);
      return this.#decider.addProblem(record, first, problem, rows);
    }
    const state = this.#origins.stateAt(keyOf(origin, first));
    // Its matchers may have been built.
    rows.turn.count(true);
    if (state.isReady) return this.#decider.decideWaiting(record, state, rows);
    if (!this.#dropping) return undefined;
    this.#tally.notDecided++;
    return true;
  }
}
