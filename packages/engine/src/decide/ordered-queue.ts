// Builds the rows of batches in input order. At the first record whose robots.txt is not loaded, this record and all later records begin to
// wait: in memory up to a limit, then in a file. Reading and loading continue meanwhile.
import type { Decider } from "./decide.ts";
import type { Taken, WaitingQueue, WaitingQueueOptions } from "./waiting-queue.ts";
import { type LocatedBatch, firstOf, targetOf } from "../locate/located-batch.ts";
import { keyOf } from "../origins/origin-state.ts";
import { headEndAt, headStartAt, spanSize } from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import type { SpilledRecord, Spill } from "../records/spill.ts";
import type { Tally } from "../origins/tally.ts";

/** The origin number of a queued record to which no robots.txt applies. */
const noOrigin = 0xffffffff;

/** A batch with records in the queue. */
interface WaitingBatch {
  /** Value of `#queued` after the batch's last record was queued. */
  readonly end: number;
  readonly onDecided: LocatedBatch["onDecided"];
}

/** Keeps the input order: a record leaves the queue when it is the first one and its robots.txt is loaded. */
export class OrderedQueue implements WaitingQueue {
  readonly #decider: Decider;
  readonly #tally: Tally;
  readonly #origins: WaitingQueueOptions["origins"];
  readonly #spill: Spill;
  /** Number of records ever put into the queue. */
  #queued = 0;
  #batches: WaitingBatch[] = [];
  #batchesAt = 0;
  #dropping = false;
  #droppingAll = false;
  /** `#batch`: the last added batch, until its records are decided or queued. `#record`: the index of its next record. */
  #batch: LocatedBatch | undefined;
  #record = 0;
  /** End index of the batch's records that are to be decided. */
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

  add(batch: LocatedBatch, isBehind = false): void {
    this.#batch = batch;
    this.#record = 0;
    this.#until = batch.count;
    if (this.#droppingAll) this.#dropFrom(0);
    else if (isBehind || this.#spill.count > 0) this.#queueBatch(batch);
  }

  /** Does nothing: `take` looks up the state of the first record itself. */
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
    // When records are queued, a record with only some of its rows is the first one in the queue, not one of `#batch`.
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
    // After `dropAll`, batches may be complete although their records were not decided.
    this.#tellDecided(rows);
    if (this.#batch === undefined || this.#spill.count > 0 || rows.isFull) return hasTaken;
    this.#takeBatch(this.#batch, rows);
    return true;
  }

  /** Gives up the batch's records from `record` on. */
  #dropFrom(record: number): void {
    this.#tally.notDecided += this.#until - record;
    this.#until = record;
  }

  /**
   * Builds rows of a batch while no record is queued. At the first record whose robots.txt is not loaded, queues the rest of the batch;
   * after `dropWaiting`, gives up such records instead.
   */
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

  /** Queues the remaining records of a batch. */
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

  /** Calls `onDecided` of each batch whose last record has left the queue. */
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

  /**
   * Decides the first queued record, or gives it up. Returns true when the record is done, false when some of its rows remain to be built,
   * undefined when it has to wait.
   */
  #decideQueued(record: SpilledRecord, rows: Rows): boolean | undefined {
    const { targets, origin, first, targetStart, targetEnd } = record;
    if (origin === noOrigin) {
      const problem = targets.toString("latin1", targetStart, targetEnd);
      return this.#decider.addProblem(record, first, problem, rows);
    }
    const state = this.#origins.stateAt(keyOf(origin, first));
    // `stateAt` may have built matchers, which is slow.
    rows.turn.count(true);
    if (state.isReady) return this.#decider.decideWaiting(record, state, rows);
    if (!this.#dropping) return undefined;
    this.#tally.notDecided++;
    return true;
  }
}
